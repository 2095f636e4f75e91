import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { setImmediate as nextTurn } from "node:timers/promises"
import { afterAll, beforeEach, expect, test } from "vitest"
import { createEsplora } from "#chains/bitcoin/esplora.ts"
import { GENESIS } from "#chains/bitcoin/nodes/genesis.ts"
import { fetchAgreement as fetchBitcoinAgreement } from "#chains/bitcoin/nodes/reference.ts"
import { fetchAgreement as fetchEvmAgreement } from "#chains/evm/nodes/agree.ts"
import { createRpc as createEvmRpc } from "#chains/evm/rpc.ts"
import {
  createEndpoints,
  fetchAgreement as fetchSolanaAgreement,
} from "#chains/solana/nodes/endpoints.ts"
import { createRpc as createSolanaRpc } from "#chains/solana/rpc.ts"
import { fetchAgreement as fetchStarknetAgreement } from "#chains/starknet/nodes/compare-views.ts"
import { createRpc as createStarknetRpc } from "#chains/starknet/rpc.ts"
import type { Config } from "#config/config.ts"
import { parseConfig } from "#config/load.ts"
import { createHealthWatch } from "#daemon/watch/health-watch.ts"
import { createServiceCalls } from "#daemon/watch/service-calls.ts"
import type { Reason } from "#domain/reason.ts"
import { createMemory } from "#engine/memory.ts"
import { createAgreementWatch } from "#engine/watches/agreement-watch.ts"
import { createRounds } from "#engine/watches/watch.ts"
import type { Clock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"

type Call = { readonly method?: string }

const START: Readonly<Record<string, number>> = { evm: 3, starknet: 4, solana: 3, bitcoin: 4 }
const MINUTE_MS = 60_000
const HASH = "ab".repeat(32)
const BEGIN_MS = Date.parse("2026-03-04T13:00:00Z")
let nowMs = BEGIN_MS
let blocksEachMinute = 0
let asked: string[] = []
let isDead = false
let slowMs = 0
let raised: string[] = []

/** One node of each family with a newest block that is always new. */
const server = createServer((request, response) => {
  void text(request).then((body) => {
    const url = request.url ?? ""
    // CAST: a JSON-RPC request, or nothing.
    const { method = url.replace(/^\/bitcoin\/[ab]/, "") } = JSON.parse(body || "{}") as Call
    const [, family, name] = url.split("/")
    asked.push(`${family}/${name} ${method}`)
    const result = ANSWERS[method]?.()
    if (url === "/evm/a") nowMs += slowMs
    response.statusCode = isDead ? 503 : 200
    const answer = { jsonrpc: "2.0", id: 1, result }
    response.end(url.startsWith("/bitcoin") ? result : JSON.stringify(answer))
  })
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
afterAll(() => void server.close())
// CAST: a server of TCP.
const { port } = server.address() as { port: number }

const seconds = (): number => Math.floor(nowMs / 1_000)
const ANSWERS: Readonly<Record<string, () => unknown>> = {
  eth_chainId: () => "0x14a34",
  eth_getBlockByNumber: () => ({
    number: "0x10",
    hash: `0x${HASH}`,
    transactions: [],
    timestamp: `0x${seconds().toString(16)}`,
  }),
  starknet_chainId: () => `0x${Buffer.from("SN_SEPOLIA").toString("hex")}`,
  starknet_blockHashAndNumber: () => ({ block_number: 5, block_hash: "0x5" }),
  starknet_getBlockWithTxHashes: () => ({
    block_number: 5,
    block_hash: "0x5",
    timestamp: seconds(),
  }),
  getGenesisHash: () => "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
  getSlot: () => 9,
  getBlockTime: seconds,
  "/block-height/0": () => GENESIS.testnet4,
  "/block-height/105": () => HASH,
  "/blocks": () => JSON.stringify(listBlocks()),
}

/** Bitcoin's ten newest blocks, of which so many are found in each minute. */
function listBlocks() {
  const minutes = (nowMs - BEGIN_MS) / MINUTE_MS
  const tip = 107 + Math.floor(minutes * blocksEachMinute)
  return Array.from({ length: blocksEachMinute === 0 ? 1 : 10 }, (_, below) => {
    const height = tip - below
    const id = blocksEachMinute === 0 ? HASH : height.toString(16).padStart(64, "0")
    return { id, height, timestamp: seconds() }
  })
}

const NAMES = ["a", "b"]
const addressesOf = (family: string): readonly string[] => [
  `http://127.0.0.1:${port}/${family}/a`,
  `http://localhost:${port}/${family}/b`,
]
const urlsOf = (family: string): string => JSON.stringify(addressesOf(family))

const config = parseConfig(
  `{ service: { url: "http://127.0.0.1:1", app_id: x }, data_dir: ./d, assets: {}, rules: [],
     chains: {
       base_sepolia: { family: evm, chain_id: 84532, rpc: ${urlsOf("evm")},
           key: "env:NONE" },
       bitcoin_testnet: { family: bitcoin, network: testnet4,
           esplora: ${urlsOf("bitcoin")}, key: "env:NONE" },
       starknet_sepolia: { family: starknet, account: "0x1", key: "env:NONE",
           rpc: ${urlsOf("starknet")}, chain_id: SN_SEPOLIA },
       solana_devnet: { family: solana, rpc: ${urlsOf("solana")},
           key: "env:NONE" } } }`,
  { file: "test.yaml", secrets: (reference) => new Secret("", reference) },
)

/** The ports, with nothing but the question of the engine that no order asks. */
function portsAt(clock: Clock) {
  const shared = { clock, timeoutMs: 5_000, needed: 2, agree: 2 }
  const evm = createEvmRpc({
    ...shared,
    urls: addressesOf("evm"),
    chainId: 84_532,
    fastestBlockMs: 1_000,
  })
  const bitcoin = createEsplora({
    ...shared,
    endpoints: addressesOf("bitcoin"),
    genesis: GENESIS.testnet4,
  })
  const settled = new Map()
  const starknet = createStarknetRpc({
    ...shared,
    urls: addressesOf("starknet"),
    chainId: "SN_SEPOLIA",
  })
  const solana = createEndpoints(
    createSolanaRpc({ ...shared, urls: addressesOf("solana") }),
    2,
    clock,
  )
  const asks = {
    base_sepolia: () => fetchEvmAgreement(evm),
    bitcoin_testnet: () => fetchBitcoinAgreement(bitcoin, settled),
    starknet_sepolia: () => fetchStarknetAgreement(starknet),
    solana_devnet: () => fetchSolanaAgreement(solana, "finalized"),
  }
  return new Map(
    Object.entries(asks).map(([chain, fetchAgreement]) => [chain, { chain, fetchAgreement }]),
  )
}

/** The requests of the daemon's own watch within this time. */
async function requestsWithin(
  ms: number,
  inFlight = 0,
  isAlone = false,
): Promise<Readonly<Record<string, number>>> {
  const untilMs = nowMs + ms
  const stopping = new AbortController()
  const clock: Clock = {
    now: () => nowMs,
    sleep: async (pauseMs, signal) => {
      if (pauseMs < 10_000) return signal === undefined ? undefined : new Promise(() => undefined)
      for (let passedMs = 0; passedMs < pauseMs; passedMs += 5_000) {
        nowMs += 5_000
        rounds.poll()
        await rounds.idle()
      }
      if (nowMs >= untilMs) stopping.abort()
      await nextTurn()
    },
  }
  const flags = new Map<string, string>()
  const journal = {
    readFlag: (key: string) => flags.get(key) ?? null,
    writeFlag: (key: string, value: string) => void flags.set(key, value),
    raiseAlert: (_atMs: number, { code, endpoint }: Reason) =>
      void raised.push(`${code} ${String(endpoint)}`),
    countInFlight: () => inFlight,
  }
  // CAST: the watch asks for the agreement of the chains, and its alarms are not read here.
  const context = { journal, clock, log: silentLogger, chains: portsAt(clock) } as never
  const memory = { lateReads: new Map() }
  const agreement = createAgreementWatch(Object.assign(context, { memory }))
  const rounds = createRounds({ clock, log: silentLogger }, [agreement.watch], () => undefined)
  rounds.poll()
  await rounds.idle()
  const watch = createHealthWatch({
    memory: createMemory(),
    // CAST: a daemon has a service; this test counts requests to nodes only.
    config: () => ({ ...config, services: [] }) as unknown as Config,
    // CAST: the watch uses four methods of the journal, and no price of this test.
    journal: journal as never,
    prices: () => ({ fetchPrices: async () => new Map() }) as never,
    calls: createServiceCalls(clock.now),
    signer: undefined,
    accountOf: () => null,
    tips: isAlone ? () => [] : agreement.list,
    clock,
    log: silentLogger,
  })
  await watch.run(stopping.signal)
  return Object.fromEntries(
    [...Map.groupBy(asked, (one) => one.split(" ")[0] ?? "")].map(([key, all]) => [
      key,
      all.length,
    ]),
  )
}

beforeEach(() => {
  asked = []
  isDead = false
  slowMs = 0
  raised = []
  blocksEachMinute = 0
})

test("a daemon with nothing to do asks each node twice a minute", async () => {
  const counts = await requestsWithin(5 * MINUTE_MS)
  for (const family of ["evm", "starknet", "solana", "bitcoin"])
    for (const name of NAMES) {
      // At the start the port and the health watch each ask for the network and the newest block.
      expect([family, counts[`${family}/${name}`]]).toEqual([family, 11 + (START[family] ?? 0)])
    }
  const later = asked.slice(-40).map((one) => one.split(" ")[1])
  expect(new Set(later)).toEqual(
    new Set(["eth_getBlockByNumber", "starknet_blockHashAndNumber", "getSlot", "/blocks"]),
  )
})

test.each([
  ["as fast as on test networks", 3, 0],
  ["faster than a list of ten shows", 40, 1],
])("blocks of Bitcoin that come %s", async (_how, blocks, checks) => {
  blocksEachMinute = blocks
  await requestsWithin(MINUTE_MS)
  asked = []
  const counts = await requestsWithin(5 * MINUTE_MS)
  const rounds = asked.filter((one) => one === "bitcoin/a /blocks").length
  expect(rounds).toBeLessThanOrEqual(12)
  // At the start of each watch the network is asked for once more.
  const others = (counts["bitcoin/a"] ?? 0) - rounds - 2
  expect(others).toBe(checks * (rounds - 2))
})

test("without a look of the ports the health watch asks by itself", async () => {
  const before = await requestsWithin(4 * MINUTE_MS)
  asked = []
  const alone = await requestsWithin(4 * MINUTE_MS, 0, true)
  expect((alone["evm/a"] ?? 0) - (before["evm/a"] ?? 0)).toBeGreaterThanOrEqual(10)
})

test("while an order is in flight, the tips of its ports are signs of life too", async () => {
  expect(await requestsWithin(MINUTE_MS, 1)).toMatchObject({ "evm/a": 3 + 4, "solana/b": 3 + 4 })
})

test("a node that fails is asked after as often as configured", async () => {
  isDead = true
  // Each probe begins with the network again, and the port asks too.
  const counts = await requestsWithin(MINUTE_MS)
  for (const family of ["evm", "starknet", "solana"])
    expect(counts[`${family}/a`]).toBeGreaterThanOrEqual(6)
})

test("a node that needs 2.3 s for each answer is slow", async () => {
  slowMs = 2_300
  await requestsWithin(3 * MINUTE_MS, 1, true)
  expect(raised).toContain(`node.slow 127.0.0.1:${port}`)
})

test("a node is asked for its network once an hour", async () => {
  await requestsWithin(62 * MINUTE_MS)
  const networks = asked.filter((one) => /chainId|getGenesisHash|block-height\/0/.test(one))
  // Twice by the health watch, and once by each port that knows its network.
  expect(networks).toHaveLength(NAMES.length * (4 * 2 + 3))
})
