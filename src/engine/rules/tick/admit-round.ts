import { encodeJson } from "#lib/json.ts"
import type { Proposal } from "#policy/evaluate.ts"
import type { EngineContext } from "../../context.ts"
import { admitProposal } from "./admit-proposal.ts"
import type { PolicyAnswer } from "./ask-policy.ts"
import { type ProposalResult, toDecision } from "./decision.ts"
import type { DueEntry } from "./due-list.ts"
import type { QuoteReader } from "./pair-quotes.ts"

/** A plan of a tick and the results of its proposals. */
type Round = {
  readonly answer: PolicyAnswer
  readonly results: Map<Proposal, ProposalResult>
  readonly shared: Parameters<typeof toDecision>[1]
}

/**
 * Asks admission for each proposal of a plan, in order. An order and the decisions that it follows
 * from are written together.
 */
export async function admitRound(
  context: EngineContext,
  reader: QuoteReader,
  answer: PolicyAnswer,
  {
    entries,
    nowMs,
    number,
  }: { readonly entries: readonly DueEntry[]; readonly nowMs: number; readonly number: number },
): Promise<Round> {
  const results = new Map<Proposal, ProposalResult>()
  const shared = {
    evaluation: answer.evaluation,
    resultOf: (proposal: Proposal): ProposalResult => results.get(proposal) ?? null,
    inputs: encodeJson(answer.inputs),
    view: answer.inputs.view,
    configHash: context.settings.configHash ?? null,
    nowMs,
    round: number,
  }
  for (const proposal of answer.evaluation.proposals) {
    const served = servedBy(proposal, entries)
    const admission = await admitProposal(context, proposal, served, (order) => {
      results.set(proposal, { order })
      return served.map((entry) => toDecision(entry, shared))
    })
    results.set(proposal, admission.ok ? { order: admission.id } : { refused: admission.reasons })
    if (!admission.ok) reader.learn(proposal.from, proposal.to, admission.reasons)
  }
  return { answer, results, shared }
}

export function proposesFor({ evaluation }: PolicyAnswer, { rule, occurrence }: DueEntry): boolean {
  return evaluation.proposals.some(
    (one) => one.rules.includes(rule) && one.occurrence === occurrence,
  )
}

/**
 * Where the next plan has nothing for a refused order, its reasons are recorded beside those of
 * admission.
 */
export function addReasons({ results }: Round, { evaluation }: PolicyAnswer): void {
  for (const [proposal, result] of results) {
    if (result === null || "order" in result || proposal.occurrence !== null) continue
    const others = evaluation.declined
      .filter(({ rule }) => proposal.rules.includes(rule))
      .flatMap(({ reasons }) => reasons)
    const known = new Set(result.refused.map((reason) => encodeJson(reason)))
    const added = others.filter((reason) => !known.has(encodeJson(reason)))
    results.set(proposal, { refused: [...result.refused, ...added] })
  }
}

/** The due rules that a proposal serves. */
export function servedBy(
  { rules, occurrence }: Proposal,
  entries: readonly DueEntry[],
): DueEntry[] {
  return entries.filter((entry) => rules.includes(entry.rule) && entry.occurrence === occurrence)
}
