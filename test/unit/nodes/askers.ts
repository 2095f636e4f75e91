import { createServer, type IncomingMessage } from "node:http"
import { z } from "zod"
import { createSender } from "#alerts/send-message.ts"
import { bitcoinDoctor } from "#chains/bitcoin/doctor.ts"
import { createEndpoint as createEsploraEndpoint } from "#chains/bitcoin/nodes/endpoint.ts"
import { evmDoctor } from "#chains/evm/doctor.ts"
import { createEndpoint as createEvmEndpoint } from "#chains/evm/nodes/endpoint.ts"
import { solanaDoctor } from "#chains/solana/doctor.ts"
import { createRpc as createSolanaRpc } from "#chains/solana/rpc.ts"
import { starknetDoctor } from "#chains/starknet/doctor.ts"
import { createRpc as createStarknetRpc } from "#chains/starknet/rpc.ts"
import { parseAssetId } from "#domain/asset.ts"
import type { Clock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import { type Address, headersOf, urlOf } from "#nodes/address.ts"
import { createAsk } from "#nodes/create-ask.ts"
import type { Paces } from "#nodes/paces.ts"
import { createPrices } from "#prices/create-prices.ts"
import { createServiceClient } from "#service/client.ts"
import { listen, stopServer } from "../../support/listen.ts"
import { SLOWNESS } from "../../support/slowness.ts"

/** One read of each client, at an address. */
export type Asker = (at: Address, world: World) => Promise<unknown>

type World = { readonly clock: Clock; readonly paces: Paces }

/** How long each client waits for an answer. */
export const timeoutMs = 2_000 * SLOWNESS

export const FAMILIES: Readonly<Record<string, Asker>> = {
  bitcoin: (url, world) => {
    const tries = { attempts: 3, restMs: 0, genesis: null }
    return createEsploraEndpoint({ url, timeoutMs, ...tries, ...world }).fetchHead()
  },
  evm: (at, world) =>
    createEvmEndpoint(at, { chainId: 8453, timeoutMs, ...world }).ask((client) =>
      client.getBlockNumber(),
    ),
  solana: (at, world) =>
    createSolanaRpc({ urls: [at], timeoutMs, ...world }).read("getSlot", [], z.int()),
  "solana with two endpoints": (at, world) =>
    createSolanaRpc({ urls: [at, at], timeoutMs, ...world }).read("getSlot", [], z.int()),
  starknet: (at, world) => {
    const rpc = createStarknetRpc({ urls: [at], chainId: "SN_MAIN", timeoutMs, ...world })
    return Promise.all(rpc.nodes.map((node) => node.read("starknet_blockNumber", [], z.int())))
  },
}

const DOCTORS = {
  bitcoin: bitcoinDoctor,
  evm: evmDoctor,
  solana: solanaDoctor,
  starknet: starknetDoctor,
}
/** What a probe reads of its chain. */
const CHAIN = { chainId: 8453, network: "mainnet", genesisHash: null }

/** `doctor` and the health watch. */
export const PROBES: Readonly<Record<string, Asker>> = Object.fromEntries(
  Object.entries(DOCTORS).map(([family, { readTip }]): [string, Asker] => [
    `the probe of ${family}`,
    (at, { clock, paces }) =>
      // CAST: each probe reads only the fields of `CHAIN`.
      readTip(CHAIN as never, at, createAsk(timeoutMs, clock, paces)),
  ]),
)

const ASSET = parseAssetId("base:usdc")

export const OTHERS: Readonly<Record<string, Asker>> = {
  service: (at, { clock, paces }) =>
    createServiceClient({
      baseUrl: urlOf(at),
      headers: headersOf(at),
      appId: "",
      appIdHeader: "x-app",
      pathPrefix: "",
      timeoutMs,
      maxRequestsPerSecond: 100,
      orderExtras: false,
      depositReaders: [],
      clock,
      paces,
    }).listChains(),
  price: async (at, { clock, paces }) => {
    const source = { kind: "json", asset: ASSET, url: at, path: "price", timePath: null } as const
    const sources = [{ ...source, maxAgeMs: 60_000 }]
    return createPrices({ sources, maxSpreadBps: 100n, timeoutMs, clock, paces }).fetchPrice(ASSET)
  },
  webhook: async (at, { clock, paces }) => {
    const headers = Object.entries(headersOf(at)).map(([name, value]) => [name, secret(value)])
    const place = { url: secret(urlOf(at)), headers: Object.fromEntries(headers) }
    const receiver = { kind: "webhook", key: null, events: [], ...place } as const
    const levels = { name: "desk", least: "attention", tellsEnd: true } as const
    const about = { treasury: "main", atMs: 0, notes: [], dashboard: null }
    const message = { id: "1", reason: "test", ...about } as const
    const sent = await createSender(clock, paces)({ ...receiver, ...levels }, message)
    if (!sent.ok) throw new Error(sent.error)
    return sent
  },
}

function secret(value: string): Secret {
  return new Secret(value, "a test")
}

const hex = (text: string): string => `0x${Buffer.from(text).toString("hex")}`
const HASH = "ab".repeat(32)
const nowS = Math.floor(Date.now() / 1_000)
const RESULTS: Readonly<Record<string, unknown>> = {
  eth_chainId: "0x2105",
  eth_blockNumber: "0x10",
  eth_getBlockByNumber: {
    number: "0x10",
    hash: `0x${"ab".repeat(32)}`,
    transactions: [],
    timestamp: `0x${nowS.toString(16)}`,
  },
  getSlot: 16,
  getGenesisHash: "genesis",
  getBlockTime: nowS,
  starknet_chainId: hex("SN_MAIN"),
  starknet_blockNumber: 16,
  starknet_blockHashAndNumber: { block_number: 16, block_hash: "0x10" },
  starknet_getBlockWithTxHashes: { block_number: 16, block_hash: "0x10", timestamp: nowS },
}

/** Answers every client: JSON-RPC to a POST of it, Esplora, prices and lists to a GET. */
export function answerOf(path: string, body: string, over: Readonly<Record<string, unknown>> = {}) {
  if (body.includes('"jsonrpc"')) {
    // CAST: the clients' own requests.
    const asked = JSON.parse(body) as Call | readonly Call[]
    const one = ({ id, method }: Call) => ({ jsonrpc: "2.0", id, result: RESULTS[method], ...over })
    return JSON.stringify(Array.isArray(asked) ? asked.map(one) : one(asked as Call))
  }
  if (path.endsWith("/blocks/tip/height")) return "16"
  if (path.includes("/block-height/") || path.endsWith("/tip/hash")) return HASH
  if (path.includes("/block/")) return JSON.stringify({ height: 16, timestamp: nowS })
  return JSON.stringify({ status: "Ok", result: [], price: "1.5" })
}

type Call = { readonly id: number; readonly method: string }

export type Reply = { status?: number; headers?: Record<string, string>; body: string }
export type Seen = { readonly url: string; readonly headers: IncomingMessage["headers"] }

/** A server that notes the requests. `null`: it never answers. */
export async function serve(reply: (path: string, body: string) => Reply | null) {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    seen.push({ url: request.url ?? "", headers: request.headers })
    const found = reply(request.url ?? "", Buffer.concat(chunks).toString())
    if (found === null) return
    response.writeHead(found.status ?? 200, found.headers ?? {}).end(found.body)
  })
  const { port } = await listen(server)
  const stop = () => stopServer(server)
  return { host: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}`, seen, stop }
}

/** Why a client has no answer; throws where it has one. */
export async function failureOf(
  asked: Promise<unknown>,
): Promise<Error & { readonly details?: unknown }> {
  try {
    await asked
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error("the client has an answer")
}
