import { describe, expect, test } from "vitest"
import { evaluate } from "#policy/evaluate.ts"
import type { Need } from "#policy/need.ts"
import type { BlockedNeed } from "#policy/planner/find-routes.ts"
import { findStep } from "#policy/planner/give-way.ts"
import type { PolicyRule } from "#policy/rules/registry.ts"
import type { SweepRule } from "#policy/rules/sweep/sweep-rule.ts"
import type { WeightsRule } from "#policy/rules/weights/weights-rule.ts"
import type { TreasuryView } from "#policy/treasury-view.ts"
import { A, B, bandOf, C, D, FIAT, type Id, LIMITS, pairOf, share, viewOf } from "./sample-plan.ts"

const sweep = (id: string, from: Id, to: Id, over: Partial<SweepRule> = {}): SweepRule => ({
  id,
  kind: "sweep",
  from,
  to,
  keepUnits: 0n,
  ...over,
})

function linesOf(view: TreasuryView, rules: readonly PolicyRule[]): string[] {
  return evaluate(view, rules, LIMITS).proposals.map(
    ({ rules: [rule], from, to, units }) => `${rule} ${from} ${to} ${units}`,
  )
}

describe("rules that wait for each other", () => {
  const there = sweep("there", A, B)
  const back = sweep("back", B, A)
  const view = viewOf({ [A]: 1_000n, [B]: 5n })

  test("do not both stand still: the first one gets its order", () => {
    expect(linesOf(view, [there, back])).toEqual([`there ${A} ${B} 1000`])
    expect(linesOf(view, [back, there])).toEqual([`back ${B} ${A} 5`])
    expect(linesOf(view, [there, { ...back, priority: 1 }])).toEqual([`back ${B} ${A} 5`])
  })

  test("do so also when their assets have a need of a later rule", () => {
    const mix: WeightsRule = {
      id: "mix",
      kind: "weights",
      toleranceBps: 500n,
      weights: [
        { asset: A, bps: 9_000n },
        { asset: C, bps: 1_000n },
      ],
    }
    const around = viewOf({ [A]: 1_000n, [B]: 5n, [C]: 0n })
    const pairs = around.pairs.filter(({ from, to }) => from !== C && to !== C)
    expect(linesOf({ ...around, pairs }, [there, back, mix])).toEqual([`there ${A} ${B} 1000`])
  })

  test("are no reason for a third rule to wait", () => {
    const full = bandOf("full", D, [0n, 100n, 200n], { sinks: [A] })
    expect(linesOf(viewOf({ [A]: 1_000n, [B]: 5n, [D]: 900n }), [back, full, there])).toEqual([
      `back ${B} ${A} 5`,
      `full ${D} ${A} 800`,
    ])
  })
})

test("a need that nothing can meet does not bound the order of another rule on the same asset", () => {
  // The weights would sell 200 of A, and B has no room for them. The band needs an order of at
  // least 400 to stay below its ceiling.
  const mix: WeightsRule = {
    id: "mix",
    kind: "weights",
    toleranceBps: 500n,
    weights: [
      { asset: A, bps: 4_000n },
      { asset: B, bps: 6_000n },
    ],
  }
  const full = bandOf("full", B, [0n, 450n, 500n])
  const low = bandOf("low", C, [300n, 350n, 900n], { sources: [A], maxCost: share(50n) })
  const view = viewOf({ [A]: 600n, [B]: 500n, [C]: 0n })
  const pairs = view.pairs.map(({ from, to }) =>
    pairOf(from, to, from === A && to === C ? { fixedFeeFiat: 2n * FIAT } : {}),
  )
  expect(linesOf({ ...view, pairs }, [low])).toEqual([`low ${A} ${C} 400`])
  expect(linesOf({ ...view, pairs }, [full, mix, low])).toEqual([`low ${A} ${C} 400`])
})

describe("the next step of a plan", () => {
  const need = (rule: string, asset: Id, partner: Id): Need => ({
    rule,
    asset,
    kind: "lose",
    to: "target",
    wantUnits: 9n,
    mostUnits: 9n,
    leastUnits: 1n,
    maxCost: null,
    partners: [{ asset: partner, destination: null, mostUnits: null }],
    why: { code: "policy.sweep", message: rule },
  })
  const there = need("there", A, B)
  const back = need("back", B, A)
  const blocks = (one: Need, other: Need): BlockedNeed => ({ need: one, reason: one.why, other })
  const none = { blocked: [], refused: [], yielded: [], hasRoute: () => true }

  test("is none where no need without an order has a route", () => {
    expect(findStep({ ...none, undone: [there, back], hasRoute: () => false })).toBeNull()
    expect(findStep({ ...none, undone: [there] })).toBeNull()
  })

  test("takes out a need that hinders another in vain, before any need gives way", () => {
    const step = findStep({ ...none, undone: [there, back], blocked: [blocks(back, there)] })
    expect(step).toEqual({ idle: [there], back: [], yielded: [] })
  })

  test("returns its turn to a need that gave way in vain", () => {
    const yielded = [{ to: there, need: back }]
    expect(findStep({ ...none, undone: [there], yielded })).toEqual({
      idle: [there],
      back: [back],
      yielded: [],
    })
    expect(findStep({ ...none, undone: [], yielded })).toBeNull()
  })

  test("leaves the asset of a need without an order to a later one", () => {
    const later = { need: need("later", A, C) }
    expect(findStep({ ...none, undone: [there], refused: [later] })).toEqual({
      idle: [there],
      back: [],
      yielded: [],
    })
  })
})
