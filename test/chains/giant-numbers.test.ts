import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { bitcoinDoctor } from "#chains/bitcoin/doctor.ts"
import { createEndpoint } from "#chains/bitcoin/nodes/endpoint.ts"
import { evmDialect } from "#chains/evm/nodes/dialect.ts"
import { createEndpoint as createEvmEndpoint, type EvmClient } from "#chains/evm/nodes/endpoint.ts"
import { createRpc as createSolanaRpc } from "#chains/solana/rpc.ts"
import { createRpc as createStarknetRpc } from "#chains/starknet/rpc.ts"
import { systemClock } from "#lib/clock.ts"
import { type Address, urlOf } from "#nodes/address.ts"
import { createRpcCall } from "#nodes/ask-node.ts"
import { createAsk } from "#nodes/create-ask.ts"
import { postBatch, postCall } from "#nodes/json-rpc.ts"
import { parsePriceAnswer } from "#prices/parse-price-answer.ts"
import { parseWireJson } from "#service/wire-json.ts"
import { stopServer } from "../support/listen.ts"

/*
 * A peer's number of millions of digits is refused by its length: making an integer of it, or
 * printing that, stops the event loop for seconds.
 */

const DIGITS = 4_000_000
const HEX = `"0x${"f".repeat(DIGITS)}"`
const NUMERAL = "9".repeat(DIGITS)
const TEXT = `"${NUMERAL}"`
/**
 * Of the processor; reading and parsing the bytes takes some of it. The integer and its text take
 * several times as much.
 */
const MOST_MS = 1_500

