import type { Reason } from "#domain/reason.ts"
import type { RuleDecision } from "#engine/rules/decide/decide-tick.ts"
import type { Declined, Proposal } from "#policy/evaluate.ts"
import type { Measure } from "./results/measure.ts"
import type { SimulatedOrder } from "./simulated-journal.ts"
import type { Treasury } from "./world/treasury.ts"

/**
 * An observer of one run. It hears of each thing at its instant, after wallets and orders have
 * changed.
 */
export type RunWatch = {
  readonly declined: (declined: readonly Declined[], nowMs: number) => void
  /** The guards judged a proposal; without reasons it becomes an order. */
  readonly judged: (proposal: Proposal, reasons: readonly Reason[], nowMs: number) => void
  readonly opened: (order: SimulatedOrder, nowMs: number) => void
  /** The deposit has left the wallet. */
  readonly deposited: (order: SimulatedOrder, nowMs: number) => void
  readonly completed: (order: SimulatedOrder, nowMs: number) => void
  readonly refunded: (order: SimulatedOrder, nowMs: number) => void
  readonly rejected: (order: SimulatedOrder, code: string, nowMs: number) => void
  /** A network fee in smallest units of the coin. */
  readonly paidNetwork: (
    coin: Treasury["assets"][number]["id"],
    units: bigint,
    nowMs: number,
  ) => void
  /** The daemon would raise this alarm. */
  readonly alarmed?: (reason: Reason, nowMs: number) => void
  /** The decision of a due rule, as the daemon would store it. */
  readonly decided?: (decision: RuleDecision, nowMs: number) => void
  /** All changes of the instant are done. */
  readonly observed: (treasury: Treasury, nowMs: number) => void
}

/** The measure, which also tells the watch if there is one. */
export function watchMeasure(
  measure: Measure,
  watch: RunWatch | null,
  treasury: Treasury,
  now: () => number,
): Measure {
  if (watch === null) return measure
  return {
    ...measure,
    observe: (nowMs) => {
      measure.observe(nowMs)
      watch.observed(treasury, nowMs)
    },
    declined: (declined, nowMs) => {
      measure.declined(declined, nowMs)
      watch.declined(declined, nowMs)
    },
    judged: (proposal, reasons, nowMs) => {
      measure.judged(proposal, reasons, nowMs)
      watch.judged(proposal, reasons, nowMs)
    },
    opened: (order) => {
      measure.opened(order)
      watch.opened(order, now())
    },
    deposited: (order) => watch.deposited(order, now()),
    rejected: (order, code) => {
      measure.rejected(order, code)
      watch.rejected(order, code, now())
    },
    completed: (order) => {
      measure.completed(order)
      watch.completed(order, now())
    },
    refunded: (order) => {
      measure.refunded(order)
      watch.refunded(order, now())
    },
    paidNetwork: (coin, units) => {
      measure.paidNetwork(coin, units)
      watch.paidNetwork(coin, units, now())
    },
  }
}
