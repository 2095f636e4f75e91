import { describe, expect, test } from "vitest"
import { evaluate } from "#policy/evaluate.ts"
import type { BandRule } from "#policy/rules/band/band-rule.ts"
import { findAsset, positionUnits, type TreasuryView } from "#policy/treasury-view.ts"
import { arrive } from "../../fixtures/policy/arrive.ts"
import { A, assetOf, B, bandOf, C, FIAT, type Id, LIMITS, pairOf } from "./sample-plan.ts"

/** One unit of A or C is worth seven units of B, so no order brings B exactly 20. */
const coarse = (id: Id, units: bigint) => ({ ...assetOf(id, units), priceFiat: 7n * FIAT })

function viewOf(units: Readonly<Partial<Record<Id, bigint>>>): TreasuryView {
  const assets = [coarse(A, units[A] ?? 0n), coarse(C, units[C] ?? 0n), assetOf(B, units[B] ?? 0n)]
  return { assets, pairs: [pairOf(A, B), pairOf(C, B)] }
}

function planTwice(view: TreasuryView, rules: readonly BandRule[]) {
  const { proposals, declined } = evaluate(view, rules, LIMITS)
  const after = arrive(view, proposals)
  const balance = findAsset(after, B)?.balance
  return {
    sold: proposals.map(({ from, units }) => [from, units]),
    held: balance?.readable ? positionUnits(balance) : null,
    codes: declined.map(({ rule, reasons }) => [rule, ...reasons.map(({ code }) => code)]),
    next: evaluate(after, rules, LIMITS).proposals,
  }
}

describe("an order in whole units of its source", () => {
  const drain = bandOf("a", A, [0n, 0n, 0n], { sinks: [B] })

  test("does not bring a partner above its max", () => {
    const plan = planTwice(viewOf({ [A]: 9n, [B]: 80n }), [drain, bandOf("b", B, [0n, 100n, 100n])])
    expect(plan.sold).toEqual([[A, 2n]])
    expect(plan.held).toBe(94n)
    expect(plan.codes).toEqual([
      ["b", "policy.target_satisfied"],
      ["a", "policy.partial", "policy.no_room"],
    ])
  })

  test("does not refill an asset above its max, and the rule says why a part is missing", () => {
    const refill = bandOf("b", B, [100n, 100n, 100n], { sources: [A] })
    const plan = planTwice(viewOf({ [A]: 9n, [B]: 80n }), [refill])
    expect(plan.sold).toEqual([[A, 2n]])
    expect(plan.held).toBe(94n)
    expect(plan.codes).toEqual([["b", "policy.partial", "policy.no_room"]])
    expect(plan.next).toEqual([])
  })

  test("rounds up where max has room, so that the need is met", () => {
    const refill = bandOf("b", B, [100n, 100n, 101n], { sources: [A] })
    const plan = planTwice(viewOf({ [A]: 9n, [B]: 80n }), [refill])
    expect(plan.sold).toEqual([[A, 3n]])
    expect(plan.held).toBe(101n)
    expect(plan.codes).toEqual([])
    expect(plan.next).toEqual([])
  })

  test("does not bring an asset above its max together with the orders of other sources", () => {
    const refill = bandOf("b", B, [100n, 100n, 100n], { sources: [A, C] })
    const both = [drain, bandOf("c", C, [0n, 0n, 0n], { sinks: [B] }), refill]
    const plan = planTwice(viewOf({ [A]: 2n, [B]: 80n, [C]: 2n }), both)
    expect(plan.held).toBe(94n)
    expect(plan.next).toEqual([])
  })
})
