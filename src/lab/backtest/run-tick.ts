import type { Reason } from "#domain/reason.ts"
import { decideTick, outcomeOf, type RuleDecision } from "#engine/rules/decide/decide-tick.ts"
import { noteFeeWait } from "#engine/rules/decide/note-fee-wait.ts"
import { evaluateNow } from "#engine/rules/decide/plan-tick.ts"
import { runAtOnce } from "#engine/rules/decide/steps.ts"
import type { DueEntry } from "#engine/rules/tick/due-list.ts"
import { watchChurn } from "#engine/watches/churn-watch.ts"
import type { Proposal } from "#policy/evaluate.ts"
import { searchAlone } from "#policy/planner/flow/search-here.ts"
import type { Decider } from "./create-decider.ts"
import type { createJudge, Judged } from "./create-judge.ts"
import type { Measure } from "./results/measure.ts"
import type { RunContext } from "./run-context.ts"
import type { Timeline } from "./world/create-timeline.ts"
import type { OrderProcessor } from "./world/process-orders.ts"
import { valueOfWallets } from "./world/treasury.ts"

type TickParts = RunContext & {
  readonly decider: Decider
  readonly judge: ReturnType<typeof createJudge>
  readonly processor: OrderProcessor
  readonly measure: Measure
  readonly clock: Timeline
  readonly alarmed: (reason: Reason, nowMs: number) => void
  readonly decided: (decision: RuleDecision, nowMs: number) => void
}

/** One tick of the daemon (`engine/rules/decide/decide-tick.ts`) in the simulated world. */
export function runTick(parts: TickParts, entries: readonly DueEntry[], nowMs: number): void {
  const { decider, judge, processor, measure, clock, decided } = parts
  let refused: string[] = []

  function admit(proposal: Proposal, judged: Judged): void {
    const reasons = judged.ok ? [] : judged.reasons
    measure.judged(proposal, reasons, nowMs)
    if (judged.ok) processor.open(proposal, judged, nowMs)
    else refused.push(...proposal.rules)
  }

  const steps = decideTick(
    {
      plan: (due) => {
        const answer = decider.plan(due)
        measure.declined(answer.evaluation.declined, nowMs)
        return answer
      },
      planAgain: (inputs) => {
        const answer = runAtOnce(evaluateNow({ solve: parts.subject.solve ?? searchAlone }, inputs))
        // Another plan concerns only the rules that were refused an order.
        const declined = answer.evaluation.declined.filter(({ rule }) => refused.includes(rule))
        measure.declined(declined, nowMs)
        refused = []
        return answer
      },
      admit: (proposal) => {
        const judged = judge(proposal, nowMs)
        admit(proposal, judged)
        return judged.ok ? { ok: true, id: OPENED } : judged
      },
      learn: ({ from, to }, reasons) => {
        if (reasons.some(({ code }) => code === "service.amount_bounds"))
          decider.learnBounds(from, to)
      },
      watchChurn: () => stopChurn(parts, nowMs),
      record: (decision) => decided(decision, nowMs),
      conclude: (decision) => {
        decided(decision, nowMs)
        noteFeeWait(parts.orders, decision)
        clock.conclude(decision.entry, outcomeOf(decision))
      },
    },
    entries,
  )
  runAtOnce(steps)
}

const OPENED = "opened"

/**
 * The alarm of the daemon against rules that undo each other's work. A backtest never lifts its
 * pause.
 */
function stopChurn({ orders, subject, treasury, alarmed }: TickParts, nowMs: number): void {
  const raiseAlert = (atMs: number, reason: Reason): void => {
    treasury.touch()
    alarmed(reason, atMs)
  }
  const journal = { readFlag: orders.readFlag, writeFlag: orders.writeFlag, raiseAlert }
  const clock = { now: () => nowMs }
  watchChurn(
    { journal, settings: subject.settings, clock, log: SILENT },
    orders.listRuleOrders,
    () => valueOfWallets(treasury),
  )
}

const SILENT = { error: () => undefined }
