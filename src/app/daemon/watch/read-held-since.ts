import { readDecisionBody, reasonsIn } from "#engine/rules/tick/decision.ts"
import type { RuleReading } from "#health/readings.ts"
import { PARTNER_NEEDS, type Standing, standingOf } from "#health/refusal-standing.ts"
import type { DecisionRow } from "#ports/journal/decisions.ts"
import type { Journal } from "#ports/journal.ts"

/** A schedule may have a new occurrence every few seconds, each with a decision of its own. */
const MOST_READ = 20
/** A rule that lacks one decides again within ten seconds; a service may take its time. */
const FRESH_MS = 60_000

/** Of a scheduled rule: its other refusals end its run. */
const HELD: readonly Standing[] = ["held"]
/** Of a rule with an interval: its next evaluation ends the same way. */
const BARRED: readonly Standing[] = ["held", "lasting", "barred"]

/**
 * Since when each decision of a rule lacked a quote, a price, a balance or coin, so that its runs
 * are tried again; nothing of a rule that lacks none. With the interval `everyMs` of a rule without
 * a schedule, also since when each of its evaluations was refused.
 */
export function readHeldSince(
  journal: Pick<Journal, "listDecisions">,
  rule: string,
  nowMs: number,
  everyMs: number | null = null,
): Pick<RuleReading, "heldSinceMs"> {
  const standings = everyMs === null ? HELD : BARRED
  const [last] = journal.listDecisions({ rule, limit: 1 })
  const oldestMs = nowMs - FRESH_MS - (everyMs ?? 0)
  if (last === undefined || !isHeld(last, standings) || last.lastAtMs < oldestMs) return {}
  const rows = journal.listDecisions({ rule, limit: MOST_READ })
  const end = rows.findIndex((row) => !isHeld(row, standings))
  const row = end === -1 ? rows : rows.slice(0, end)
  return { heldSinceMs: Math.min(...row.map(({ atMs }) => atMs)) }
}

function isHeld({ verdict, body: text }: DecisionRow, standings: readonly Standing[]): boolean {
  const body = verdict === "declined" ? readDecisionBody(text) : null
  const told = body === null ? [] : reasonsIn(body)
  const reasons = told.filter(({ code }) => code !== PARTNER_NEEDS)
  return reasons.length > 0 && reasons.every((one) => standings.includes(standingOf(one)))
}
