import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import {
  FEE_MEMORY_MS,
  hourlyFees,
  isFeeDue,
  LEAST_PATIENCE_MS,
  rankFee,
  rankToAccept,
} from "#policy/schedule/fee-timing.ts"
import { findFeeWait } from "#policy/schedule/fee-waits.ts"
import { readFees, timeFees } from "../../../bench/treasurer/fees.ts"
import { A, B } from "./sample-plan.ts"

const HOUR_MS = 3_600_000
const CSV = join(import.meta.dirname, "../../fixtures/fees/bitcoin-2020-2022.csv")
const LATELY = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]

test("the deadline accepts any fee, and the less time is left the more is accepted", () => {
  const highest = (hours: number): number =>
    Math.max(
      ...LATELY.filter((fee) =>
        isFeeDue(rankFee({ fee, lately: LATELY, leftMs: hours * HOUR_MS })),
      ),
    )
  expect([0, 12, 24, 36, 72].map(highest)).toEqual([11, 6, 4, 4, 2])
})

test("without a memory an order goes at once", () => {
  expect(isFeeDue(rankFee({ fee: 5, lately: [5], leftMs: 72 * HOUR_MS }))).toBe(true)
})

test("a rank counts the lower fees, all fees, and the half days that are left", () => {
  const rank = (fee: number, hours: number) =>
    rankFee({ fee, lately: [3, 1, 3, 5], leftMs: hours * HOUR_MS })
  expect(rank(3, 30)).toEqual({ below: 1, of: 4, chances: 3 })
  expect(rank(6, 29)).toEqual({ below: 4, of: 4, chances: 2 })
  expect(rank(1, -40)).toEqual({ below: 0, of: 4, chances: 0 })
  expect([0, 1, 2].map(rankToAccept)).toEqual([1, 0.5, 0.375])
  expect([FEE_MEMORY_MS, LEAST_PATIENCE_MS]).toEqual([168 * HOUR_MS, 12 * HOUR_MS])
})

describe("the fees of the hours of a week", () => {
  const NOW = 1_000 * HOUR_MS
  const at = (hoursAgo: number, value: bigint | null) => ({ atMs: NOW - hoursAgo * HOUR_MS, value })

  test.each<readonly [string, readonly ReturnType<typeof at>[], number]>([
    ["no reading", [], 0],
    ["a reading before the week", [at(400, 5n)], 167],
    ["a reading at the first hour", [at(167, 5n)], 167],
    ["a reading a moment later", [at(166.9, 5n)], 166],
    ["24 hours", [at(24, 5n)], 24],
    ["a moment less than 24 hours", [at(23.9, 5n)], 0],
    ["failed reads alone", [at(400, null), at(30, null)], 0],
  ])("after %s are %#", (_what, readings, count) => {
    expect(hourlyFees(readings, NOW)).toEqual(Array.from({ length: count }, () => 5n))
  })

  test("are those of the last reading at each hour, whatever failed between them", () => {
    const fees = hourlyFees([at(30, 5n), at(20, null), at(10.5, 7n), at(10, 8n), at(2, 9n)], NOW)
    expect(fees).toEqual([...Array(20).fill(5n), ...Array(8).fill(8n), 9n, 9n])
  })
})

test("a sale waits with the ranks of its fee and of the one that it accepts", () => {
  const fee = { rule: "r", occurrence: null, asset: A, below: 2, of: 4, chances: 1, untilMs: 0 }
  const sale = { rule: "r", occurrence: null, asset: A }
  expect(findFeeWait({ assets: [], pairs: [], fees: [fee] }, sale)).toMatchObject({
    code: "policy.fee_wait",
    rank: "66%",
    accepts: "50%",
    until: "1970-01-01T00:00:00.000Z",
  })
  const alone = { ...fee, below: 1, of: 1, chances: 2 }
  const waits = (one: typeof fee, of = sale) =>
    findFeeWait({ assets: [], pairs: [], fees: [one] }, of)?.["rank"] ?? null
  expect(waits(alone)).toBe("100%")
  expect(waits({ ...fee, below: 1, of: 3 })).toBeNull()
  expect(waits(fee, { ...sale, rule: "s" })).toBeNull()
  expect(waits(fee, { ...sale, asset: B })).toBeNull()
  expect(findFeeWait({ assets: [], pairs: [] }, sale)).toBeNull()
})

describe("on real estimates of Bitcoin fees", () => {
  const samples = readFees(readFileSync(CSV, "utf8"))
  // The half year before has no whole week before its first order.
  const years = [
    { name: "2020 and 2021", fromMs: Date.UTC(2020, 6, 1), untilMs: Date.UTC(2022, 0, 1) },
    { name: "2022", fromMs: Date.UTC(2022, 0, 1), untilMs: Date.UTC(2023, 0, 1) },
  ]
  test.each(
    years.flatMap((span) =>
      [
        { hours: 24, least: 0.35 },
        { hours: 48, least: 0.4 },
        { hours: 72, least: 0.4 },
      ].map((deadline) => ({ ...span, ...deadline })),
    ),
  )("$hours h of $name save $least of the clairvoyant's saving", ({ hours, least, ...span }) => {
    const { orders, atOnce, paid, clairvoyant, missed } = timeFees(samples, hours * HOUR_MS, span)
    expect(orders).toBeGreaterThan(700)
    expect(missed).toBe(0)
    expect((atOnce - paid) / (atOnce - clairvoyant)).toBeGreaterThan(least)
  })
})
