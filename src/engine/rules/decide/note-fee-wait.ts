import { ruleReasons } from "#policy/rules/registry.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import { outcomeOf, type RuleDecision } from "./decide-tick.ts"
import { readWaitsUntil, waitFlag } from "./fee-waits.ts"

/**
 * Remembers when the sale that a standing rule wants must go, until the rule wants none: a part
 * that goes earlier gives the rest no more time.
 */
export function noteFeeWait(
  journal: Pick<FlagStore, "readFlag" | "writeFlag">,
  decision: RuleDecision,
): void {
  const { entry, round } = decision
  if (entry.occurrence !== null) return
  const known = readWaitsUntil(journal, entry.rule)
  const { fees = [] } = round.answer.inputs.view
  const own = fees.find(({ rule, occurrence }) => rule === entry.rule && occurrence === null)
  if (known === null && own !== undefined)
    journal.writeFlag(waitFlag(entry.rule), String(own.untilMs))
  if (known === null || own !== undefined) return
  const isSatisfied = outcomeOf(decision).reasons.some(
    ({ code }) => ruleReasons().get(code)?.means === "satisfied",
  )
  if (isSatisfied) journal.writeFlag(waitFlag(entry.rule), null)
}