let url = ""
let body = ""
const server = createServer((request, response) => {
  request.resume()
  request.on("end", () => response.end(body))
})
beforeAll(async () => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  // CAST: a TCP server has an address with a port.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => stopServer(server))

const rpcAnswer = (result: string): string => `{"jsonrpc":"2.0","id":1,"result":${result}}`
const timeoutMs = 20_000

/** The error of the read, which may take no more than `MOST_MS`. */
async function refusalOf(answer: string, read: () => Promise<unknown>): Promise<unknown> {
  body = answer
  const before = process.cpuUsage()
  const error = await read().then(
    (value) => ({ answered: typeof value }),
    (cause: unknown) => cause,
  )
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(MOST_MS)
  return error
}

const evm = (ask: (client: EvmClient) => Promise<unknown>) => (): Promise<unknown> =>
  createEvmEndpoint(url, { chainId: 1, timeoutMs, clock: systemClock }).ask(ask)

describe("an EVM endpoint", () => {
  test.each([
    ["eth_chainId", HEX],
    ["eth_getBalance", HEX],
    ["eth_maxPriorityFeePerGas", `"0x${"0".repeat(65)}"`],
    ["eth_getBlockByNumber", `{"number":"0x1","timestamp":${HEX}}`],
    ["eth_getTransactionReceipt", `{"gasUsed":"0x1","logs":[{"logIndex":${HEX}}]}`],
    ["eth_feeHistory", `{"oldestBlock":"0x1","reward":[[${HEX}]],"gasUsedRatio":[0.5]}`],
    ["eth_getBlockByNumber", `{"transactions":[{"value":${HEX},"input":"0x"}]}`],
    ["eth_getStorageAt", HEX],
    ["eth_getBalance", NUMERAL],
  ])("gives no giant to %s (case %#)", async (method, result) => {
    const read = (): Promise<unknown> =>
      postCall(evmDialect, { address: url, timeoutMs, method, params: [] })
    const error = await refusalOf(rpcAnswer(result), read)
    expect(error).toMatchObject({ code: "evm.nonsense", disposition: "transient" })
  })

  test("gives no giant to viem", async () => {
    const error = await refusalOf(
      rpcAnswer(HEX),
      evm((client) => client.getGasPrice()),
    )
    expect(error).toMatchObject({ code: "evm.nonsense" })
  })

  test("spoils one call of a batch, and no other", async () => {
    body = `[{"id":0,"result":"0x1"},{"id":1,"result":"0x${"f".repeat(65)}"}]`
    const calls = ["eth_chainId", "eth_getBalance"].map((method) => ({
      address: url,
      timeoutMs,
      method,
      params: [],
    }))
    const answers = await postBatch(evmDialect, calls)
    expect(answers).toMatchObject([
      { ok: true, result: "0x1" },
      { ok: false, error: { code: "evm.nonsense" } },
    ])
  })

  test("may answer bytes of any length", async () => {
    const bytes = `0x${"ab".repeat(5_000)}`
    for (const [method, result] of [
      ["eth_call", bytes],
      ["eth_getCode", bytes],
      ["eth_getTransactionByHash", { input: bytes, hash: `0x${"1".repeat(64)}` }],
      ["eth_getTransactionReceipt", { logsBloom: bytes, logs: [{ data: bytes }] }],
      ["eth_getBlockByNumber", { extraData: bytes, blockExtraData: bytes, sealFields: [bytes] }],
    ] as const) {
      body = rpcAnswer(JSON.stringify(result))
      expect(await postCall(evmDialect, { address: url, timeoutMs, method, params: [] })).toEqual(
        result,
      )
    }
  })
})

describe("the other clients", () => {
  test.each([
    ["Solana", NUMERAL],
    ["Solana", TEXT],
    ["Starknet", HEX],
    ["Starknet", NUMERAL],
    ["doctor", NUMERAL],
  ])("%s refuses a giant (case %#)", async (name, result) => {
    const reads: Readonly<Record<string, () => Promise<unknown>>> = {
      Solana: async () =>
        createSolanaRpc({ urls: [url], timeoutMs, clock: systemClock }).endpoints[0]?.write(
          "getSlot",
          [],
          z.unknown(),
        ),
      Starknet: async () => {
        const rpc = createStarknetRpc({
          urls: [url],
          chainId: "SN_SEPOLIA",
          timeoutMs,
          clock: systemClock,
        })
        const [first] = await rpc.askAll(({ write }) =>
          write("starknet_blockNumber", [], z.unknown()),
        )
        throw first?.ok === false ? first.error : new Error("it answered")
      },
      doctor: () => createRpcCall(url, createAsk(timeoutMs))("getSlot", []),
    }
    const error = await refusalOf(rpcAnswer(result), reads[name] ?? (() => Promise.resolve()))
    const code = { Solana: "solana.nonsense", Starknet: "starknet.nonsense" }[name]
    expect(error).toMatchObject(
      code === undefined ? { cause: { name: "GiantJson" } } : { code, disposition: "transient" },
    )
  })

  test("Bitcoin refuses a giant", async () => {
    const endpoint = createEndpoint({
      url,
      timeoutMs,
      clock: systemClock,
      attempts: 1,
      restMs: 0,
      genesis: null,
    })
    const refused = { code: "bitcoin.esplora_answer" }
    const short = NUMERAL.slice(0, 900_000)
    expect(await refusalOf(short, () => endpoint.fetchHead())).toMatchObject(refused)
    expect(await refusalOf(`{"1":${short}}`, () => endpoint.fetchFeeEstimates())).toMatchObject(
      refused,
    )
    const large = await refusalOf(NUMERAL, () => endpoint.fetchHead())
    expect(large).toMatchObject({ message: expect.stringContaining("larger than 1048576 bytes") })
  })

  test("the service's answers and prices refuse a giant", () => {
    const before = process.cpuUsage()
    expect(() => parseWireJson(`{"amount":${NUMERAL}}`)).toThrow(
      "a number of more than 128 characters",
    )
    const source = { path: "price", timePath: null, maxAgeMs: 1 }
    for (const price of [NUMERAL, TEXT])
      expect(() => parsePriceAnswer(`{"price":${price}}`, source, 0)).toThrow()
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(MOST_MS)
  })
})

test("doctor refuses a block's giant height on Bitcoin", async () => {
  const ask = async (asked: Address): Promise<string> => {
    if (urlOf(asked).endsWith("/blocks")) return `[{"id":"${HASH}","height":${NUMERAL}}]`
    return urlOf(asked).endsWith("/tip/height") ? NUMERAL : HASH
  }
  // CAST: the probe reads the network alone.
  const chain = { network: "regtest" } as Parameters<typeof bitcoinDoctor.readTip>[0]
  await expect(bitcoinDoctor.readTip(chain, url, ask)).rejects.toThrow("expected number")
})

const HASH = "00".repeat(32)
