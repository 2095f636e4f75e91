import type { Reason } from "#domain/reason.ts"
import type { NewDecision } from "#journal/port.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import { type DueRule, type Evaluation, evaluate, type PlanSummary, type Proposal } from "#policy/evaluate.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import type { PolicyRule } from "#policy/policy-rule.ts"
import type { TreasuryView } from "#policy/treasury-view.ts"

/** Everything that a tick was decided from. */
export type DecisionInputs = {
  readonly version: 1
  readonly view: TreasuryView
  readonly rules: readonly PolicyRule[]
  readonly limits: PlanLimits
  readonly due: readonly DueRule[]
}

/** What became of a proposal: an order, or why the guards said no; `null` while nobody has asked them. */
export type Outcome = { readonly order: string } | { readonly refused: readonly Reason[] } | null

/** What one rule's decision says: the policy's part, which can be taken again, and what the guards made of it. */
export type DecisionBody = {
  readonly version: 1
  readonly occurrence: string | null
  readonly decided: Decided
  /** In step with `decided.proposals`. */
  readonly outcomes: readonly Outcome[]
}

export type Decided = {
  readonly proposals: readonly Proposal[]
  readonly reasons: readonly Reason[]
  /** Of the whole tick, where the rule has a part in it. */
  readonly plan: PlanSummary | null
}

/** One rule's part of what was decided for all. */
export function partOf({ proposals, declined, plan }: Evaluation, { rule, occurrence }: DueRule): Decided {
  const own = proposals.filter((one) => one.rules.includes(rule) && one.occurrence === occurrence)
  const said = declined.filter((one) => one.rule === rule && one.occurrence === occurrence)
  // Two needs of one rule may be kept from the same pair for the same reason.
  const reasons = new Map(said.flatMap((one) => one.reasons.map((reason) => [encodeJson(reason), reason] as const)))
  return { proposals: own, reasons: [...reasons.values()], plan: own.length > 0 ? plan : null }
}

export function toDecision(
  entry: DueRule,
  of: {
    readonly evaluation: Evaluation
    readonly outcomeOf: (proposal: Proposal) => Outcome
    readonly inputs: string
    readonly configHash: string | null
    readonly nowMs: number
  },
): NewDecision {
  const decided = partOf(of.evaluation, entry)
  const outcomes = decided.proposals.map(of.outcomeOf)
  const body: DecisionBody = { version: 1, occurrence: entry.occurrence, decided, outcomes }
  return {
    id: entry.occurrence ?? `${entry.rule}@${new Date(of.nowMs).toISOString()}`,
    atMs: of.nowMs,
    rule: entry.rule,
    verdict: outcomes.some(isProposed) ? "proposed" : "declined",
    body: encodeJson(body),
    inputs: of.inputs,
    configHash: of.configHash,
  }
}

/** In observe mode what would have become an order is proposed too. */
function isProposed(outcome: Outcome): boolean {
  if (outcome === null) return false
  return "order" in outcome || outcome.refused.every(({ code }) => code === "mode.observe")
}

/** All reasons of a decision: the policy's, then the guards'. */
export function reasonsIn(body: DecisionBody): readonly Reason[] {
  const refused = body.outcomes.flatMap((outcome) => (outcome !== null && "refused" in outcome ? outcome.refused : []))
  return [...body.decided.reasons, ...refused]
}

/** `null` for a decision of before 0.2, which was stored without its inputs. */
export function readDecisionBody(text: string): DecisionBody | null {
  const body = decodeJson(text)
  if (typeof body !== "object" || body === null || !("version" in body)) return null
  // CAST: written by toDecision, which names its version.
  return body as DecisionBody
}

/** Decides again from the stored inputs, and compares with what was stored. */
export function replayDecision(
  decision: { readonly rule: string; readonly body: string },
  inputs: string,
): { readonly same: boolean; readonly stored: Decided; readonly again: Decided } | null {
  const body = readDecisionBody(decision.body)
  if (body === null) return null
  // CAST: written by the tick from DecisionInputs.
  const { view, rules, limits, due } = decodeJson(inputs) as DecisionInputs
  const again = partOf(evaluate(view, rules, limits, due), { rule: decision.rule, occurrence: body.occurrence })
  return { same: encodeJson(again) === encodeJson(body.decided), stored: body.decided, again }
}
