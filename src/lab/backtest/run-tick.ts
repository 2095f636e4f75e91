import type { Reason } from "#domain/reason.ts"
import { delayOf } from "#engine/rules/tick/conclude.ts"
import type { ProposalResult } from "#engine/rules/tick/decision.ts"
import { MAX_ROUNDS, planAgain } from "#engine/rules/tick/plan-again.ts"
import { watchChurn } from "#engine/watches/churn-watch.ts"
import { type DueRule, evaluate, type Proposal } from "#policy/evaluate.ts"
import type { BacktestAnswer, Decider } from "./create-decider.ts"
import type { createJudge } from "./create-judge.ts"
import type { BacktestContext } from "./judge-in-backtest.ts"
import type { Calendar } from "./list-due.ts"
import type { Measure } from "./results/measure.ts"
import type { Timeline } from "./world/create-timeline.ts"
import type { OrderProcessor } from "./world/process-orders.ts"

type TickParts = Omit<BacktestContext, "nowMs"> & {
  readonly decider: Decider
  readonly judge: ReturnType<typeof createJudge>
  readonly processor: OrderProcessor
  readonly measure: Measure
  readonly clock: Timeline
  readonly calendar: Calendar
  readonly alarmed: (reason: Reason, nowMs: number) => void
}

/**
 * One tick of the daemon (`engine/rules/tick/tick.ts`): plan, judge each proposal, and plan again
 * without the refused pairs. Returns the occurrences that became orders.
 */
export function runTick(
  parts: TickParts,
  due: readonly DueRule[],
  nowMs: number,
): readonly string[] {
  const { decider, measure, clock, calendar } = parts
  const reasons = new Map(due.map(({ rule }): [string, Reason[]] => [rule, []]))
  const accepted: Proposal[] = []
  let answer = decider.decide(due)
  let refused: readonly string[] | null = null
  for (let round = 1; ; round += 1) {
    // Another plan concerns only the rules that were refused an order.
    const declined = answer.evaluation.declined.filter(
      ({ rule }) => refused?.includes(rule) ?? true,
    )
    measure.declined(declined, nowMs)
    for (const rule of answer.evaluation.proposals.flatMap(({ rules }) => rules))
      if (round > 1) reasons.set(rule, [])
    for (const { rule, reasons: own } of declined) reasons.get(rule)?.push(...own)
    const results = admit(parts, answer, nowMs)
    for (const [proposal, result] of results) {
      if (result !== null && "order" in result) accepted.push(proposal)
      else for (const rule of proposal.rules) reasons.get(rule)?.push(...(result?.refused ?? []))
    }
    const again = round < MAX_ROUNDS ? planAgain(answer, results) : null
    if (again === null) break
    refused = [...results].flatMap(([{ rules }, result]) =>
      result !== null && "order" in result ? [] : rules,
    )
    const evaluation = evaluate(
      again.view,
      again.rules,
      again.limits,
      again.due,
      parts.subject.solve,
    )
    answer = { evaluation, inputs: again }
  }
  if (accepted.length > 0) stopChurn(parts, nowMs)
  for (const { rule, everyMs } of calendar.standing) {
    const own = reasons.get(rule)
    if (own !== undefined) clock.putOff(rule, delayOf(everyMs, own))
  }
  return accepted.flatMap(({ occurrence }) => occurrence ?? [])
}

function admit(
  { decider, judge, measure, processor }: TickParts,
  { evaluation }: BacktestAnswer,
  nowMs: number,
): Map<Proposal, ProposalResult> {
  const results = new Map<Proposal, ProposalResult>()
  for (const proposal of evaluation.proposals) {
    const judged = judge(proposal, nowMs)
    measure.judged(proposal, judged.reasons, nowMs)
    if (judged.reasons.some(({ code }) => code === "service.amount_bounds"))
      decider.learnBounds(proposal.from, proposal.to)
    results.set(
      proposal,
      judged.reasons.length > 0 ? { refused: judged.reasons } : { order: OPENED },
    )
    if (judged.reasons.length === 0) processor.open(proposal, judged, nowMs)
  }
  return results
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
  const context = { journal, settings: subject.settings, clock: { now: () => nowMs }, log: SILENT }
  watchChurn(context, orders.listRuleOrders)
}

const SILENT = { error: () => undefined }
