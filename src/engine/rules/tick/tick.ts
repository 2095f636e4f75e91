import type { Reason } from "#domain/reason.ts"
import { encodeJson } from "#lib/json.ts"
import type { Evaluation } from "#policy/evaluate.ts"
import { explainProposal } from "#policy/explain-proposal.ts"
import { type CostParts, listCostParts } from "#policy/list-cost-parts.ts"
import { searchAlone } from "#policy/planner/flow/search-here.ts"
import type { TimedRule } from "#policy/rules/registry.ts"
import type { NewDecision } from "#ports/journal/decisions.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { Ledger } from "#ports/journal/ledger.ts"
import type { OrderSums } from "#ports/journal/order-sums.ts"
import type { OrderStore } from "#ports/journal/orders.ts"
import type { Reservations } from "#ports/journal/reservations.ts"
import type {
  Configured,
  HasJournal,
  Naming,
  OfferContext,
  Remembering,
  Solving,
  Stoppable,
} from "../../context.ts"
import { listRuleOrders, readWalletsFiat, watchChurn } from "../../watches/churn-watch.ts"
import { forgetFault, noteFault } from "../../watches/part-faults.ts"
import { decideTick, type Round, type RuleDecision, servedBy } from "../decide/decide-tick.ts"
import { RETRY_MS } from "../decide/next-try.ts"
import { noteFeeWait } from "../decide/note-fee-wait.ts"
import { evaluateNow, type PlanPort, planTick } from "../decide/plan-tick.ts"
import { runSteps } from "../decide/steps.ts"
import { admitProposal, judgeProposal } from "./admit-proposal.ts"
import { viewPortOf } from "./build-view.ts"
import { conclude, concludeMissed } from "./conclude.ts"
import { toDecision } from "./decision.ts"
import { createDueList, type DueEntry } from "./due-list.ts"
import { createQuoteReader, type QuoteReader } from "./pair-quotes.ts"
import { generalLimits, readPlanLimits } from "./plan-limits.ts"

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
  /** For each proposal, by index. */
  readonly explained: readonly (readonly string[])[]
}

export function createTick(
  context: HasJournal & Stoppable & Solving & Naming & Remembering & OfferContext,
): Tick {
  const { clock, log } = context
  const reader = createQuoteReader(context)
  const dueList = createDueList(context, (occurrence) => concludeMissed(context, occurrence))

  async function decide(entries: readonly DueEntry[], nowMs: number): Promise<void> {
    const write = createDecisionWriter(context, nowMs)
    await runSteps(
      decideTick(
        {
          plan: (due) => runSteps(planTick(planPortOf(context, reader), due)),
          planAgain: (inputs) => runSteps(evaluateNow({ solve: solverOf(context) }, inputs)),
          admit: (proposal, served, decisions) =>
            admitProposal(context, proposal, served, (order) => decisions(order).map(write)),
          learn: ({ from, to }, reasons) => reader.learn(from, to, reasons),
          watchChurn: () =>
            watchChurn(
              context,
              (sinceMs) => listRuleOrders(context, sinceMs),
              () => readWalletsFiat(context),
            ),
          record: (decision) => void context.journal.recordDecision(write(decision)),
          conclude: (decision) => {
            noteFeeWait(context.journal, decision)
            conclude(context, dueList, decision.entry, write(decision), nowMs)
          },
        },
        entries,
      ),
    )
  }

  return {
    run: async () => {
      const startMs = clock.now()
      const entries = dueList.take(startMs)
      try {
        if (entries.length > 0) await decide(entries, startMs)
        if (entries.length > 0) forgetFault(context, "rules")
      } catch (error) {
        const rules = entries.map(({ rule }) => rule)
        log.error(
          { rules, err: error },
          "The rules could not be evaluated; the next tick tries them again",
        )
        noteFault(context, "rules", error)
        for (const entry of entries) dueList.putOff(entry, startMs + RETRY_MS)
      }
      dueList.recordTickMs(clock.now() - startMs)
    },
    preview: async () => {
      const atMs = clock.now()
      const entries = dueList.peek(atMs)
      const { evaluation, inputs } = await runSteps(planTick(planPortOf(context, reader), entries))
      const refusals = evaluation.proposals.map((proposal) =>
        judgeProposal(context, proposal, servedBy(proposal, entries)),
      )
      const costs = evaluation.proposals.map((proposal) => listCostParts(proposal, inputs.view))
      const explained = evaluation.proposals.map((proposal) => explainProposal(proposal, inputs))
      return { atMs, evaluation, refusals: await Promise.all(refusals), costs, explained }
    },
    nextMs: (rule) => dueList.nextMs(rule, clock.now()),
    overdueSinceMs: (rule) => dueList.overdueSinceMs(rule, clock.now()),
  }
}

/** The reads of a plan, from the nodes, the services and the journal. */
function planPortOf(
  context: HasJournal<
    FlagStore &
      OrderStore &
      OrderSums &
      Reservations &
      Pick<Ledger, "listLastPostings" | "listSamples">
  > &
    Stoppable &
    Solving &
    Remembering &
    OfferContext,
  reader: QuoteReader,
): PlanPort {
  return {
    ...viewPortOf(context, reader),
    rules: context.settings.rules.filter(({ enabled }) => enabled !== false),
    general: generalLimits(context),
    readLimits: (general, pairs) => readPlanLimits(context, general, pairs),
    solve: solverOf(context),
  }
}

function solverOf({ solver }: Solving): PlanPort["solve"] {
  return (problem) => solver?.solve(problem) ?? searchAlone(problem)
}

/** Turns the decisions of one tick into rows. The rows of one plan share the text of its inputs. */
function createDecisionWriter(
  { settings }: Configured,
  nowMs: number,
): (decision: RuleDecision) => NewDecision {
  const inputs = new Map<Round, string>()
  const configHash = settings.configHash ?? null
  return ({ entry, round }) => {
    const { evaluation, inputs: read } = round.answer
    const text = inputs.get(round) ?? encodeJson(read)
    inputs.set(round, text)
    return toDecision(entry, {
      evaluation,
      resultOf: (proposal) => round.results.get(proposal) ?? null,
      inputs: text,
      view: read.view,
      configHash,
      nowMs,
      round: round.number,
    })
  }
}
