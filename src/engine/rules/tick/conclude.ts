import { encodeJson } from "#lib/json.ts"
import type { DueOccurrence } from "#policy/schedule/due-occurrences.ts"
import type { DecisionStore, NewDecision } from "#ports/journal/decisions.ts"
import type { Clocked, Configured, HasJournal, Logged } from "../../context.ts"
import { decideNextTry } from "../decide/next-try.ts"
import { type DecisionBody, readDecisionBody, reasonsIn } from "./decision.ts"
import { type DueEntry, type DueList, toOccurrence } from "./due-list.ts"

/**
 * Records a rule's decision, settles its occurrence or leaves it open, and sets the time of the
 * next evaluation.
 */
export function conclude(
  context: HasJournal<DecisionStore> & Logged,
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
  const isOrdered = orders.length > 0
  const nextMs = decideNextTry(entry, { reasons, isOrdered, firstMs, nowMs })
  if (nextMs !== null) dueList.putOff(entry, nextMs)
  else if (entry.at !== null && !isOrdered)
    journal.settleOccurrence(toOccurrence(entry.at), encodeJson(reasons))
  const fields = { rule: entry.rule, ...(entry.occurrence ? { occurrence: entry.occurrence } : {}) }
  if (orders.length > 0) log.info({ ...fields, orders }, "A rule asked for an order")
  else if (fresh) log.info({ ...fields, reasons }, "A rule asked for nothing")
}

/**
 * Settles an occurrence that passed while Ballast was down and that `catch_up` does not make up
 * for.
 */
export function concludeMissed(
  { journal, clock, log, settings }: HasJournal<DecisionStore> & Configured & Clocked & Logged,
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
