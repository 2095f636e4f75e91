import { TRIED_AGAIN_CODES } from "#engine/rules/decide/next-try.ts"
import { readDecisionBody, reasonsIn } from "#engine/rules/tick/decision.ts"
import type { RuleReading } from "#health/readings.ts"
import type { DecisionRow } from "#ports/journal/decisions.ts"
import type { Journal } from "#ports/journal.ts"

/** A schedule may have a new occurrence every few seconds, each with a decision of its own. */
const MOST_READ = 20
/** A rule that lacks one decides again within ten seconds; a service may take its time. */
const FRESH_MS = 60_000

/**
 * Since when each decision of a rule lacked a quote, a price, a balance or coin, so that its runs
 * are tried again; nothing of a rule that lacks none.
 */
export function readHeldSince(
  journal: Pick<Journal, "listDecisions">,
  rule: string,
  nowMs: number,
): Pick<RuleReading, "heldSinceMs"> {
  const [last] = journal.listDecisions({ rule, limit: 1 })
  if (last === undefined || !isHeld(last) || nowMs - last.lastAtMs > FRESH_MS) return {}
  const rows = journal.listDecisions({ rule, limit: MOST_READ })
  const end = rows.findIndex((row) => !isHeld(row))
  const row = end === -1 ? rows : rows.slice(0, end)
  return { heldSinceMs: Math.min(...row.map(({ atMs }) => atMs)) }
}

function isHeld({ verdict, body: text }: DecisionRow): boolean {
  const body = verdict === "declined" ? readDecisionBody(text) : null
  const reasons = body === null ? [] : reasonsIn(body)
  return reasons.length > 0 && reasons.every(({ code }) => TRIED_AGAIN_CODES.includes(code))
}
