import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createBitcoinChain } from "#chains/bitcoin/create-chain.ts"
import { createEvmChain } from "#chains/evm/create-chain.ts"
import { createSolanaChain } from "#chains/solana/create-chain.ts"
import { createStarknetChain } from "#chains/starknet/create-chain.ts"
import { type Asset, type AssetId, parseAssetId, toChainId } from "#domain/asset.ts"
import type { Clock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import { sampleOptions as bitcoinOptions } from "../../chains/bitcoin/sample-order.ts"
import { sampleOptions as evmOptions } from "../../chains/evm/sample-order.ts"
import { listen, stopServer } from "../../support/listen.ts"
import { onlyCodedLater } from "../../support/only-coded.ts"
import { BITCOIN_TXID, NODE_ANSWERS } from "./node-answers.ts"

/** A real clock without pauses between two tries. */
const clock: Clock = { now: () => Date.now(), sleep: async () => undefined }
const HASH = "5f".repeat(32)

const VALUES = [
  null,
  true,
  0,
  -1,
  1.5,
  1e21,
  2 ** 53,
  "",
  "0x",
  "0x0",
  "0x01",
  "0xg",
  "-0x1",
  " 0x1",
  "١",
  "9".repeat(90),
  `0x${"f".repeat(64)}`,
  `0x${"f".repeat(5_000)}`,
  [],
  {},
  [[]],
  { value: null },
  ["0x1"],
]
const value = fc.oneof(fc.constantFrom<unknown>(...VALUES), fc.jsonValue({ maxDepth: 2 }))
const envelope = fc.oneof(
  value.map((result) => JSON.stringify({ jsonrpc: "2.0", id: 1, result })),
  value.map((error) => JSON.stringify({ jsonrpc: "2.0", id: 1, error })),
  fc
    .tuple(fc.integer(), fc.string())
    .map(([code, message]) => JSON.stringify({ jsonrpc: "2.0", error: { code, message } })),
  value.map((bare) => String(JSON.stringify(bare))),
  fc.string(),
  fc.constantFrom(
    "",
    "<html>",
    "[".repeat(50_000),
    '{"jsonrpc":"2.0","id":1,"result":',
    "null",
    "[]",
  ),
)

/** `null` gives the honest answer of `NODE_ANSWERS`. */
type Answer = (asked: string) => { readonly status: number; readonly text: string } | null

const FAMILIES = ["bitcoin", "evm", "solana", "starknet"] as const

describe.for(FAMILIES)("a %s node with bad answers", (family) => {
  let server: Server
  let port: ChainPort
  let answer: Answer = () => null
  const honest = NODE_ANSWERS[family]
  const asset = parseAssetId(
    {
      bitcoin: "bitcoin_testnet:btc",
      evm: "base_sepolia:wbtc",
      solana: "solana_testnet:sol",
      starknet: "starknet_sepolia:wbtc",
    }[family],
  )
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const text = Buffer.concat(chunks).toString()
      // Esplora identifies a request by its path, the other nodes by its method.
      const name =
        family === "bitcoin"
          ? nameOf(request.url ?? "")
          : (JSON.parse(text) as { method: string }).method
      const own = answer(name)
      const found = honest[name] ?? null
      const plain = family === "bitcoin" ? found : { jsonrpc: "2.0", id: 1, result: found }
      response.writeHead(own?.status ?? 200, { "content-type": "application/json" })
      response.end(own?.text ?? JSON.stringify(plain))
    })
    await listen(server)
    // CAST: a server that listens on TCP has an AddressInfo.
    port = openPort(family, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
  afterAll(() => stopServer(server))

  const reads = fc.constantFrom(
    "height",
    "balance",
    "native",
    "fees",
    "approval",
    "source",
    "destination",
  )

  async function read(what: string): Promise<void> {
    const result = await onlyCodedLater(
      () => readOne(port, asset, what),
      new RegExp(`^(${family}|chain|fees|node)\\.`),
    )
    if (!result.ok) expect(["transient", "hold", "refused"]).toContain(result.error.disposition)
  }

  test("is read correctly while it is honest", async () => {
    answer = () => null
    for (const what of ["height", "balance", "fees", "source", "destination"])
      await readOne(port, asset, what)
  })

  test("causes only coded errors, and no slow read, if every answer is bad", async () => {
    await fc.assert(
      fc.asyncProperty(
        reads,
        envelope,
        fc.constantFrom(200, 200, 200, 404, 500),
        async (what, text, status) => {
          answer = () => ({ status, text })
          await read(what)
        },
      ),
      { numRuns: 100 },
    )
  })

  test("causes only coded errors, and no slow read, if one value of one answer is replaced", async () => {
    const places = Object.entries(honest).flatMap(([name, body]) =>
      listPlaces(body).map((place) => ({ name, place })),
    )
    await fc.assert(
      fc.asyncProperty(
        reads,
        fc.constantFrom(...places),
        value,
        async (what, { name, place }, replacement) => {
          const body = replaceAt(honest[name], place, replacement)
          const text = JSON.stringify(
            family === "bitcoin" ? body : { jsonrpc: "2.0", id: 1, result: body },
          )
          answer = (asked) => (asked === name ? { status: 200, text } : null)
          await read(what)
        },
      ),
      { numRuns: 200 },
    )
  })
})

