import { isPaused } from "#engine/admission.ts"
import type { EngineContext } from "#engine/context.ts"
import { ruleKindOf, type TimedRule } from "#policy/rules/registry.ts"
import { type Decimals, viewDecision } from "./view-decision.ts"

/** A rule as it is configured, what it came to last, and when it is looked at next. */
export function viewRule(
  context: EngineContext,
  rule: TimedRule,
  nextMs: number | null,
  decimals: Decimals,
): Record<string, unknown> {
  const [last] = context.journal.listDecisions({ rule: rule.id, limit: 1 })
  const view = last === undefined ? null : viewDecision(last, decimals)
  return {
    ...rule,
    enabled: rule.enabled !== false,
    paused: isPaused(context, rule.id, ruleKindOf(rule).soldAsset(rule)),
    last:
      view === null
        ? null
        : {
            decision: view.id,
            at: view.at,
            lastAt: view.lastAt,
            times: view.times,
            verdict: view.verdict,
            reasons: view.reasons,
            orders: view.orders,
          },
    next: nextMs === null || !Number.isFinite(nextMs) ? null : new Date(nextMs).toISOString(),
  }
}
