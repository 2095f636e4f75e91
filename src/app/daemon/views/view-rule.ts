import type { EngineContext } from "#engine/context.ts"
import { isPaused } from "#engine/watches/pause.ts"
import { encodeJson } from "#lib/json.ts"
import type { Operations } from "#ops/operations.ts"
import { ruleKindOf, scheduleOf, type TimedRule } from "#policy/rules/registry.ts"
import { listOccurrences } from "#policy/schedule/list-occurrences.ts"
import { whyMissed } from "./read-missed-runs.ts"
import { type Decimals, type DecisionView, viewDecision } from "./view-decision.ts"

type RuleView = ReturnType<Operations["rules"]>[number]

const DAY_MS = 86_400_000
const MOST_UPCOMING = 100
const MOST_RUNS = 24

/** A configured rule with its last decision and the time of its next evaluation. */
export function viewRule(
  context: Pick<EngineContext, "journal" | "clock">,
  rule: TimedRule,
  nextMs: number | null,
  decimals: Decimals,
): RuleView {
  const decisions = context.journal
    .listDecisions({ rule: rule.id, limit: MOST_RUNS })
    .map((row) => viewDecision(row, decimals))
  const [view = null] = decisions
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
    runs: decisions.map((decision) => viewRun(context.journal, decision)).toReversed(),
  }
}

function viewRun(
  journal: EngineContext["journal"],
  { id, at, atMs, lastAt, times, verdict, reasons, orders, occurrence }: DecisionView,
): RuleView["runs"][number] {
  const missed = (orderId: string | null): boolean =>
    whyMissed(journal, { id, atMs, orderId, reasons: encodeJson(reasons) }, same) !== null
  const hasOrder = orders.length > 0
  const isSettled = occurrence !== null && journal.findOccurrence(occurrence) !== null
  const isMissed = hasOrder ? orders.some(missed) : isSettled && missed(null)
  const other = hasOrder ? "swap" : verdict === "proposed" ? "refused" : "nothing"
  return { at, lastAt, times, outcome: isMissed ? "missed" : other, reasons }
}

function same<Value>(value: Value): Value {
  return value
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
