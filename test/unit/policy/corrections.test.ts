import { describe, expect, test } from "vitest"
import { CORRECTIONS_MS, drainFiat, findCorrections, oneSidedBps } from "#policy/corrections.ts"
import type { Corrections } from "#policy/treasury-view.ts"
import { A, B, viewOf } from "./sample-plan.ts"

const DAY_MS = 86_400_000
const of = (orders: number, inFiat: bigint, outFiat: bigint): Corrections => {
  return { rule: "r", asset: A, overMs: 7 * DAY_MS, orders, inFiat, outFiat }
}

test("corrections are summed over a week", () => {
  expect(CORRECTIONS_MS).toBe(604_800_000)
})

test("corrections are those of the rule and the asset", () => {
  const own = of(2, 1n, 0n)
  const view = {
    ...viewOf({ [A]: 0n }),
    corrections: [{ ...own, rule: "s" }, { ...own, asset: B }, own],
  }
  expect(findCorrections(view, "r", A)).toBe(own)
  expect(findCorrections(view, "t", A)).toBeNull()
  expect(findCorrections(viewOf({ [A]: 0n }), "r", A)).toBeNull()
})

describe.each<readonly [string, Corrections | null, bigint, bigint, bigint]>([
  // What came in and went out; one-sided for a gain and a loss; the drain of a day.
  ["none", null, 0n, 0n, 0n],
  ["no order", of(0, 700n, 0n), 0n, 0n, 0n],
  ["a single order", of(1, 700n, 0n), 0n, 0n, 0n],
  ["two orders in", of(2, 700n, 0n), 10_000n, 0n, 100n],
  ["two orders out", of(2, 0n, 700n), 0n, 10_000n, 0n],
  ["as much in as out", of(9, 700n, 700n), 0n, 0n, 0n],
  ["three of four in", of(4, 2_100n, 700n), 5_000n, 0n, 200n],
  ["three of four out", of(4, 700n, 2_100n), 0n, 5_000n, 0n],
  ["a little more in", of(4, 8n, 1n), 7_777n, 0n, 1n],
  ["orders of no value", of(4, 0n, 0n), 0n, 0n, 0n],
])("after %s", (_what, corrections, gain, lose, drained) => {
  test("a balance is as one-sided as they are", () => {
    expect(oneSidedBps(corrections, "gain")).toBe(gain)
    expect(oneSidedBps(corrections, "lose")).toBe(lose)
  })

  test("a balance loses in a day what they brought in it", () => {
    expect(drainFiat(corrections, DAY_MS)).toBe(drained)
    expect(drainFiat(corrections, 7 * DAY_MS)).toBe(drained === 1n ? 7n : 7n * drained)
    expect(drainFiat(corrections, 0)).toBe(0n)
  })
})