function readOne(port: ChainPort, asset: AssetId, what: string): Promise<unknown> {
  switch (what) {
    case "height":
      return port.fetchHeight()
    case "balance":
      return port.fetchBalance(asset, new Set())
    case "native":
      return port.native?.fetchNativeBalance() ?? Promise.resolve()
    case "fees":
      return port.estimateFees(asset)
    case "approval":
      return port.findMissingApproval(asset, `0x${"22".repeat(20)}`, 5n)
    default:
      return port.observeLeg(queryOf(port, asset, what === "source" ? "source" : "destination"))
  }
}

function queryOf(port: ChainPort, asset: AssetId, side: "source" | "destination"): LegQuery {
  const hints = { bitcoin: BITCOIN_TXID, solana: "5".repeat(88), starknet: HASH.slice(2) }
  const hint = Object.entries(hints).find(([family]) => family === port.family)?.[1] ?? HASH
  const parties = { owner: port.account, initiator: port.account, redeemer: port.account }
  const terms = { secretHash: HASH, units: 1_000n, timelock: 144n, fromHeight: 0n }
  return {
    side,
    asset,
    htlc: null,
    ...parties,
    ...terms,
    hints: { initiateTx: hint, redeemTx: hint, refundTx: null },
  }
}

function openPort(family: (typeof FAMILIES)[number], url: string): ChainPort {
  switch (family) {
    case "bitcoin":
      return createBitcoinChain({ ...bitcoinOptions([url]), clock })
    case "evm":
      return createEvmChain({ ...evmOptions([url]), clock })
    case "solana": {
      const chain = toChainId("solana_testnet")
      const key = new Secret(JSON.stringify(SOLANA_KEY), "env:SOLANA_KEY")
      const limits = {
        commitment: "confirmed",
        confirmations: 1,
        maxPriorityFeeMicroLamports: 1_000n,
      } as const
      const assets = [
        assetOf("solana_testnet:sol", 9, null, ["6eksgdCnSjUaGQWZ6iYvauv1qzvYPF33RTGTM1ZuyENx"]),
      ]
      return createSolanaChain({
        chain,
        rpc: [url],
        key,
        ...limits,
        timeoutMs: 1_000,
        assets,
        clock,
      })
    }
    case "starknet": {
      const chain = toChainId("starknet_sepolia")
      const key = new Secret("0x1234", "env:STARKNET_KEY")
      const assets = [assetOf("starknet_sepolia:wbtc", 8, "0x5555", ["0x6666"])]
      const limits = { confirmations: 1, maxFeeUnits: 10n ** 18n, timeoutMs: 1_000 }
      return createStarknetChain({
        chain,
        chainId: "SN_SEPOLIA",
        rpc: [url],
        account: "0x1234",
        key,
        ...limits,
        assets,
        clock,
      })
    }
  }
}

/** A key pair without an owner: the zero seed and its public key. */
const SOLANA_KEY = [
  ...Array.from({ length: 32 }, () => 0),
  ...Buffer.from("3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29", "hex"),
]

function assetOf(
  id: string,
  decimals: number,
  token: string | null,
  htlc: readonly string[],
): Asset {
  const parsed = parseAssetId(id)
  return { id: parsed, chain: toChainId(id.split(":")[0] ?? ""), decimals, token, htlc }
}

/** `/address/…/utxo` → `address/utxo`, without the id in the path. */
function nameOf(path: string): string {
  const [, what = "", , more = ""] = path.split("/")
  return what === "blocks" || what === "block-height" || what === "fee-estimates"
    ? path.slice(1)
    : more === ""
      ? what
      : `${what}/${more}`
}

type Place = readonly (string | number)[]

function listPlaces(node: unknown, path: Place = []): Place[] {
  if (typeof node !== "object" || node === null) return [path]
  return [path, ...Object.entries(node).flatMap(([key, item]) => listPlaces(item, [...path, key]))]
}

function replaceAt(node: unknown, [key, ...rest]: Place, replacement: unknown): unknown {
  if (key === undefined) return replacement
  if (Array.isArray(node))
    return node.map((item, at) => (String(at) === key ? replaceAt(item, rest, replacement) : item))
  const entries = Object.entries(node ?? {})
  return Object.fromEntries(
    entries.map(([name, item]) => [name, name === key ? replaceAt(item, rest, replacement) : item]),
  )
}
