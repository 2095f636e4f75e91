import type { EngineContext } from "#engine/context.ts"
import { isPaused } from "#engine/watches/pause.ts"
import type { Operations } from "#ops/operations.ts"
import { ruleKindOf, scheduleOf, type TimedRule } from "#policy/rules/registry.ts"
import { listOccurrences } from "#policy/schedule/list-occurrences.ts"
import { type Decimals, viewDecision } from "./view-decision.ts"

const DAY_MS = 86_400_000
const MOST_UPCOMING = 100

/** A configured rule with its last decision and the time of its next evaluation. */
export function viewRule(
  context: Pick<EngineContext, "journal" | "clock">,
  rule: TimedRule,
  nextMs: number | null,
  decimals: Decimals,
): ReturnType<Operations["rules"]>[number] {
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
    upcoming: listUpcoming(rule, context.clock.now()).map((ms) => new Date(ms).toISOString()),
  }
}

function listUpcoming(rule: TimedRule, nowMs: number): readonly number[] {
  const schedule = rule.enabled === false ? null : scheduleOf(rule)
  if (schedule === null) return []
  const found: number[] = []
  for (const atMs of listOccurrences(schedule, nowMs)) {
    if (atMs > nowMs + DAY_MS || found.length === MOST_UPCOMING) break
    found.push(atMs)
  }
  return found
}
