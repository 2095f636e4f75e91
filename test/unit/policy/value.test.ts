import { describe, expect, test } from "vitest"
import { evaluate } from "#policy/evaluate.ts"
import { findScheduleProblem } from "#policy/schedule/find-schedule-problem.ts"
import { fiatOfValue, unitsOfValue, VALUE_PER_FIAT, valueOfUnits } from "#policy/value.ts"
import { A, assetOf, bandOf, FIAT, LIMITS, viewOf } from "./sample-plan.ts"

/** A price of one and a half millionths, and parts of 10^-12 of a millionth. */
const priced = (decimals: number, priceParts?: bigint) => {
  return { ...assetOf(A, 0n), decimals, ...(priceParts === undefined ? {} : { priceParts }) }
}
const HALF = 5n * 10n ** 11n

describe("the value of an amount", () => {
  test.each([
    [0, undefined, 3n, 2n, 6n * VALUE_PER_FIAT],
    [0, 0n, 3n, 2n, 6n * VALUE_PER_FIAT],
    [0, HALF, 1n, 2n, 3n * VALUE_PER_FIAT],
    [2, HALF, 1n, 100n, (3n * VALUE_PER_FIAT) / 2n],
    [18, undefined, 1n, 1n, 1n],
    [19, undefined, 1n, 9n, 0n],
  ])(
    "with %i decimals counts the price and its parts (%#)",
    (decimals, parts, price, units, value) => {
      expect(valueOfUnits(priced(decimals, parts), price, units)).toBe(value)
    },
  )

  test.each([
    [0n, 0n, 0n],
    [1n, 1n, 0n],
    [VALUE_PER_FIAT, 1n, 1n],
    [VALUE_PER_FIAT + 1n, 2n, 1n],
    [2n * VALUE_PER_FIAT - 1n, 2n, 1n],
  ])("of %s is so many units, rounded up or down", (value, up, down) => {
    expect(unitsOfValue(priced(0), 1n, value, "up")).toBe(up)
    expect(unitsOfValue(priced(0), 1n, value, "down")).toBe(down)
    expect([fiatOfValue(value, "up"), fiatOfValue(value, "down")]).toEqual([up, down])
  })
})

test.each([
  ["gain", 0n, "names no sources"],
  ["lose", 9n, "names no sinks"],
])("a need to %s without partners says which list is empty", (_kind, held, told) => {
  const view = viewOf({ [A]: held * FIAT })
  const { declined } = evaluate(view, [bandOf("band", A, [1n, 2n, 3n])], LIMITS)
  expect(declined[0]?.reasons[0]?.message).toContain(told)
})

test.each([
  ["0 9 * * *", true],
  ["30 0 9 * * MON", true],
  ["0 9 * *", false],
  ["0 9 * * * * *", false],
  ["H 9 * * *", false],
  ["0 9 * * H", false],
  ["0 9 31 2 *", false],
  ["@daily", true],
  ["@never", false],
])("the schedule %s can be used: %s", (schedule, usable) => {
  expect(findScheduleProblem(schedule) === null).toBe(usable)
})
