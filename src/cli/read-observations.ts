import type { RuleObservation } from "#books/out-of-band.ts"
import type { Config } from "#config/config.ts"
import { readDecisionBody, reasonsIn } from "#engine/tick/decision.ts"
import type { DecisionRow, Journal } from "#journal/port.ts"
import { decodeOrder } from "#order/step.ts"

const MOST_DECISIONS = 1_000_000
const INSIDE: readonly string[] = ["policy.target_satisfied", "policy.within_tolerance"]
const UNKNOWN: readonly string[] = ["policy.view_incomplete", "policy.price_missing", "policy.empty"]

/** The observations of the rules that keep bounds (band, weights), from every stored decision. */
export function readObservations(journal: Journal | null, config: Config, nowMs: number): readonly RuleObservation[] {
  if (journal === null) return []
  return config.rules
    .filter((rule) => rule.kind === "band" || rule.kind === "weights")
    .flatMap(({ id, everyMs }) =>
      journal.listDecisions({ rule: id, limit: MOST_DECISIONS }).map((decision) => ({
        rule: id,
        found: foundBy(decision),
        fromMs: decision.atMs,
        lastMs: decision.lastAtMs,
        // A late evaluation is no gap: an observation holds for three intervals.
        holdsUntilMs: decision.lastAtMs + 3 * everyMs,
        arrivedMs: arrivalOf(journal, decision, nowMs),
      })),
    )
}

function foundBy(decision: DecisionRow): RuleObservation["found"] {
  const body = readDecisionBody(decision.body)
  if (body === null) return "unknown"
  const codes = reasonsIn(body).map(({ code }) => code)
  if (codes.length > 0 && codes.every((code) => INSIDE.includes(code))) return "inside"
  return body.decided.proposals.length === 0 && codes.some((code) => UNKNOWN.includes(code)) ? "unknown" : "outside"
}

function arrivalOf(journal: Journal, { orders }: DecisionRow, nowMs: number): number | null {
  const ends = orders.flatMap((id) => {
    const row = journal.findOrder(id)
    if (row === null) return []
    const redeemed = decodeOrder(row.snapshot).data.seen.destinationRedeemed
    return [redeemed?.at ?? (row.outcome === null ? nowMs : row.updatedAtMs)]
  })
  return ends.length === 0 ? null : Math.max(...ends)
}
