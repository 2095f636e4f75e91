import type { Reason } from "#domain/reason.ts"
import { mustExist } from "#lib/assert.ts"
import { encodeJson } from "#lib/json.ts"
import type { Proposal } from "#policy/evaluate.ts"
import type { Admission } from "../admission.ts"
import type { ProposalResult } from "../tick/decision.ts"
import type { DueEntry } from "../tick/due-list.ts"
import { MAX_ROUNDS, type PlanInputs, planAgain } from "../tick/plan-again.ts"
import type { PolicyAnswer } from "./plan-tick.ts"
import { type Answer, type Steps, wait } from "./steps.ts"

/**
 * What a tick reads and writes. The daemon plans from its nodes and services and writes to its
 * journal (`tick/tick.ts`), and a backtest does both in its own world.
 */
type TickPort = {
  /** Plans all due rules together, from fresh reads. */
  readonly plan: (entries: readonly DueEntry[]) => Answer<PolicyAnswer>
  /** Plans once more in the same tick. */
  readonly planAgain: (inputs: PlanInputs) => Answer<PolicyAnswer>
  /** Asks admission. An order is written together with the decisions that it follows from. */
  readonly admit: (
    proposal: Proposal,
    served: readonly DueEntry[],
    decisions: DecisionsOf,
  ) => Answer<Admission>
  /** The refusal of an order may state the bounds of its pair. */
  readonly learn: (proposal: Proposal, reasons: readonly Reason[]) => void
  /** Looks for rules that undo each other's work, after each tick with an order. */
  readonly watchChurn: () => void
  readonly record: (decision: RuleDecision) => void
  /** Records the decision of the last plan for the entry, which decides about its next time. */
  readonly conclude: (decision: RuleDecision) => void
}

/** The decisions that an order follows from. */
type DecisionsOf = (orderId: string) => readonly RuleDecision[]

/** The part of a plan that concerns one due rule, with the results of its proposals so far. */
export type RuleDecision = { readonly entry: DueEntry; readonly round: Round }

/** A plan of a tick and the results of its proposals. */
export type Round = {
  /** From 1. */
  readonly number: number
  readonly answer: PolicyAnswer
  readonly results: Map<Proposal, ProposalResult>
}

/**
 * Handles all due rules together: plan → one admission for each proposal, in order → decisions.
 * When admission refuses a proposal, the pair is marked and the rest is planned again in the same
 * tick. The engine and a backtest decide by this one function.
 */
export function* decideTick(port: TickPort, entries: readonly DueEntry[]): Steps<void> {
  const rounds = [yield* admitRound(port, entries, 1, yield* wait(port.plan(entries)))]
  for (let last = rounds[0]; last !== undefined && rounds.length < MAX_ROUNDS; ) {
    const again = planAgain(last.answer, last.results)
    if (again === null) break
    const answer = yield* wait(port.planAgain(again))
    const isUseless = answer.evaluation.proposals.length === 0
    if (isUseless) addReasons(last, answer)
    last = isUseless ? undefined : yield* admitRound(port, entries, rounds.length + 1, answer)
    if (last !== undefined) rounds.push(last)
  }
  if (rounds.some(({ results }) => [...results.values()].some(isOrder))) port.watchChurn()
  for (const entry of entries) {
    const own = rounds.filter(({ answer, number }) => number === 1 || proposesFor(answer, entry))
    // The last round decides about the next time; the earlier ones are records beside it.
    for (const round of own.slice(0, -1)) port.record({ entry, round })
    port.conclude({ entry, round: mustExist(own.at(-1), "the first round") })
  }
}

/** All reasons against the rule's proposals and needs, and whether it got an order. */
export function outcomeOf({ entry, round }: RuleDecision): {
  readonly reasons: readonly Reason[]
  readonly isOrdered: boolean
} {
  const { declined } = round.answer.evaluation
  const own = declined.filter(
    ({ rule, occurrence }) => rule === entry.rule && occurrence === entry.occurrence,
  )
  const results = [...round.results]
    .filter(([proposal]) => serves(proposal, entry))
    .map(([, result]) => result)
  const refused = results.flatMap((result) =>
    result !== null && "refused" in result ? result.refused : [],
  )
  return {
    reasons: [...own.flatMap(({ reasons }) => reasons), ...refused],
    isOrdered: results.some(isOrder),
  }
}

/** The due rules that a proposal serves. */
export function servedBy(proposal: Proposal, entries: readonly DueEntry[]): DueEntry[] {
  return entries.filter((entry) => serves(proposal, entry))
}

function* admitRound(
  port: TickPort,
  entries: readonly DueEntry[],
  number: number,
  answer: PolicyAnswer,
): Steps<Round> {
  const results = new Map<Proposal, ProposalResult>()
  const round = { number, answer, results }
  for (const proposal of answer.evaluation.proposals) {
    const served = servedBy(proposal, entries)
    const decisions: DecisionsOf = (order) => {
      results.set(proposal, { order })
      return served.map((entry) => ({ entry, round }))
    }
    const admission = yield* wait(port.admit(proposal, served, decisions))
    results.set(proposal, admission.ok ? { order: admission.id } : { refused: admission.reasons })
    if (!admission.ok) port.learn(proposal, admission.reasons)
  }
  return round
}

/**
 * Where the next plan has nothing for a refused order, its reasons are recorded beside those of
 * admission.
 */
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

function proposesFor({ evaluation }: PolicyAnswer, entry: DueEntry): boolean {
  return evaluation.proposals.some((proposal) => serves(proposal, entry))
}

function serves({ rules, occurrence }: Proposal, entry: DueEntry): boolean {
  return rules.includes(entry.rule) && entry.occurrence === occurrence
}

function isOrder(result: ProposalResult): boolean {
  return result !== null && "order" in result
}
