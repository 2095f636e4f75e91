import { encodeJson } from "#lib/json.ts"
import { everyMsOf } from "#policy/rules/registry.ts"
import type { DueOccurrence } from "#policy/schedule/due-occurrences.ts"
import type { NewDecision } from "#ports/journal.ts"
import type { EngineContext } from "../../context.ts"
import { type DecisionBody, readDecisionBody, reasonsIn } from "./decision.ts"
import { type DueEntry, type DueList, toOccurrence } from "./due-list.ts"
import { GRACE_MS } from "./due-occurrences.ts"

/** The delay after a failed read, unless the rule's own interval is shorter. */
export const RETRY_MS = 10_000
/** The delay between two tries within an open window. */
const WINDOW_RETRY_MS = 30_000

/** Refusals because of a failed read. */
const FAILED_READ_CODES = [
  "policy.view_incomplete",
  "policy.price_missing",
  "policy.quote_missing",
  "policy.amount_unknown",
  "funds.unreadable",
]

/**
 * Refusals because too many orders are in flight now. A scheduled swap waits a little for a free
 * place.
 */
const TOO_MANY_ORDERS_CODES = ["policy.order_count", "limit.in_flight"]

/**
 * Refusals because the wallet's fees rose between the read and the decision. The next try reads
 * both again, and sells less.
 */
const FEES_ROSE_CODES = ["funds.insufficient", "funds.gas", "policy.gas"]

/**
 * Records a rule's decision, settles its occurrence or leaves it open, and sets the time of the
 * next evaluation.
 */
export function conclude(
  context: EngineContext,
  dueList: DueList,
  entry: DueEntry,
  decision: NewDecision,
  nowMs: number,
): void {
  const { journal, log } = context
  const firstMs = entry.at === null ? nowMs : (journal.findDecision(decision.id)?.atMs ?? nowMs)
  const fresh = journal.recordDecision(decision)
  const body = readDecisionBody(decision.body)
  const reasons = body === null ? [] : reasonsIn(body)
  const orders = (body?.outcomes ?? []).flatMap((outcome) =>
    outcome && "order" in outcome ? [outcome.order] : [],
  )
  const unread = reasons.some(({ code }) => FAILED_READ_CODES.includes(code))
  const temporary =
    unread ||
    reasons.some(({ code }) => [...TOO_MANY_ORDERS_CODES, ...FEES_ROSE_CODES].includes(code))
  if (entry.at === null) {
    dueList.putOff(entry, nowMs + delayOf(everyMsOf(entry.of) ?? RETRY_MS, reasons))
  } else if (orders.length === 0) {
    const { closesMs } = entry.at
    const untilMs = temporary ? Math.max(closesMs, firstMs) + GRACE_MS : closesMs
    if (nowMs < untilMs) dueList.putOff(entry, nowMs + (temporary ? RETRY_MS : WINDOW_RETRY_MS))
    else journal.settleOccurrence(toOccurrence(entry.at), encodeJson(reasons))
  }
  const fields = { rule: entry.rule, ...(entry.occurrence ? { occurrence: entry.occurrence } : {}) }
  if (orders.length > 0) log.info({ ...fields, orders }, "A rule asked for an order")
  else if (fresh) log.info({ ...fields, reasons }, "A rule asked for nothing")
}

/**
 * The time until a standing rule is evaluated again, after a decision with these reasons. A
 * backtest waits as long.
 */
export function delayOf(everyMs: number, reasons: readonly { readonly code: string }[]): number {
  return reasons.some(({ code }) => FAILED_READ_CODES.includes(code))
    ? Math.min(everyMs, RETRY_MS)
    : everyMs
}

/**
 * Settles an occurrence that passed while Ballast was down and that `catch_up` does not make up
 * for.
 */
export function concludeMissed(
  { journal, clock, log, settings }: EngineContext,
  occurrence: DueOccurrence,
): void {
  const at = new Date(occurrence.atMs).toISOString()
  const message = "The occurrence passed while Ballast was down, and catch_up says skip"
  const reasons = [{ code: "policy.missed", message, at }]
  const { id, rule } = occurrence
  const body: DecisionBody = {
    version: 1,
    occurrence: id,
    decided: { proposals: [], reasons, plan: null },
    outcomes: [],
  }
  const configHash = settings.configHash ?? null
  const declined = {
    id,
    atMs: clock.now(),
    rule,
    verdict: "declined",
    body: encodeJson(body),
    inputs: null,
  } as const
  // One transaction writes both: a decision without its settlement would look like a try in time
  // that failed on a read.
  journal.settleOccurrence(toOccurrence(occurrence), encodeJson(reasons), {
    ...declined,
    configHash,
  })
  log.info({ rule, occurrence: id, reasons }, "A rule asked for nothing")
}
