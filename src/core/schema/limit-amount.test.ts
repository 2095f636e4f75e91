import fc from "fast-check"
import { expect, test } from "vitest"
import { nearestName } from "#lib/nearest-name.ts"
import { formatDuration, parseDuration } from "./duration.ts"
import { parseLimitAmount, unitsRoundedDown } from "./limit-amount.ts"

test("durations have one unit", () => {
  expect(["500ms", "30s", "1m", "6h", "7d"].map(parseDuration)).toEqual([
    500, 30_000, 60_000, 21_600_000, 604_800_000,
  ])
  expect(
    ["", "5", "1w", "1h30m", "-1s", "1.5h", " 1s", "999999999999d"].map(parseDuration),
  ).toEqual(Array(8).fill(null))
})

test("durations round-trip", () => {
  fc.assert(
    fc.property(fc.nat({ max: 10 ** 12 }), (ms) => parseDuration(formatDuration(ms)) === ms),
  )
})

test("amounts are exact", () => {
  expect(parseLimitAmount("0.40 usd")).toEqual({ kind: "fiat", fiat: 400_000n })
  expect(parseLimitAmount("25000 USD")).toEqual({ kind: "fiat", fiat: 25_000_000_000n })
  expect(parseLimitAmount("10%")).toEqual({ kind: "share", bps: 1_000n })
  expect(parseLimitAmount("33.33%")).toEqual({ kind: "share", bps: 3_333n })
  expect(parseLimitAmount("60bps")).toEqual({ kind: "share", bps: 60n })
  expect(parseLimitAmount("0.01")).toEqual({ kind: "own", text: "0.01" })
  const bad = [
    "",
    "1e3",
    "-1",
    "1,5",
    ".5",
    "5.",
    "0.0000001 usd",
    "1.5bps",
    "1.234%",
    "5 eur",
    "0x10",
    "1 000",
  ]
  expect(bad.map(parseLimitAmount)).toEqual(bad.map(() => null))
})

test("a limit in an asset's own unit is rounded down, never up", () => {
  expect(unitsRoundedDown("0.0123456789", 8)).toBe(1_234_567n)
  expect(unitsRoundedDown("5", 0)).toBe(5n)
})

test("a misspelt name finds the nearest one, and an unrelated name finds none", () => {
  expect(nearestName("maxOrder", ["max_cost", "max_order"])).toBe("max_order")
  expect(nearestName("gaurds", ["guards", "rules"])).toBe("guards")
  expect(nearestName("elephant", ["guards", "rules"])).toBe(null)
})
