import type { Reason } from "#domain/reason.ts"
import { encodeJson } from "#lib/json.ts"
import type { Evaluation, Proposal } from "#policy/evaluate.ts"
import type { TimedRule } from "#policy/rules/registry.ts"
import type { EngineContext } from "../context.ts"
import { admitProposal, judgeProposal } from "./admit-proposal.ts"
import { askPolicy } from "./ask-policy.ts"
import { conclude, concludeMissed, RETRY_MS } from "./conclude.ts"
import { type ProposalResult, toDecision } from "./decision.ts"
import { createDueList, type DueEntry } from "./due-list.ts"
import { createQuoteReader } from "./pair-quotes.ts"

/**
 * Handles all due rules together: view → evaluate → one admission for each proposal, in order → decision records. One tick runs at a time, and its
 * orders are in the journal before the next tick begins.
 */
export type Tick = {
  readonly run: () => Promise<void>
  /** The proposals of a tick in which every standing rule is due. Writes nothing. */
  readonly preview: () => Promise<Preview>
  readonly nextMs: (rule: TimedRule) => number | null
}

export type Preview = {
  readonly atMs: number
  readonly evaluation: Evaluation
  /** For each proposal, by index: the reasons with which the guards would refuse it on its own. */
  readonly refusals: readonly (readonly Reason[])[]
}

export function createTick(context: EngineContext): Tick {
  const { clock, log } = context
  const reader = createQuoteReader(context)
  const dueList = createDueList(context, (occurrence) => concludeMissed(context, occurrence))

  async function decide(entries: readonly DueEntry[], nowMs: number): Promise<void> {
    const { evaluation, inputs } = await askPolicy(context, reader, entries, { quoteOccurrences: false })
    const results = new Map<Proposal, ProposalResult>()
    const shared = {
      evaluation,
      resultOf: (proposal: Proposal): ProposalResult => results.get(proposal) ?? null,
      inputs: encodeJson(inputs),
      configHash: context.settings.configHash ?? null,
      nowMs,
    }
    for (const proposal of evaluation.proposals) {
      const served = servedBy(proposal, entries)
      const admission = await admitProposal(context, proposal, served, (order) => {
        results.set(proposal, { order })
        return served.map((entry) => toDecision(entry, shared))
      })
      results.set(proposal, admission.ok ? { order: admission.id } : { refused: admission.reasons })
      if (!admission.ok) reader.learn(proposal.from, proposal.to, admission.reasons)
    }
    for (const entry of entries) conclude(context, dueList, entry, toDecision(entry, shared), nowMs)
  }

  return {
    run: async () => {
      const startMs = clock.now()
      const entries = dueList.take(startMs)
      try {
        if (entries.length > 0) await decide(entries, startMs)
      } catch (error) {
        const rules = entries.map(({ rule }) => rule)
        log.error({ rules, err: error }, "The rules could not be evaluated; the next tick tries them again")
        for (const entry of entries) dueList.putOff(entry, startMs + RETRY_MS)
      }
      dueList.recordTickMs(clock.now() - startMs)
    },
    preview: async () => {
      const atMs = clock.now()
      const entries = dueList.peek(atMs)
      const { evaluation } = await askPolicy(context, reader, entries, { quoteOccurrences: true })
      const refusals = evaluation.proposals.map((proposal) =>
        judgeProposal(context, proposal, servedBy(proposal, entries)),
      )
      return { atMs, evaluation, refusals: await Promise.all(refusals) }
    },
    nextMs: (rule) => dueList.nextMs(rule, clock.now()),
  }
}

/** The due rules that a proposal serves. */
function servedBy({ rules, occurrence }: Proposal, entries: readonly DueEntry[]): DueEntry[] {
  return entries.filter((entry) => rules.includes(entry.rule) && entry.occurrence === occurrence)
}
