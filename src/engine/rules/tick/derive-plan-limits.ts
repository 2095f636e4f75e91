import { isDeepStrictEqual } from "node:util"
import { type DueRule, findNeeds, listDuePairs } from "#policy/evaluate.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import type { PolicyRule } from "#policy/rules/registry.ts"
import type { TreasuryView } from "#policy/treasury-view.ts"
import { type NeededPair, neededPairs } from "./plan-limits.ts"

/**
 * The limits of a plan, read for every pair that its needs list.
 *
 * An occurrence that the limits refuse is not in flight for the needs of the other rules. So the
 * limits decide the needs, and the pairs of the needs decide which limits are read: the fees of one
 * more pair can refuse an occurrence that the limits before accepted, and then other rules have
 * needs. The pairs grow until the needs list no new one. They end, because all rules together list
 * a fixed number of pairs.
 *
 * The generator hands the pairs to its caller, which answers with their limits: from the journal
 * and the chains, or from a backtest.
 */
export function* derivePlanLimits(
  view: TreasuryView,
  rules: readonly PolicyRule[],
  due: readonly DueRule[],
): Generator<readonly NeededPair[], PlanLimits, PlanLimits> {
  const scheduled = listDuePairs(rules, due)
  let pairs: readonly NeededPair[] = scheduled
  let limits = yield pairs
  for (;;) {
    const needed = neededPairs(findNeeds(view, rules, limits, due))
    const fresh = needed.filter((pair) => !pairs.some((one) => isDeepStrictEqual(one, pair)))
    if (fresh.length === 0) return limits
    pairs = [...pairs, ...fresh]
    limits = yield pairs
    // Limits change the needs only through occurrences.
    if (scheduled.length === 0) return limits
  }
}
