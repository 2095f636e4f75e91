import type { AssetId } from "#domain/asset.ts"
import { needsApproval } from "#guards/needs-approval.ts"
import { present } from "#lib/assert.ts"
import type { Proposal } from "#policy/evaluate.ts"
import type { BookCheck } from "./book-check.ts"
import { type BacktestContext, coinOf, type Judged } from "./judge-proposal.ts"
import type { Measure } from "./measure.ts"
import {
  acceptOrder,
  completeOrder,
  depositOrder,
  isRelayed,
  markUnfilled,
  OURS,
  refundOrder,
  rejectOrder,
} from "./order-transitions.ts"
import type { Market } from "./sample-market.ts"
import type { SimulatedOrder } from "./simulated-journal.ts"
import { chainIn } from "./treasury.ts"

/** Takes admitted orders through approval and deposit to a payout or a refund. */
export type OrderProcessor = {
  readonly open: (proposal: Proposal, judged: Judged, nowMs: number) => void
  /** Runs all steps that are due. */
  readonly advance: (nowMs: number) => void
  readonly nextMs: () => number
}

type PlannedStep = {
  readonly atMs: number
  readonly id: string
  readonly what: "deposit" | "expire" | "complete" | "unfilled" | "refund"
}

type ProcessorContext = Omit<BacktestContext, "nowMs"> & {
  readonly market: Market
  readonly books: BookCheck
  readonly measure: Measure
}

export function createOrderProcessor(context: ProcessorContext): OrderProcessor {
  const { subject, scenario, treasury, orders, market, books, measure } = context
  const plannedSteps: PlannedStep[] = []
  let count = 0

  function plan(plannedStep: PlannedStep): void {
    const index = plannedSteps.findIndex(({ atMs }) => atMs > plannedStep.atMs)
    plannedSteps.splice(index < 0 ? plannedSteps.length : index, 0, plannedStep)
  }

  function put(order: SimulatedOrder, nowMs: number): void {
    orders.put(order, nowMs)
    treasury.touch()
  }

  function reject(order: SimulatedOrder, code: string, nowMs: number): void {
    put(rejectOrder(order), nowMs)
    measure.rejected(order, code)
  }

  function deposit(order: SimulatedOrder, nowMs: number): void {
    const { from, to, sourceUnits } = order.data.request
    const pair = treasury.pair(from, to)
    const sample = market.sampleOrder(from, to, order.data.createdAt, pair)
    const coin = coinOf(subject, from)
    const relayed = isRelayed(order.data.policy, from === coin)
    const feeUnits = relayed ? 0n : chainIn(scenario, from).depositFeeUnits
    const fault = sample.end === "declined" ? "service.declined" : findShortage(order, coin, feeUnits)
    if (fault !== null) {
      reject(order, fault, nowMs)
      return
    }
    treasury.add(from, -sourceUnits)
    treasury.add(coin, -feeUnits)
    const next = depositOrder(order, relayed ? null : feeUnits, nowMs)
    books.post(order.data, next.data)
    put(next, nowMs)
    measure.paidNetwork(coin, feeUnits)
    const { id } = next.data
    const endMs = nowMs + sample.durationMs
    if (sample.end === "refunded")
      plan({ atMs: nowMs + Math.min(pair.duration.most, sample.durationMs), id, what: "unfilled" })
    plan({ atMs: endMs, id, what: sample.end === "refunded" ? "refund" : "complete" })
  }

  /** A withdrawal may have taken the funds since admission. A real order also ends before its signature in that case. */
  function findShortage({ data }: SimulatedOrder, coin: AssetId, feeUnits: bigint): string | null {
    const { from, sourceUnits } = data.request
    if (treasury.units(from) < sourceUnits + (coin === from ? feeUnits : 0n)) return "funds.insufficient"
    return coin !== from && treasury.units(coin) < feeUnits ? "funds.gas" : null
  }

  function complete(order: SimulatedOrder, nowMs: number): void {
    const next = completeOrder(order)
    const { to, destinationOwner } = order.data.request
    if (destinationOwner === OURS) treasury.add(to, present(next.data.receipt, "the payout").units)
    books.post(order.data, next.data)
    put(next, nowMs)
    measure.completed(next)
  }

  /** On Bitcoin the fee comes out of the refund. On other chains the refund waits until the wallet has the coin for the fee. */
  function refund(order: SimulatedOrder, nowMs: number): void {
    const { from } = order.data.request
    const feeUnits = chainIn(scenario, from).refundFeeUnits
    const coin = coinOf(subject, from)
    const takenOut = chainIn(scenario, from).takesRefundFeeOut
    if (!takenOut && treasury.units(coin) < feeUnits) {
      measure.waited(order, "funds.gas", nowMs)
      plan({ atMs: nowMs + REFUND_AGAIN_MS, id: order.data.id, what: "refund" })
      return
    }
    const next = refundOrder(order, feeUnits, takenOut)
    if (!takenOut) treasury.add(coin, -feeUnits)
    treasury.add(from, present(next.data.returned, "the refund").units)
    books.post(order.data, next.data)
    put(next, nowMs)
    measure.paidNetwork(coin, feeUnits)
    measure.refunded()
  }

  function act({ what, id }: PlannedStep, nowMs: number): void {
    const order = present(orders.find(id), `the open order ${id}`)
    switch (what) {
      case "deposit":
        deposit(order, nowMs)
        break
      case "expire":
        reject(order, "approval.expired", nowMs)
        break
      case "complete":
        complete(order, nowMs)
        break
      case "unfilled":
        put(markUnfilled(order), nowMs)
        break
      case "refund":
        refund(order, nowMs)
    }
  }

  return {
    open: (proposal, judged, nowMs) => {
      count += 1
      const { quote, reference, decimals, policy, feeBudget } = judged
      const rule = proposal.rules[0] ?? ""
      const { occurrence, destination } = proposal
      const asked = { id: `order-${count}`, rule, occurrence, destination }
      const order = acceptOrder({ ...asked, quote, reference, decimals, policy, feeBudget, nowMs })
      put(order, nowMs)
      measure.opened(order)
      if (!needsApproval(order.data)) {
        deposit(order, nowMs)
        return
      }
      const { approvalMs } = market.sampleOrder(quote.from, quote.to, nowMs, treasury.pair(quote.from, quote.to))
      const late = approvalMs > policy.approvalTtlMs
      const atMs = nowMs + (late ? policy.approvalTtlMs : approvalMs)
      plan({ atMs, id: order.data.id, what: late ? "expire" : "deposit" })
    },
    advance: (nowMs) => {
      for (let next = plannedSteps[0]; next !== undefined && next.atMs <= nowMs; next = plannedSteps[0]) {
        plannedSteps.shift()
        act(next, nowMs)
      }
    },
    nextMs: () => plannedSteps[0]?.atMs ?? Number.POSITIVE_INFINITY,
  }
}

const REFUND_AGAIN_MS = 3_600_000
