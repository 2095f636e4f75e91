import { describe, expect, test } from "vitest"
import type { Journal } from "#ports/journal.ts"
import { ciRuns, ciSample } from "../../support/ci-sample.ts"
import { type LimitsRun, runLimits } from "./limits-run.ts"

/** All of them are more than two thousand rounds of requests, outcomes and restarts. */
const SEEDS = ciRuns(30, 2)
const ROUNDS = 70
/** Enough to find a planted bug. */
const PLANTED_SEEDS = 24

describe("no limit is ever exceeded", { timeout: 400_000 }, () => {
  test("with simultaneous requests, all outcomes and restarts", async () => {
    const runs: LimitsRun[] = []
    for (let seed = 1; seed <= SEEDS; seed++) {
      const run = await runLimits(seed, ROUNDS)
      expect(run.breaches, `seed ${seed}`).toEqual([])
      runs.push(run)
    }
    const total = (pick: (run: LimitsRun) => ReadonlyMap<string, number>, key: string): number =>
      runs.reduce((sum, run) => sum + (pick(run).get(key) ?? 0), 0)
    const met = ["", "_rule", "_pair", "_chain", "_service"].map((of) => `limit.in_flight${of}`)
    const limits = [
      ...met,
      "limit.order",
      "limit.window",
      "limit.window_count",
      "limit.window_fees",
      "limit.cooldown",
    ]
    for (const code of [...limits, "funds.insufficient"])
      expect(
        total(({ refusals }) => refusals, code),
        code,
      ).toBeGreaterThan(0)
    for (const end of ["completed", "refunded", "rejected", "abandoned"]) {
      expect(
        total(({ ends }) => ends, end),
        end,
      ).toBeGreaterThan(SEEDS * 3)
    }
    expect(runs.reduce((sum, { accepted }) => sum + accepted, 0)).toBeGreaterThan(SEEDS * 50)
  })

  const planted: readonly [string, (journal: Journal) => Journal][] = [
    ["a limit is checked against old counts", staleCounts],
    [
      "a window ends a moment early",
      (journal) => ({
        ...journal,
        sumWindow: (sinceMs, unitsOf, except) =>
          journal.sumWindow(sinceMs + 45 * 60_000, unitsOf, except),
      }),
    ],
    [
      "orders in flight do not count in windows",
      (journal) => ({
        ...journal,
        sumWindow: (sinceMs, unitsOf, except) => {
          const sum = journal.sumWindow(sinceMs, unitsOf, except)
          const open = journal.listOrders({ limit: 1_000, open: true })
          return {
            ...sum,
            fiat: sum.fiat - open.reduce((all, { sourceFiat }) => all + (sourceFiat ?? 0n), 0n),
          }
        },
      }),
    ],
    [
      "one more order may be in flight",
      (journal) => ({ ...journal, countInFlight: (of) => journal.countInFlight(of) - 1 }),
    ],
    [
      "one more order may be with one service",
      (journal) => ({
        ...journal,
        countInFlight: (of) =>
          journal.countInFlight(of) - (of !== undefined && "service" in of ? 1 : 0),
      }),
    ],
    [
      "an order of two rules counts for its first one only",
      (journal) => ({
        ...journal,
        openOrder: (order, ...rest) => journal.openOrder({ ...order, secondRule: null }, ...rest),
      }),
    ],
    [
      "network fees are not reserved",
      (journal) => ({ ...journal, sumReservedFees: () => -1_000n }),
    ],
    ["committed coins are committed again", (journal) => ({ ...journal, sumCommitted: () => 0n })],
  ]

  test.each(ciSample(planted, 2))("the reference counts find that %s", async (_name, plant) => {
    for (let seed = 1; seed <= PLANTED_SEEDS; seed++) {
      const { breaches } = await runLimits(seed, ROUNDS, plant)
      if (breaches.length > 0) return
    }
    expect.unreachable("no breach was found")
  })
})

/** Serves each count three times, so that orders admitted in between do not count. */
function staleCounts(journal: Journal): Journal {
  const known = new Map<string, { value: number; asked: number }>()
  const countInFlight: Journal["countInFlight"] = (of) => {
    const key = JSON.stringify(of ?? "all")
    const old = known.get(key)
    if (old !== undefined && old.asked < 3) {
      old.asked += 1
      return old.value
    }
    const value = journal.countInFlight(of)
    known.set(key, { value, asked: 0 })
    return value
  }
  return { ...journal, countInFlight }
}
