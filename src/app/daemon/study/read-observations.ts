import type { RuleObservation } from "#books/out-of-band.ts"
import { decodeSwap } from "#books/swap-text.ts"
import type { Config } from "#config/config.ts"
import { readDecisionBody, reasonsIn } from "#engine/rules/tick/decision.ts"
import { decodeOrder } from "#order/step.ts"
import { everyMsOf, RULE_KINDS, ruleKindOf, ruleReasons } from "#policy/rules/registry.ts"
import type { DecisionRow } from "#ports/journal/decisions.ts"
import type { Ledger } from "#ports/journal/ledger.ts"
import type { OrderStore } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"

const MOST_DECISIONS = 1_000_000
/**
 * The reasons of every kind that keeps bounds: a rule may have had another kind when it decided.
 */
const REASONS = ruleReasons(RULE_KINDS.filter(({ backtest }) => backtest.measures !== "none"))
const UNKNOWN: readonly string[] = ["policy.view_incomplete", "policy.price_missing"]

/** The observations of the rules that keep bounds, from every stored decision. */
export function readObservations(
  journal: Journal | null,
  config: Config,
  nowMs: number,
): readonly RuleObservation[] {
  if (journal === null) return []
  return config.rules
    .filter((rule) => ruleKindOf(rule).backtest.measures !== "none")
    .flatMap((rule) =>
      journal.listDecisions({ rule: rule.id, limit: MOST_DECISIONS }).map((decision) => ({
        rule: rule.id,
        found: foundBy(decision),
        fromMs: decision.atMs,
        lastMs: decision.lastAtMs,
        // A late evaluation is no gap: an observation holds for three intervals.
        holdsUntilMs: decision.lastAtMs + 3 * (everyMsOf(rule) ?? 0),
        arrivedMs: arrivalOf(journal, decision, nowMs),
      })),
    )
}

function foundBy(decision: DecisionRow): RuleObservation["found"] {
  const body = readDecisionBody(decision.body)
  if (body === null) return "unknown"
  const codes = reasonsIn(body).map(({ code }) => code)
  if (codes.length > 0 && codes.every((code) => REASONS.get(code)?.means === "satisfied"))
    return "inside"
  const isUnknown = codes.some(
    (code) => UNKNOWN.includes(code) || REASONS.get(code)?.means === "unknown",
  )
  return body.decided.proposals.length === 0 && isUnknown ? "unknown" : "outside"
}

function arrivalOf(
  journal: Ledger & OrderStore,
  { orders }: DecisionRow,
  nowMs: number,
): number | null {
  const ends = orders.flatMap((id) => {
    // An ended order says it in its summary, and a year of decisions has many of them.
    const summary = journal.findSummary(id)?.summary ?? null
    const swap = summary === null ? null : decodeSwap(id, summary)
    if (swap !== null) return [swap.redeemedAtMs ?? swap.endedAtMs ?? nowMs]
    const row = journal.findOrder(id)
    if (row === null) return []
    const redeemed = decodeOrder(row.snapshot).data.seen.destinationRedeemed
    return [redeemed?.at ?? (row.outcome === null ? nowMs : row.updatedAtMs)]
  })
  return ends.length === 0 ? null : Math.max(...ends)
}
