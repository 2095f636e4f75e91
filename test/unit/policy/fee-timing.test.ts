import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { isFeeDue, rankFee } from "#policy/schedule/fee-timing.ts"
import { readFees, timeFees } from "../../../bench/treasurer/fees.ts"

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
