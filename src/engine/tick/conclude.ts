import type { NewDecision } from "#journal/port.ts"
import { encodeJson } from "#lib/json.ts"
import type { DueOccurrence } from "#policy/rules/recurring.ts"
import type { EngineContext } from "../context.ts"
import { type DecisionBody, readDecisionBody, reasonsIn } from "./decision.ts"
import { type DueEntry, type DueList, GRACE_MS, toOccurrence } from "./due-list.ts"

/** What could not be read is looked at again after this, if the rule itself is not sooner. */
export const RETRY_MS = 10_000
/** How often an open window is tried. */
const WINDOW_RETRY_MS = 30_000

/** A "no" that is only for want of knowing. */
const UNREAD = [
  "policy.view_incomplete",
  "policy.price_missing",
  "policy.quote_missing",
  "policy.amount_unknown",
  "funds.unreadable",
]

/** A "no" only because too much is under way at this moment: a scheduled swap waits a little for its place. */
const FULL = ["policy.order_count", "limit.in_flight"]

/** Writes a rule's decision down, settles its occurrence or leaves it open, and says when it is looked at again. */
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
  const orders = (body?.outcomes ?? []).flatMap((outcome) => (outcome && "order" in outcome ? [outcome.order] : []))
  const unread = reasons.some(({ code }) => UNREAD.includes(code))
  const passing = unread || reasons.some(({ code }) => FULL.includes(code))
  if (entry.at === null) {
    const everyMs = "everyMs" in entry.of ? entry.of.everyMs : RETRY_MS
    dueList.putOff(entry, nowMs + (unread ? Math.min(everyMs, RETRY_MS) : everyMs))
  } else if (orders.length === 0) {
    const { closesMs } = entry.at
    const untilMs = passing ? Math.max(closesMs, firstMs) + GRACE_MS : closesMs
    if (nowMs < untilMs) dueList.putOff(entry, nowMs + (passing ? RETRY_MS : WINDOW_RETRY_MS))
    else journal.settleOccurrence(toOccurrence(entry.at), encodeJson(reasons))
  }
  const fields = { rule: entry.rule, ...(entry.occurrence ? { occurrence: entry.occurrence } : {}) }
  if (orders.length > 0) log.info({ ...fields, orders }, "A rule asked for an order")
  else if (fresh) log.info({ ...fields, reasons }, "A rule asked for nothing")
}

/** The occurrence passed while nobody looked, and its rule does not ask for it. */
export function concludeMissed({ journal, clock, log, settings }: EngineContext, occurrence: DueOccurrence): void {
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
  const declined = { id, atMs: clock.now(), rule, verdict: "declined", body: encodeJson(body), inputs: null } as const
  // Together: a decision without its end would look like one that was tried in time, and could not be read.
  journal.settleOccurrence(toOccurrence(occurrence), encodeJson(reasons), { ...declined, configHash })
  log.info({ rule, occurrence: id, reasons }, "A rule asked for nothing")
}
