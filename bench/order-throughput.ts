import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chainOf } from "#domain/asset.ts"
import { createEngine } from "#engine/engine.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { systemClock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { createFakeChain } from "../test/support/fake-chain.ts"
import { createFakeLedger } from "../test/support/fake-ledger.ts"
import { createFakeService } from "../test/support/fake-service.ts"
import { ASSETS, BTC, defaultSettings, ETH } from "../test/support/fake-world.ts"

const COUNT = Number(process.argv[2] ?? 512)
const AT_ONCE = Number(process.argv[3] ?? 256)

const evm = createFakeLedger("account", ETH, { balances: { [ETH]: 1_000_000_000n }, outpoints: [] })
const bitcoin = createFakeLedger("utxo", BTC, { balances: { [BTC]: 1_000_000_000n }, outpoints: [] })
const ledgers = new Map([
  [chainOf(ETH), evm],
  [chainOf(BTC), bitcoin],
])
const service = createFakeService({ now: systemClock.now, ledgers, isToken: () => false })
const directory = mkdtempSync(join(process.env["BENCH_DIR"] ?? tmpdir(), "bench-"))
let commits = 0
const journal = openJournal(join(directory, "journal.db"), {
  afterCommit: () => void commits++,
  group: { schedule: setImmediate, onFailure: (error) => console.error(error) },
})
const chains = new Map(
  [...ledgers].map(([chain, ledger]) => [
    chain,
    createFakeChain({ chain, ledger, assets: ASSETS, confirmations: 1, signatures: [], codes: new Map() }),
  ]),
)
let ids = 0
const settings = defaultSettings({})
const engine = createEngine({
  journal,
  services: new Map([["main", service.port]]),
  prices: { fetchPrice: async () => null },
  chains,
  clock: systemClock,
  log: silentLogger,
  settings: {
    ...settings,
    limits: {
      ...settings.limits,
      maxInFlight: 100_000,
      maxInFlightPerRule: null,
      maxInFlightPerPair: null,
      maxInFlightPerChain: null,
    },
  },
  newOrderId: () => `order-${++ids}`,
  newNonce: () => String(ids * 7 + Math.floor(Math.random() * 1e12)),
})
const stopping = new AbortController()
const done = engine.run(stopping.signal)
const world = setInterval(() => {
  service.act()
  for (const ledger of ledgers.values()) ledger.mine()
}, 20)

const startMs = performance.now()
const cpu = process.cpuUsage()
let opened = 0
let refused = 0
for (;;) {
  const open = journal.countInFlight()
  if (opened === COUNT && open === 0) break
  for (let free = AT_ONCE - open; free > 0 && opened < COUNT; free--) {
    const answer = await engine.submit({ from: ETH, to: BTC, sourceUnits: 10_000n })
    if (!answer.ok) {
      refused++
      if (refused > 5) throw new Error(JSON.stringify(answer))
    } else opened++
  }
  await new Promise((resolve) => setTimeout(resolve, 5))
}
const seconds = (performance.now() - startMs) / 1000
const used = process.cpuUsage(cpu)
clearInterval(world)
stopping.abort()
await done
const states = new Map<string, number>()
for (const { state } of journal.listOrders({ limit: COUNT })) states.set(state, (states.get(state) ?? 0) + 1)
console.log(
  `${COUNT} orders, ${AT_ONCE} at once: ${(COUNT / seconds).toFixed(0)} a second, cpu ${((used.user + used.system) / 1000 / COUNT).toFixed(1)} ms an order, ${(commits / COUNT).toFixed(1)} commits an order, ${[...states].join(" ")}`,
)
journal.close()
rmSync(directory, { recursive: true })
