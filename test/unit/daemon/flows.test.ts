import { beforeEach, describe, expect, test } from "vitest"
import { ACCOUNTS } from "#books/accounts.ts"
import type { Config } from "#config/config.ts"
import { noteConfig } from "#daemon/money/past-bands.ts"
import { readFlows } from "#daemon/money/read-flows.ts"
import { readReport } from "#daemon/study/read-report.ts"
import { addUp } from "#daemon/views/view-books.ts"
import { formatUnits } from "#domain/amount.ts"
import { runAtOnce } from "#engine/rules/decide/steps.ts"
import type { OrdersFilter } from "#ports/journal/ledger.ts"
import { ASSETS, BTC, createWorld, ETH, type World } from "../../support/fake-world.ts"

// CAST: the flows need these parts of a configuration.
const CONFIG = {
  assets: ASSETS,
  chains: [],
  rules: [],
  services: [],
  routes: [],
  guards: { maxCost: { kind: "share", bps: 40n } },
  service: { name: "main" },
} as unknown as Config
const DAY = 24 * 3_600_000

let world: World
beforeEach(() => {
  world = createWorld()
})

async function swap(daemon: ReturnType<World["start"]>, from: typeof ETH, to: typeof ETH) {
  const { journal } = daemon.context
  await daemon.accept(from, to)
  await world.run(() => journal.countInFlight() === 0)
}

describe("the flows of a treasury", () => {
  test("have the sums of the books, in each way to group them", async () => {
    const daemon = world.start()
    const { journal } = daemon.context
    await swap(daemon, ETH, BTC)
    await swap(daemon, ETH, BTC)
    world.service.conduct.fills = world.service.conduct.takesSource = false
    await swap(daemon, ETH, BTC)
    const nowMs = world.clock.now()
    const flows = runAtOnce(readFlows({ journal, config: CONFIG, nowMs }, null))
    const books = addUp("", journal.sumBooks(nowMs - 7 * DAY, 8 * DAY))
    expect(flows.maxCostBps).toBe(40)
    expect(flows.total).toMatchObject({
      orders: 3,
      completed: 2,
      volumeFiat: books.volume,
      feesFiat: books.networkFees,
      costBps: books.costBps,
      unpriced: books.unpriced,
    })
    expect(Number(flows.total.costFiat)).toBeCloseTo(
      Number(books.swapCost) + Number(books.networkFees),
      9,
    )
    const reportOf = (filter: OrdersFilter): readonly unknown[] => {
      const period = { fromMs: 0, untilMs: nowMs }
      const { total } = readReport({ journal, config: CONFIG, nowMs }, period, "rule", filter)
      return [total.counts, total.volumeFiat]
    }
    const [newest] = journal.listOrders({})
    expect(reportOf({ from: ETH, to: BTC, text: "manual", state: "completed" })).toEqual([
      { completed: 2 },
      books.volume,
    ])
    expect(reportOf({ text: newest?.id ?? "" })).toEqual([{ refunded: 1 }, "0"])
    expect(reportOf({ from: BTC })).toEqual([{}, "0"])
    for (const lines of [flows.steps, flows.rules, flows.services, flows.pairs, flows.chains]) {
      const sum = (part: "orders" | "completed"): number =>
        lines.reduce((total, line) => total + line[part], 0)
      expect([sum("orders"), sum("completed")]).toEqual([3, 2])
    }
    expect(flows.chains).toMatchObject([{ from: ETH.split(":")[0], to: BTC.split(":")[0] }])
    const ended = journal.listOrders({}).filter(({ outcome }) => outcome === "completed")
    const spans = ended.map(({ createdAtMs, updatedAtMs }) => updatedAtMs - createdAtMs)
    expect(flows.total.medianMs).toBe(Math.min(...spans))
    expect(flows.marks.map(({ kind }) => kind).filter((kind) => kind !== "alarm")).toEqual(
      expect.arrayContaining(["out", "in", "out", "in", "out"]),
    )
  })

  test("split a time of two days in hours, a longer one in days, and go back 31 days at most", () => {
    const { journal } = world.start().context
    const nowMs = Date.UTC(2026, 5, 2, 12)
    const steps = (days: number): number =>
      runAtOnce(
        readFlows({ journal, config: CONFIG, nowMs }, new Date(nowMs - days * DAY).toISOString()),
      ).steps.length
    expect([steps(1), steps(7), steps(30), steps(400)]).toEqual([25, 8, 31, 32])
  })

  test("mark another configuration in force, not the first one", () => {
    const { journal } = world.start().context
    const nowMs = world.clock.now()
    for (const [index, mode] of (["observe", "live", "live"] as const).entries())
      noteConfig(journal, { ...CONFIG, mode }, nowMs - 10 + index)
    const at = new Date(nowMs - 9).toISOString()
    expect(runAtOnce(readFlows({ journal, config: CONFIG, nowMs }, null)).marks).toEqual([
      { at, kind: "configuration", asset: null, amount: null, order: null },
    ])
  })

  test("show outside money apart, at the price of its time", () => {
    const { journal } = world.start().context
    const nowMs = world.clock.now()
    const decimals = ASSETS.find(({ id }) => id === ETH)?.decimals ?? 0
    const book = (key: string, units: bigint, atMs: number): void => {
      const line = { asset: ETH, fiat: null }
      const postings = [
        { ...line, account: "assets:wallet:x", units },
        { ...line, account: ACCOUNTS.outside, units: -units },
      ]
      const entry = { key, kind: "outside" as const, tx: null, note: null, postings }
      journal.book({ reversedKeys: [], add: [entry] }, { orderId: null, atMs })
    }
    const one = 10n ** BigInt(decimals)
    journal.addSample({ series: `price/${ETH}`, atMs: nowMs - DAY, value: 2_000_000n })
    journal.addSample({ series: `price/${ETH}`, atMs: nowMs - 60_000, value: 9_000_000n })
    book("a", 3n * one, nowMs - DAY / 2)
    book("b", -one, nowMs - 1_000)
    const { outside, marks, total } = runAtOnce(readFlows({ journal, config: CONFIG, nowMs }, null))
    expect(outside).toEqual([{ asset: ETH, in: "3", out: "1", inFiat: "6", outFiat: "9" }])
    expect(total.orders).toBe(0)
    expect(marks).toMatchObject([
      { kind: "outside", asset: ETH, amount: formatUnits(3n * one, decimals) },
      { kind: "outside", asset: ETH, amount: "-1" },
    ])
  })
})
