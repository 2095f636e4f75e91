import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chainOf } from "#domain/asset.ts"
import { createEngine } from "#engine/engine.ts"
import { type JournalOptions, openJournal } from "#journal/sqlite-journal.ts"
import { systemClock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { createFakeChain } from "../test/support/fake-chain.ts"
import { createFakeLedger } from "../test/support/fake-ledger.ts"
import { createFakeService } from "../test/support/fake-service.ts"
import { ASSETS, BTC, defaultSettings, ETH } from "../test/support/fake-world.ts"

/**
 * Orders a second of the real engine with its journal on disk. Chains and service are fakes that answer at once and act every 20 ms.
 *
 *     npm run bench:orders -- [orders] [at once] [step|turn]
 *
 * The first line has one commit for each step, the second one commit for the steps of a turn of the event loop (ADR 24). The time includes the
 * engine's own waits. `BENCH_DIR` chooses the disk.
 */
const COUNT = Number(process.argv[2] ?? 256)
const AT_ONCE = Number(process.argv[3] ?? 64)

const GROUPED: JournalOptions = {
  group: { schedule: setImmediate, onFailure: (error) => console.error(error) },
}
const MODES: readonly (readonly [string, JournalOptions])[] = [
  ["step", {}],
  ["turn", GROUPED],
]
for (const [name, options] of MODES)
  if (process.argv[4] === undefined || process.argv[4] === name)
    console.log(`a commit for each ${name}:  ${await measure(options)}`)

async function measure(options: JournalOptions): Promise<string> {
  const evm = createFakeLedger("account", ETH, { balances: { [ETH]: 10n ** 12n }, outpoints: [] })
  const bitcoin = createFakeLedger("utxo", BTC, { balances: { [BTC]: 10n ** 12n }, outpoints: [] })
  const ledgers = new Map([
    [chainOf(ETH), evm],
    [chainOf(BTC), bitcoin],
  ])
  const service = createFakeService({ now: systemClock.now, ledgers, isToken: () => false })
  const directory = mkdtempSync(join(process.env["BENCH_DIR"] ?? tmpdir(), "bench-"))
  let commits = 0
  const journal = openJournal(join(directory, "journal.db"), { ...options, afterCommit: () => void commits++ })
  const ports = [...ledgers].map(
    ([chain, ledger]) =>
      [
        chain,
        createFakeChain({ chain, ledger, assets: ASSETS, confirmations: 1, signatures: [], codes: new Map() }),
      ] as const,
  )
  let ids = 0
  const settings = defaultSettings()
  const engine = createEngine({
    journal,
    services: new Map([["main", service.port]]),
    prices: { fetchPrice: async () => null },
    chains: new Map(ports),
    clock: systemClock,
    log: silentLogger,
    settings: { ...settings, limits: { ...settings.limits, maxInFlight: COUNT } },
    newOrderId: () => `order-${++ids}`,
    newNonce: () => String(ids),
  })
  const stopping = new AbortController()
  const ended = engine.run(stopping.signal)
  const world = setInterval(() => {
    service.act()
    for (const ledger of ledgers.values()) ledger.mine()
  }, 20)

  const submit = async (): Promise<void> => {
    const answer = await engine.submit({ from: ETH, to: BTC, sourceUnits: 10_000n })
    if (!answer.ok) throw new Error(JSON.stringify(answer.reasons))
  }
  const [startMs, cpu, bytes] = [performance.now(), process.cpuUsage(), readWrittenBytes()]
  for (let opened = 0; opened < COUNT || journal.countInFlight() > 0; ) {
    const free = Math.max(0, Math.min(AT_ONCE - journal.countInFlight(), COUNT - opened))
    await Promise.all(Array.from({ length: free }, submit))
    opened += free
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const seconds = (performance.now() - startMs) / 1000
  const { user, system } = process.cpuUsage(cpu)
  const written = readWrittenBytes() - bytes
  clearInterval(world)
  stopping.abort()
  await ended
  const completed = journal.listOrders({ limit: COUNT }).filter(({ state }) => state === "completed").length
  journal.close()
  rmSync(directory, { recursive: true })
  const each = (total: number): string => (total / COUNT).toFixed(1)
  return `${(COUNT / seconds).toFixed(0)} orders a second, ${each((user + system) / 1000)} ms of processor, ${each(commits)} commits and ${each(written / 1024)} KiB written an order (${completed} of ${COUNT} completed, ${AT_ONCE} at once)`
}

/** The bytes that the process has written, by the kernel's count. */
function readWrittenBytes(): number {
  return Number(/^wchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1])
}
