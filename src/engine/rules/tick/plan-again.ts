import { countAsInFlight, type Proposal } from "#policy/evaluate.ts"
import type { BlockedPair } from "#policy/planner/limits.ts"
import { limitsAfter } from "#policy/planner/limits-after.ts"
import type { DecisionInputs, ProposalResult } from "./decision.ts"

/** Plans of one tick: each refusal of a pair leads to another plan without it. */
export const MAX_ROUNDS = 4

export type PlanInputs = Pick<DecisionInputs, "view" | "rules" | "limits" | "due">

/**
 * The inputs of another plan after refusals of admission: the accepted orders count as under way,
 * and the refused pairs are blocked for this tick. `null` when no proposal of a standing rule was
 * refused, or only because of observe mode.
 */
export function planAgain(
  { inputs: { view, rules, limits, due } }: { readonly inputs: PlanInputs },
  results: ReadonlyMap<Proposal, ProposalResult>,
): PlanInputs | null {
  const refused = [...results].flatMap(([{ from, to, occurrence }, result]): BlockedPair[] => {
    if (result === null || "order" in result || occurrence !== null) return []
    const reasons = result.refused.filter(({ code }) => code !== "mode.observe")
    return reasons.length === 0 ? [] : [{ from, to, rule: null, reasons }]
  })
  if (refused.length === 0) return null
  const accepted = [...results].flatMap(([proposal, result]) =>
    result !== null && "order" in result ? [proposal] : [],
  )
  const after = limitsAfter(limits, accepted, view)
  return {
    view: accepted.reduce(countAsInFlight, view),
    rules,
    limits: { ...after, blocked: [...(limits.blocked ?? []), ...refused] },
    due: due.filter(({ occurrence }) => occurrence === null),
  }
}
