import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { getAddress } from "viem"
import { generatePrivateKey } from "viem/accounts"
import { afterEach, expect, test } from "vitest"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { SignedMove } from "#domain/move.ts"
import type { Clock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import type { ChainPort } from "../port.ts"
import { createEvmChain } from "./family.ts"
import { toPlan } from "./unsigned.ts"

const CHAIN = toChainId("base_sepolia")
const HTLC = `0x${"a1".repeat(20)}`
const ETH = parseAssetId("base_sepolia:eth")
const NOWHERE = "http://127.0.0.1:1/v2/access-key"
const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

test("codes a node that is away as transient after three tries, without its access key", async () => {
  const waits: number[] = []
  const failure = await openPort([NOWHERE], waits)
    .fetchHeight()
    .catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: "evm.unreachable", disposition: "transient", details: { host: "127.0.0.1:1" } })
  expect(waits.length).toBe(2)
  expect(JSON.stringify(failure) + String(failure)).not.toContain("access-key")
})

test("falls over to the next endpoint when one is away, answers HTML, or is in trouble", async () => {
  const good = await startNode({ eth_blockNumber: "0x7" })
  const html = await startNode("<html>busy</html>", 503)
  const broken = await startNode({ eth_blockNumber: { code: -32000, message: "header not found" } })
  for (const bad of [NOWHERE, html, broken]) expect(await openPort([bad, good]).fetchHeight()).toBe(7n)
  await expect(openPort([html]).fetchHeight()).rejects.toMatchObject({ code: "evm.unreachable" })
  await expect(openPort([broken]).fetchHeight()).rejects.toMatchObject({
    code: "evm.node_error",
    disposition: "transient",
    details: { rpcMessage: "header not found" },
  })
})

test("asks nothing of a node that serves another chain", async () => {
  const asked: string[] = []
  const other = await startNode({ eth_chainId: "0x1", eth_blockNumber: "0x7" }, 200, asked)
  await expect(openPort([other]).fetchHeight()).rejects.toMatchObject({
    code: "evm.wrong_chain",
    disposition: "hold",
    details: { found: 1, expected: 84532 },
  })
  expect(asked).toEqual(["eth_chainId"])
})

test("asks for the chain id once", async () => {
  const asked: string[] = []
  const port = openPort([await startNode({ eth_blockNumber: "0x7" }, 200, asked)])
  await port.fetchHeight()
  await port.fetchHeight()
  expect(asked).toEqual(["eth_chainId", "eth_blockNumber", "eth_blockNumber"])
})

test("holds at an answer that cannot be read", async () => {
  const nonsense = await startNode({ eth_getBalance: "a lot" })
  await expect(openPort([nonsense]).fetchBalance(ETH, new Set())).rejects.toMatchObject({
    code: "evm.nonsense",
    disposition: "hold",
  })
})

test.each(["already known", "transaction already imported", "ALREADY_EXISTS: already known", "AlreadyKnown"])(
  "counts bytes as sent when a node says: %s",
  async (message) => {
    const { port, move } = await withMove({ eth_sendRawTransaction: { code: -32000, message } })
    await port.broadcastMove(move)
  },
)

test("counts bytes as sent when one of several nodes takes them", async () => {
  const { move } = await withMove({})
  const good = await startNode({ eth_sendRawTransaction: move.txid })
  await openPort([NOWHERE, good]).broadcastMove(move)
})

test("is uncertain of bytes that no node took, whatever the reason", async () => {
  const uncertain = { code: "evm.broadcast_uncertain", disposition: "uncertain" }
  const { port, move } = await withMove({ eth_sendRawTransaction: { code: -32000, message: "invalid sender" } })
  await expect(port.broadcastMove(move)).rejects.toMatchObject(uncertain)
  await expect(openPort([NOWHERE]).broadcastMove(move)).rejects.toMatchObject(uncertain)
  const low = { eth_sendRawTransaction: { code: -32000, message: "nonce too low" }, eth_getTransactionReceipt: null }
  await expect(openPort([await startNode(low)]).broadcastMove(move)).rejects.toMatchObject(uncertain)
})

