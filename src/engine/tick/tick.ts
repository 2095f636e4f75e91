import type { Reason } from "#domain/reason.ts"
import { present } from "#lib/assert.ts"
import { encodeJson } from "#lib/json.ts"
import type { Evaluation, Proposal } from "#policy/evaluate.ts"
import type { TimedRule } from "#policy/rules/registry.ts"
import type { EngineContext } from "../context.ts"
import { admitProposal, judgeProposal } from "./admit-proposal.ts"
import { askPolicy, evaluateNow, type PolicyAnswer } from "./ask-policy.ts"
import { conclude, concludeMissed, RETRY_MS } from "./conclude.ts"
import { type ProposalResult, toDecision } from "./decision.ts"
import { createDueList, type DueEntry } from "./due-list.ts"
import { createQuoteReader } from "./pair-quotes.ts"
import { planAgain } from "./plan-again.ts"

/**
 * Handles all due rules together: view → evaluate → one admission for each proposal, in order → decision records. When admission refuses a proposal,
 * the pair is marked and the rest is planned again in the same tick. One tick runs at a time, and its orders are in the journal before the next tick
 * begins.
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
    const first = await askPolicy(context, reader, entries, { quoteOccurrences: false })
    const rounds = [await admitRound(first, entries, { nowMs, number: 1 })]
    for (let last = rounds[0]; last !== undefined && rounds.length < MAX_ROUNDS; ) {
      const again = planAgain(last.answer, last.results)
      const answer = again === null ? null : await evaluateNow(again)
      if (answer === null) break
      const isUseless = answer.evaluation.proposals.length === 0
      if (isUseless) addReasons(last, answer)
      last = isUseless ? undefined : await admitRound(answer, entries, { nowMs, number: rounds.length + 1 })
      if (last !== undefined) rounds.push(last)
    }
    for (const entry of entries) {
      const own = rounds.filter(({ answer }, index) => index === 0 || proposesFor(answer, entry))
      // The last round decides about the next time; the earlier ones are records beside it.
      for (const round of own.slice(0, -1)) context.journal.recordDecision(toDecision(entry, round.shared))
      const { shared } = present(own.at(-1), "the first round")
      conclude(context, dueList, entry, toDecision(entry, shared), nowMs)
    }
  }

  async function admitRound(
    answer: PolicyAnswer,
    entries: readonly DueEntry[],
    { nowMs, number }: { readonly nowMs: number; readonly number: number },
  ): Promise<Round> {
    const results = new Map<Proposal, ProposalResult>()
    const shared = {
      evaluation: answer.evaluation,
      resultOf: (proposal: Proposal): ProposalResult => results.get(proposal) ?? null,
      inputs: encodeJson(answer.inputs),
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

/** Plans of one tick: each refusal of a pair leads to another plan without it. */
const MAX_ROUNDS = 4

/** A plan and the results of its proposals. */
type Round = {
  readonly answer: PolicyAnswer
  readonly results: Map<Proposal, ProposalResult>
  readonly shared: Parameters<typeof toDecision>[1]
}

function proposesFor({ evaluation }: PolicyAnswer, { rule, occurrence }: DueEntry): boolean {
  return evaluation.proposals.some((one) => one.rules.includes(rule) && one.occurrence === occurrence)
}

/** Where the second plan has nothing for a refused order, its reasons are recorded beside those of admission. */
function addReasons({ results }: Round, { evaluation }: PolicyAnswer): void {
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
function servedBy({ rules, occurrence }: Proposal, entries: readonly DueEntry[]): DueEntry[] {
  return entries.filter((entry) => rules.includes(entry.rule) && entry.occurrence === occurrence)
}
