import { expect, test } from "vitest"
import { derivePlanLimits } from "#engine/rules/tick/derive-plan-limits.ts"
import type { NeededPair } from "#engine/rules/tick/plan-limits.ts"
import { evaluate, isStanding } from "#policy/evaluate.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import type { PolicyRule } from "#policy/rules/registry.ts"
import { A, B, bandOf, C, D, LIMITS, viewOf } from "../../policy/sample-plan.ts"

const view = viewOf({ [A]: 0n, [B]: 0n, [C]: 20n, [D]: 50n })
const once: PolicyRule = {
  id: "once",
  kind: "recurring",
  schedule: "* * * * *",
  timezone: "UTC",
  catchUp: "skip",
  from: C,
  to: B,
  amount: { kind: "units", units: 20n },
}
const band = bandOf("band", B, [10n, 10n, 10n], { sources: [D], sinks: [A] })
const refused = { code: "limit.cooldown", message: "An order failed" }

/** Reads the limits as `limitsOf` states them, and lists the pairs that each reading got. */
function derive(
  rules: readonly PolicyRule[],
  limitsOf: (pairs: readonly NeededPair[]) => PlanLimits,
) {
  const due = rules.map((rule) => ({
    rule: rule.id,
    occurrence: isStanding(rule) ? null : "once@1",
  }))
  const read: string[][] = []
  const steps = derivePlanLimits(view, rules, due)
  let step = steps.next()
  while (!step.done) {
    read.push(step.value.map(({ rule, from, to }) => `${rule} ${from} ${to}`))
    step = steps.next(limitsOf(step.value))
  }
  return { read, plan: evaluate(view, rules, step.value, due) }
}

test("the limits cover the needs that an occurrence leaves which they refuse in the end", () => {
  // The occurrence brings B above its max. With the pair of that drain the limits refuse the
  // occurrence, and the band needs a refill.
  const { read, plan } = derive([once, band], (pairs) => {
    const drain = pairs.some(({ from }) => from === B)
    const refill = pairs.filter(({ from }) => from === D)
    const blocked = [
      ...(drain
        ? [{ from: C, to: B, rule: "once", reasons: [{ code: "policy.gas", message: "No fees" }] }]
        : []),
      ...refill.map(({ from, to, rule }) => ({ from, to, rule, reasons: [refused] })),
    ]
    return { ...LIMITS, blocked }
  })
  const scheduled = `once ${C} ${B}`
  const drain = `band ${B} ${A}`
  const refill = `band ${D} ${B}`
  expect(read).toEqual([[scheduled], [scheduled, drain], [scheduled, drain, refill]])
  expect(plan.proposals).toEqual([])
  expect(plan.declined).toMatchObject([
    { rule: "once", reasons: [{ code: "policy.gas" }] },
    { rule: "band", reasons: [refused] },
  ])
})

test("limits are read once for the needs where no occurrence is due", () => {
  const { read } = derive([band], () => LIMITS)
  expect(read).toEqual([[], [`band ${D} ${B}`]])
})
