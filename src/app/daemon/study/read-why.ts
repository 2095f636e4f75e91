import type { Config } from "#config/config.ts"
import type { AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { decodeOrder } from "#order/step.ts"
import { viewOrder } from "#order/view.ts"
import { type ConfiguredRule, everyMsOf, scheduleOf } from "#policy/rules/registry.ts"
import { nextOccurrence } from "#policy/schedule/due-occurrences.ts"
import type { Journal } from "#ports/journal.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { decimalsOf } from "../start/decimals-of.ts"
import { listCalls } from "../views/view-calls.ts"
import { type DecisionView, viewDecision } from "../views/view-decision.ts"
import { describeWindows, explainProposals } from "./explain-decision.ts"
import { whatChanges } from "./what-changes.ts"

export type WhyView = AnswerOf<"Why">

const SHOWN = 20

/** The latest decisions of a rule, and the changes that would lead to another decision. */
export function readWhy(
  journal: Journal,
  config: Config,
  rule: ConfiguredRule,
  nowMs: number,
): WhyView {
  const decimals = decimalsOf(config)
  const rows = journal.listDecisions({ rule: rule.id, limit: SHOWN })
  const decisions = rows.map((row, index) => {
    const view = viewDecision(row, decimals)
    const changes = changesOf(view.reasons)
    if (index > 0) return { ...view, changes }
    const explained = explainProposals(journal, row)
    return {
      ...view,
      proposals: view.proposals.map((one, at) => ({ ...one, explained: explained[at] ?? [] })),
      changes: [...changes, ...describeWindows(journal, row, nowMs)],
    }
  })
  return {
    rule: rule.id,
    next: nextOf(rule, decisions, nowMs),
    decisions,
    quotes: readQuotesOf(journal, decisions, decimals),
    calls: listCalls(journal, rule.id),
  }
}

function readQuotesOf(
  journal: Journal,
  decisions: readonly DecisionView[],
  decimals: ReadonlyMap<AssetId, number>,
): WhyView["quotes"] {
  const rows = decisions.flatMap(({ orders }) => orders.map((id) => journal.findOrder(id)))
  const views = rows
    .filter((row) => row !== null)
    .map((row) => viewOrder(decodeOrder(row.snapshot), decimals, row.updatedAtMs))
    .filter(({ considered }) => considered.length > 0)
  return Object.fromEntries(views.map(({ id, to, considered }) => [id, { to, considered }]))
}

function nextOf(
  rule: ConfiguredRule,
  [last]: readonly DecisionView[],
  nowMs: number,
): string | null {
  if (!rule.enabled) return null
  const schedule = scheduleOf(rule)
  const everyMs = everyMsOf(rule)
  if (everyMs !== null) return last ? new Date(last.lastAtMs + everyMs).toISOString() : null
  const nextMs = schedule === null ? Number.POSITIVE_INFINITY : nextOccurrence(schedule, nowMs)
  return Number.isFinite(nextMs) ? new Date(nextMs).toISOString() : null
}

function changesOf(reasons: readonly Reason[]): string[] {
  return [...new Set(reasons.map(whatChanges).filter((change) => change !== null))]
}
