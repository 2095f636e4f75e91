import type { Reason } from "#domain/reason.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import type { DueRule, Evaluation, PlanSummary, Proposal } from "#policy/evaluate.ts"
import { type CostParts, listCostParts } from "#policy/list-cost-parts.ts"
import type { OrderAnswer } from "#policy/planner/flow/settle-flow.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import type { PolicyRule } from "#policy/rules/registry.ts"
import type { TreasuryView } from "#policy/treasury-view.ts"
import type { NewDecision } from "#ports/journal/decisions.ts"

/**
 * The inputs of a tick's evaluation. The journal stores them, so no key may be renamed or removed.
 */
export type DecisionInputs = {
  readonly version: 1
  readonly view: TreasuryView
  readonly rules: readonly PolicyRule[]
  readonly limits: PlanLimits
  readonly due: readonly DueRule[]
  /** The version of the policy that decided. */
  readonly policy: number
  /**
   * The solver's answers, in the order of its problems: they can depend on time, so a replay uses
   * them again.
   */
  readonly answers?: readonly OrderAnswer[]
}

/** The result of a proposal: an order, or the refusal of the guards; `null` before admission. */
export type ProposalResult =
  | { readonly order: string }
  | { readonly refused: readonly Reason[] }
  | null

/**
 * A rule's decision as the journal stores it: the policy's part, which `replay` repeats, and the
 * results of admission. No key may be renamed.
 */
export type DecisionBody = {
  readonly version: 1
  readonly occurrence: string | null
  readonly decided: Decided
  /** For each of `decided.proposals`, by index. */
  readonly outcomes: readonly ProposalResult[]
  /** The parts of each proposal's cost, by index. Absent without proposals. */
  readonly costs?: readonly (CostParts | null)[]
}

export type Decided = {
  readonly proposals: readonly Proposal[]
  readonly reasons: readonly Reason[]
  /** The plan of the whole tick; `null` when the rule has no proposal in it. */
  readonly plan: PlanSummary | null
}

/** One rule's part of an evaluation. */
export function partOf(
  { proposals, declined, plan }: Evaluation,
  { rule, occurrence }: DueRule,
): Decided {
  const own = proposals.filter((one) => one.rules.includes(rule) && one.occurrence === occurrence)
  const ownDeclined = declined.filter((one) => one.rule === rule && one.occurrence === occurrence)
  // Two needs of one rule may fail on the same pair for the same reason.
  const reasons = new Map(
    ownDeclined.flatMap((one) =>
      one.reasons.map((reason) => [encodeJson(reason), reason] as const),
    ),
  )
  return { proposals: own, reasons: [...reasons.values()], plan: own.length > 0 ? plan : null }
}

export function toDecision(
  entry: DueRule,
  of: {
    readonly evaluation: Evaluation
    readonly resultOf: (proposal: Proposal) => ProposalResult
    readonly inputs: string
    readonly view: TreasuryView
    readonly configHash: string | null
    readonly nowMs: number
    /** The number of the plan within its tick; absent for 1. */
    readonly round?: number
  },
): NewDecision {
  const decided = partOf(of.evaluation, entry)
  const outcomes = decided.proposals.map(of.resultOf)
  const costs = decided.proposals.map((proposal) => listCostParts(proposal, of.view))
  const known = { version: 1, occurrence: entry.occurrence, decided, outcomes } as const
  const body: DecisionBody = costs.length > 0 ? { ...known, costs } : known
  return {
    id: entry.occurrence ?? `${entry.rule}@${new Date(of.nowMs).toISOString()}${roundOf(of)}`,
    atMs: of.nowMs,
    rule: entry.rule,
    verdict: outcomes.some(isProposed) ? "proposed" : "declined",
    body: encodeJson(body),
    inputs: of.inputs,
    configHash: of.configHash,
  }
}

function roundOf({ round = 1 }: { readonly round?: number }): string {
  return round === 1 ? "" : `/${round}`
}

/** A proposal that only observe mode refuses counts as proposed. */
export function isProposed(result: ProposalResult): boolean {
  if (result === null) return false
  return "order" in result || result.refused.every(({ code }) => code === "mode.observe")
}

/** All reasons of a decision: first those of the policy, then those of the guards. */
export function reasonsIn(body: DecisionBody): readonly Reason[] {
  const refused = body.outcomes.flatMap((outcome) =>
    outcome !== null && "refused" in outcome ? outcome.refused : [],
  )
  return [...body.decided.reasons, ...refused]
}

/** `null` for a text that is no decision of this version. */
export function readDecisionBody(text: string): DecisionBody | null {
  const body = decodeJson(text)
  if (typeof body !== "object" || body === null || !("version" in body) || body.version !== 1)
    return null
  // CAST: written by toDecision, which names its version.
  return body as DecisionBody
}
