import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { setImmediate as nextTurn } from "node:timers/promises"
import { afterAll, beforeEach, expect, test } from "vitest"
import { GENESIS } from "#chains/bitcoin/nodes/genesis.ts"
import type { Config } from "#config/config.ts"
import { parseConfig } from "#config/load.ts"
import { createHealthWatch } from "#daemon/watch/health-watch.ts"
import { createServiceCalls } from "#daemon/watch/service-calls.ts"
import type { Clock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"

const MINUTE_MS = 60_000
const HASH = "ab".repeat(32)
let nowMs = Date.parse("2026-03-04T13:00:00Z")
let asked: string[] = []
let isDead = false

/** One node of each family with a newest block that is always new. */
const server = createServer((request, response) => {
  void text(request).then((body) => {
    const url = request.url ?? ""
    // CAST: a JSON-RPC request, or nothing.
    const { method = url } = JSON.parse(body || "{}") as { method?: string }
    asked.push(`${url.split("/")[1]} ${method}`)
    const result = ANSWERS[method]?.()
    response.statusCode = isDead ? 503 : 200
    response.end(url.startsWith("/bitcoin") ? result : JSON.stringify({ result }))
  })
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
afterAll(() => void server.close())
// CAST: a server of TCP.
const { port } = server.address() as { port: number }

const seconds = (): number => Math.floor(nowMs / 1_000)
const ANSWERS: Readonly<Record<string, () => unknown>> = {
  eth_chainId: () => "0x14a34",
  eth_getBlockByNumber: () => ({ number: "0x10", timestamp: `0x${seconds().toString(16)}` }),
  starknet_chainId: () => `0x${Buffer.from("SN_SEPOLIA").toString("hex")}`,
  starknet_getBlockWithTxHashes: () => ({ block_number: 5, timestamp: seconds() }),
  getGenesisHash: () => "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
  getSlot: () => 9,
  getBlockTime: seconds,
  "/bitcoin/block-height/0": () => GENESIS.testnet4,
  "/bitcoin/blocks/tip/hash": () => HASH,
  [`/bitcoin/block/${HASH}`]: () => JSON.stringify({ height: 7, timestamp: seconds() }),
}

const config = parseConfig(
  `{ service: { url: "http://127.0.0.1:1", app_id: x }, data_dir: ./d, assets: {}, rules: [],
     chains: {
       base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://127.0.0.1:${port}/evm"],
           key: "env:NONE" },
       bitcoin_testnet: { family: bitcoin, network: testnet4,
           esplora: ["http://127.0.0.1:${port}/bitcoin"], key: "env:NONE" },
       starknet_sepolia: { family: starknet, account: "0x1", key: "env:NONE",
           rpc: ["http://127.0.0.1:${port}/starknet"], chain_id: SN_SEPOLIA },
       solana_devnet: { family: solana, rpc: ["http://127.0.0.1:${port}/solana"],
           key: "env:NONE" } } }`,
  { file: "test.yaml", secrets: (reference) => new Secret("", reference) },
)

/** The requests of the daemon's own watch within this time. */
async function requestsWithin(ms: number, inFlight = 0): Promise<Readonly<Record<string, number>>> {
  const untilMs = nowMs + ms
  const stopping = new AbortController()
  const clock: Clock = {
    now: () => nowMs,
    sleep: async (pauseMs, signal) => {
      if (pauseMs < 10_000) return signal === undefined ? undefined : new Promise(() => undefined)
      nowMs += pauseMs
      if (nowMs >= untilMs) stopping.abort()
      await nextTurn()
    },
  }
  const flags = new Map<string, string>()
  const journal = {
    readFlag: (key: string) => flags.get(key) ?? null,
    writeFlag: (key: string, value: string) => void flags.set(key, value),
    raiseAlert: () => undefined,
    countInFlight: () => inFlight,
  }
  const watch = createHealthWatch({
    // CAST: a daemon has a service; this test counts requests to nodes only.
    config: () => ({ ...config, services: [] }) as unknown as Config,
    // CAST: the watch uses four methods of the journal, and no price of this test.
    journal: journal as never,
    prices: () => ({ fetchPrices: async () => new Map() }) as never,
    calls: createServiceCalls(clock.now),
    signer: undefined,
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
})

test("a daemon with nothing to do asks a node for its newest block three times a minute", async () => {
  expect(await requestsWithin(4 * MINUTE_MS)).toEqual({
    evm: 1 + 12,
    starknet: 1 + 12,
    bitcoin: 1 + 2 * 12,
    solana: 1 + 2 * 12,
  })
})

test("an order in flight, or a node that fails, is asked after as often as configured", async () => {
  expect(await requestsWithin(MINUTE_MS, 1)).toMatchObject({ evm: 1 + 6 })
  asked = []
  isDead = true
  // Each probe begins with the network again.
  expect(await requestsWithin(MINUTE_MS)).toMatchObject({ evm: 6, starknet: 6, solana: 6 })
})

test("a node is asked for its network once an hour", async () => {
  await requestsWithin(150 * MINUTE_MS)
  const networks = asked.filter((one) => /chainId|getGenesisHash|block-height\/0/.test(one))
  expect(networks).toHaveLength(4 * 3)
})
