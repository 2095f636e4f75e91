import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { basisPoints, formatUnits, parseFiat, parseUnits } from "./amount.ts"

const units = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const decimals = fc.integer({ min: 0, max: 18 })

describe("an amount", () => {
  test("printed and read again is the same to the last unit, however large", () => {
    fc.assert(
      fc.property(
        units,
        decimals,
        (amount, places) => parseUnits(formatUnits(amount, places), places) === amount,
      ),
    )
  })

  test.each(["", "-1", "+1", "1e3", "1,5", "1.", ".5", "0x10", "1 2", "NaN", "Infinity", "١"])(
    "that is written %j is refused",
    (text) => {
      expect(() => parseUnits(text, 8)).toThrow(
        expect.objectContaining({ code: "domain.amount", disposition: "refused" }),
      )
    },
  )

  test("finer than its asset is refused, not rounded", () => {
    expect(() => parseUnits("0.000000001", 8)).toThrow(
      expect.objectContaining({ code: "domain.amount" }),
    )
    expect(parseUnits("0.00000001", 8)).toBe(1n)
  })
})

test("a fiat value is never understated", () => {
  expect(parseFiat("1.0000001")).toBe(1_000_001n)
  expect(parseFiat("1.0000000")).toBe(1_000_000n)
})

test("a cost in basis points is rounded up, so that a limit is met exactly or exceeded", () => {
  expect(basisPoints(60n, 10_000n)).toBe(60n)
  expect(basisPoints(600_001n, 100_000_000n)).toBe(61n)
  fc.assert(
    fc.property(units, fc.bigInt({ min: 1n, max: 2n ** 200n }), (lost, whole) => {
      const bps = basisPoints(lost, whole)
      return bps * whole >= lost * 10_000n && (bps - 1n) * whole < lost * 10_000n
    }),
  )
})
