import { expect, test } from "vitest"
import { fitDays } from "#backtest/fit-days.ts"

const ASKED = { days: 30, seeds: 5 }

test.each([
  ["fast rules run as long as asked", 10, ASKED],
  ["slow ones for fewer days", 1_000, { days: 2, seeds: 5 }],
  ["very slow ones with fewer runs", 6_000, { days: 1, seeds: 2 }],
  ["hopeless ones for one day", 60_000, { days: 1, seeds: 1 }],
])("%s", (_, msPerDay, expected) => {
  expect(fitDays(ASKED, 30_000, (days) => days * msPerDay)).toEqual(expected)
})

test("a slow first day does not shorten the others", () => {
  const tried: number[] = []
  const fitted = fitDays(ASKED, 30_000, (days) => {
    tried.push(days)
    return 400 + days * 10
  })
  expect(fitted).toEqual(ASKED)
  expect(tried).toEqual([1, 2, 4, 8])
})
