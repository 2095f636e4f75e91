import { describe, expect, test } from "vitest"
import { evaluate } from "#policy/evaluate.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import { A, B, bandOf, C, D, LIMITS, pairOf, usd, viewOf } from "./sample-plan.ts"

/** Ten thousand are missing, and each order of a thousand costs five. */
const view = viewOf({ [A]: 0n, [B]: 90_000n, [C]: 90_000n, [D]: 0n }, [
  pairOf(B, A, { bps: 50n }),
  pairOf(C, A, { bps: 50n }),
  pairOf(B, D, { bps: 50n }),
  pairOf(C, D, { bps: 50n }),
])
const float = bandOf("float", A, [10_000n, 10_000n, 30_000n], { sources: [B, C] })
const other = bandOf("other", D, [700n, 700n, 9_000n], { sources: [B, C] })
const bound: PlanLimits = { ...LIMITS, maxCost: usd(500n), bindSums: true }

function costsOf(limits: PlanLimits, rule: string, first = float): bigint[] {
  return evaluate(view, [first, other], limits)
    .proposals.filter(({ rules }) => rules.includes(rule))
    .map(({ costFiat }) => costFiat ?? 0n)
}
const sum = (costs: readonly bigint[]): bigint => costs.reduce((a, b) => a + b, 0n)

describe("a ceiling in fiat", () => {
  test("is not evaded by splitting: the orders of a need cost no more than it together", () => {
    expect(costsOf(bound, "float")).toHaveLength(1)
    expect(sum(costsOf(bound, "float"))).toBeGreaterThan(4_000_000n)
    expect(sum(costsOf(bound, "float"))).toBeLessThanOrEqual(5_000_000n)
  })

  test.each([
    // An order of 1 000 costs a fee of 1, a unit of rounding, and 1 for its locked money.
    [910n, 3],
    [610n, 2],
    [590n, 1],
    [310n, 1],
  ])("of %s cents allows %i orders, with their locked money", (cents, count) => {
    const risk = { refundPpm: 0n, lockPpb: 1_000_000n }
    const pairs = [B, C, D].map((from) => pairOf(from, A, { bps: 10n, risk, maxUnits: 1_000n }))
    const held = viewOf({ [A]: 0n, [B]: 1_000n, [C]: 1_000n, [D]: 1_000n }, pairs)
    const rule = bandOf("float", A, [3_000n, 3_000n, 9_000n], { sources: [B, C, D] })
    const limits = { ...bound, maxCost: usd(cents) }
    expect(evaluate(held, [rule], limits).proposals).toHaveLength(count)
  })

  test("leaves the places of the plan to other needs", () => {
    const few = { ...bound, maxOrders: 2 }
    const fromOne = { ...float, sources: [B] }
    expect(costsOf(few, "float", fromOne)).toHaveLength(1)
    expect(costsOf(few, "other", fromOne)).toHaveLength(1)
  })

  test("is the stated reason for the rest", () => {
    const { declined } = evaluate(view, [float], bound)
    expect(declined.flatMap(({ reasons }) => reasons.map(({ code }) => code))).toEqual([
      "policy.partial",
      "policy.too_dear",
      "policy.too_dear",
    ])
  })

  test("of a decision from before binds each order alone, so its replay is the same", () => {
    expect(costsOf({ ...LIMITS, maxCost: usd(500n) }, "float").length).toBeGreaterThan(1)
  })
})
