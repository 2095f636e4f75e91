import type { Reason } from "#domain/reason.ts"
import { present } from "#lib/assert.ts"
import type { Evaluation } from "#policy/evaluate.ts"
import { type CostParts, listCostParts } from "#policy/list-cost-parts.ts"
import type { TimedRule } from "#policy/rules/registry.ts"
import type { EngineContext } from "../../context.ts"
import { listRuleOrders, watchChurn } from "../../watches/churn-watch.ts"
import { judgeProposal } from "./admit-proposal.ts"
import { addReasons, admitRound, proposesFor, servedBy } from "./admit-round.ts"
import { askPolicy, evaluateNow } from "./ask-policy.ts"
import { conclude, concludeMissed, RETRY_MS } from "./conclude.ts"
import { toDecision } from "./decision.ts"
import { createDueList, type DueEntry } from "./due-list.ts"
import { createQuoteReader } from "./pair-quotes.ts"
import { MAX_ROUNDS, planAgain } from "./plan-again.ts"

/**
 * Handles all due rules together: view → evaluate → one admission for each proposal, in order →
 * decision records. When admission refuses a proposal, the pair is marked and the rest is planned
 * again in the same tick. One tick runs at a time, and its orders are in the journal before the
 * next tick begins.
 */
export type Tick = {
  readonly run: () => Promise<void>
  /** The proposals of a tick in which every standing rule is due. Writes nothing. */
  readonly preview: () => Promise<Preview>
  readonly nextMs: (rule: TimedRule) => number | null
  /**
   * The time from which the rule should have a decision and has none; `null` for a rule that is in
   * time.
   */
  readonly overdueSinceMs: (rule: TimedRule) => number | null
}

type Preview = {
  readonly atMs: number
  readonly evaluation: Evaluation
  /** For each proposal, by index: the reasons with which the guards would refuse it on its own. */
  readonly refusals: readonly (readonly Reason[])[]
  /** For each proposal, by index. */
  readonly costs: readonly (CostParts | null)[]
}

export function createTick(context: EngineContext): Tick {
  const { clock, log } = context
  const reader = createQuoteReader(context)
  const dueList = createDueList(context, (occurrence) => concludeMissed(context, occurrence))

  async function decide(entries: readonly DueEntry[], nowMs: number): Promise<void> {
    const first = await askPolicy(context, reader, entries, { quoteOccurrences: false })
    const rounds = [await admitRound(context, reader, first, { entries, nowMs, number: 1 })]
    for (let last = rounds[0]; last !== undefined && rounds.length < MAX_ROUNDS; ) {
      const again = planAgain(last.answer, last.results)
      const answer = again === null ? null : await evaluateNow(context, again)
      if (answer === null) break
      const isUseless = answer.evaluation.proposals.length === 0
      if (isUseless) addReasons(last, answer)
      last = isUseless
        ? undefined
        : await admitRound(context, reader, answer, { entries, nowMs, number: rounds.length + 1 })
      if (last !== undefined) rounds.push(last)
    }
    if (
      rounds.some(({ results }) =>
        [...results.values()].some((result) => result !== null && "order" in result),
      )
    ) {
      watchChurn(context, (sinceMs) => listRuleOrders(context, sinceMs))
    }
    for (const entry of entries) {
      const own = rounds.filter(({ answer }, index) => index === 0 || proposesFor(answer, entry))
      // The last round decides about the next time; the earlier ones are records beside it.
      for (const round of own.slice(0, -1))
        context.journal.recordDecision(toDecision(entry, round.shared))
      const { shared } = present(own.at(-1), "the first round")
      conclude(context, dueList, entry, toDecision(entry, shared), nowMs)
    }
  }

  return {
    run: async () => {
      const startMs = clock.now()
      const entries = dueList.take(startMs)
      try {
        if (entries.length > 0) await decide(entries, startMs)
      } catch (error) {
        const rules = entries.map(({ rule }) => rule)
        log.error(
          { rules, err: error },
          "The rules could not be evaluated; the next tick tries them again",
        )
        for (const entry of entries) dueList.putOff(entry, startMs + RETRY_MS)
      }
      dueList.recordTickMs(clock.now() - startMs)
    },
    preview: async () => {
      const atMs = clock.now()
      const entries = dueList.peek(atMs)
      const { evaluation, inputs } = await askPolicy(context, reader, entries, {
        quoteOccurrences: true,
      })
      const refusals = evaluation.proposals.map((proposal) =>
        judgeProposal(context, proposal, servedBy(proposal, entries)),
      )
      const costs = evaluation.proposals.map((proposal) => listCostParts(proposal, inputs.view))
      return { atMs, evaluation, refusals: await Promise.all(refusals), costs }
    },
    nextMs: (rule) => dueList.nextMs(rule, clock.now()),
    overdueSinceMs: (rule) => dueList.overdueSinceMs(rule, clock.now()),
  }
}