test("calls a move excluded for good only while every endpoint says so", async () => {
  const used = {
    eth_getTransactionReceipt: null,
    eth_getTransactionByHash: null,
    eth_getTransactionCount: "0x9",
    eth_blockNumber: "0x64",
  }
  const { move, port } = await withMove(used)
  expect(await port.observeMove(move)).toEqual({ status: "excluded", by: "unknown", final: true })
  const url = await startNode(used)
  expect(await openPort([url, NOWHERE]).observeMove(move)).toMatchObject({ status: "excluded", final: false })
  const lagging = await startNode({ ...used, eth_getTransactionCount: "0x0" })
  expect(await openPort([url, lagging]).observeMove(move)).toMatchObject({ status: "excluded", final: false })
  await expect(openPort([NOWHERE]).observeMove(move)).rejects.toMatchObject({ code: "evm.unreachable" })
})

test("searches smaller ranges where the node refuses larger ones, and never answers with a part", async () => {
  const ranges: number[] = []
  const answer = (most: number) => (filter: { fromBlock: string; toBlock: string }) => {
    const blocks = Number(filter.toBlock) - Number(filter.fromBlock) + 1
    if (blocks > most) return { code: -32005, message: "block range too large" }
    ranges.push(blocks)
    return []
  }
  const narrow = await startNode({ eth_blockNumber: "0xbb7", eth_getLogs: answer(1_000) })
  expect(await openPort([narrow]).observeLeg(query())).toMatchObject({ height: 2_999n, initiated: null })
  expect(ranges.reduce((sum, blocks) => sum + blocks)).toBe(3_000)
  const closed = await startNode({ eth_blockNumber: "0xbb7", eth_getLogs: answer(10) })
  await expect(openPort([closed]).observeLeg(query())).rejects.toMatchObject({ code: "evm.node_error" })
})

type Answers = Readonly<Record<string, unknown>>

/** A node of fixed answers: an object with `code` is an error, a function gets the first parameter, text is the whole body. */
async function startNode(answers: Answers | string, status = 200, asked: string[] = []): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString())
    asked.push(method)
    response.writeHead(status, { "content-type": "application/json" })
    response.end(
      typeof answers === "string" ? answers : JSON.stringify({ jsonrpc: "2.0", id, ...answer(method, params) }),
    )
  })
  const answer = (method: string, params: readonly unknown[]): object => {
    const known: Answers = typeof answers === "string" ? {} : { eth_chainId: "0x14a34", ...answers }
    const fixed = known[method]
    const result: unknown = typeof fixed === "function" ? fixed(params[0]) : fixed
    const failed = typeof result === "object" && result !== null && "code" in result
    return failed ? { error: result } : { result: result ?? null }
  }
  servers.push(server)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  // CAST: a server that listens on TCP has such an address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const KEY = generatePrivateKey()

function openPort(rpc: readonly string[], waits: number[] = []): ChainPort {
  const clock: Clock = {
    now: () => 0,
    sleep: async (ms) => {
      waits.push(ms)
    },
  }
  return createEvmChain({
    chain: CHAIN,
    chainId: 84532,
    rpc,
    key: new Secret(KEY, "env:EVM_KEY"),
    confirmations: 1,
    maxFeePerGasUnits: 10n ** 12n,
    timeoutMs: 1_000,
    assets: [{ id: ETH, chain: CHAIN, decimals: 18, token: null, htlc: [HTLC] }],
    clock,
  })
}

/** The shortest signed move, which needs no node to make, and a port on a node of fixed answers. */
async function withMove(answers: Answers): Promise<{ port: ChainPort; move: SignedMove }> {
  const port = openPort([await startNode(answers)])
  const account = getAddress(port.account)
  const facts = { purpose: "void", attempt: 0, spends: [], fromHeight: 0n } as const
  const limits = { confirmations: 1, maxFeePerGasUnits: 1n, maxGasLimit: 21_000n }
  const wallet = { chain: CHAIN, chainId: 84532, account, assets: [], ...limits }
  const call = { chainId: 84532, nonce: 0, to: account, value: 0n, data: "0x", gas: 21_000n } as const
  const plan = toPlan(wallet, facts, { ...call, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n })
  return { port, move: await port.signMove(plan) }
}

function query() {
  return {
    side: "destination" as const,
    asset: ETH,
    htlc: null,
    secretHash: "5e".repeat(32),
    units: 1n,
    owner: HTLC,
    initiator: null,
    redeemer: null,
    timelock: null,
    hints: { initiateTx: null, redeemTx: null, refundTx: null },
    fromHeight: 0n,
  }
}
