import type { AssetId } from "#domain/asset.ts"
import { mustExist } from "#lib/assert.ts"
import { OURS } from "../ours.ts"
import type { BookCheck } from "../results/book-check.ts"
import type { Measure } from "../results/measure.ts"
import { coinOf, depositFeeAt, type RunContext } from "../run-context.ts"
import type { SimulatedOrder } from "../simulated-journal.ts"
import { pairOf, redeemFeeOf } from "../simulated-routes.ts"
import { findFaults } from "./active-faults.ts"
import {
  completeOrder,
  depositOrder,
  isRelayed,
  markUnfilled,
  refundOrder,
  rejectOrder,
} from "./order-transitions.ts"
import type { Market } from "./sample-market.ts"
import { chainIn } from "./treasury.ts"

/** A step of an order at a later time. */
export type PlannedStep = {
  readonly atMs: number
  readonly id: string
  readonly what: "deposit" | "expire" | "complete" | "unfilled" | "refund"
}

export type StepContext = RunContext & {
  readonly market: Market
  readonly books: BookCheck
  readonly measure: Measure
  readonly plan: (step: PlannedStep) => void
}

/**
 * Runs one step of an open order: changes wallets, books and measures, and plans the steps that
 * follow.
 */
export function runStep(context: StepContext, { what, id }: PlannedStep, nowMs: number): void {
  const order = mustExist(context.orders.find(id), `the open order ${id}`)
  switch (what) {
    case "deposit":
      deposit(context, order, nowMs)
      break
    case "expire":
      reject(context, order, "approval.expired", nowMs)
      break
    case "complete":
      complete(context, order, nowMs)
      break
    case "unfilled":
      putOrder(context, markUnfilled(order), nowMs)
      break
    case "refund":
      refund(context, order, nowMs)
  }
}

/** Stores the next state of an order. */
export function putOrder(
  { orders, treasury }: StepContext,
  order: SimulatedOrder,
  nowMs: number,
): void {
  orders.put(order, nowMs)
  treasury.touch()
}

function reject(context: StepContext, order: SimulatedOrder, code: string, nowMs: number): void {
  putOrder(context, rejectOrder(order), nowMs)
  context.measure.rejected(order, code)
}

function deposit(context: StepContext, order: SimulatedOrder, nowMs: number): void {
  const { scenario, treasury, market, books, measure, plan } = context
  const { from, to, sourceUnits } = order.data.request
  const { kind } = order.data.quote ?? {}
  const pair = pairOf(context, { from, to, ...(kind === undefined ? {} : { kind }) })
  const drawn = market.sampleOrder(from, to, order.data.createdAt, pair)
  const sample = kind === undefined ? drawn : { ...drawn, end: "completed" as const }
  const coin = coinOf({ scenario }, from)
  const relayed = kind === undefined && isRelayed(order.data.policy, from === coin)
  const feeUnits = relayed ? 0n : depositFeeAt(scenario, from, nowMs)
  const isDown = kind === undefined && findFaults(scenario, nowMs).declinesOrders()
  const declines = sample.end === "declined" || isDown
  const fault = declines ? "service.declined" : findShortage(context, order, coin, feeUnits)
  if (fault !== null) {
    reject(context, order, fault, nowMs)
    return
  }
  treasury.add(from, -sourceUnits)
  treasury.payFee(coin, feeUnits, nowMs)
  const next = depositOrder(order, relayed ? null : feeUnits, nowMs)
  books.post(order.data, next.data)
  putOrder(context, next, nowMs)
  measure.paidNetwork(coin, feeUnits)
  measure.deposited(next)
  const { id } = next.data
  const endMs = nowMs + sample.durationMs
  if (sample.end === "refunded") {
    plan({ atMs: nowMs + Math.min(pair.duration.most, sample.durationMs), id, what: "unfilled" })
  }
  plan({ atMs: endMs, id, what: sample.end === "refunded" ? "refund" : "complete" })
}

/**
 * A withdrawal may have taken the funds since admission. A real order also ends before its
 * signature in that case.
 */
function findShortage(
  { treasury }: StepContext,
  { data }: SimulatedOrder,
  coin: AssetId,
  feeUnits: bigint,
): string | null {
  const { from, sourceUnits } = data.request
  if (treasury.units(from) < sourceUnits + (coin === from ? feeUnits : 0n))
    return "funds.insufficient"
  return coin !== from && treasury.units(coin) < feeUnits ? "funds.gas" : null
}

function complete(context: StepContext, order: SimulatedOrder, nowMs: number): void {
  const { treasury, books, measure, plan } = context
  const { to, destinationOwner } = order.data.request
  const { kind } = order.data.quote ?? {}
  const fee = redeemFeeOf(context, { to, ...(kind === undefined ? {} : { kind }) }, nowMs)
  if (treasury.units(fee.coin) < fee.units) {
    measure.waited(order, "funds.gas", nowMs)
    plan({ atMs: nowMs + REFUND_AGAIN_MS, id: order.data.id, what: "complete" })
    return
  }
  if (fee.units > 0n) {
    treasury.payFee(fee.coin, fee.units, nowMs)
    measure.paidNetwork(fee.coin, fee.units)
  }
  const next = completeOrder(order, fee.units)
  if (destinationOwner === OURS) treasury.add(to, mustExist(next.data.receipt, "the payout").units)
  books.post(order.data, next.data)
  putOrder(context, next, nowMs)
  measure.completed(next)
}

/**
 * A fee that comes out of the refunded amount needs no other coin. Otherwise the refund waits until
 * the wallet has the coin.
 */
function refund(context: StepContext, order: SimulatedOrder, nowMs: number): void {
  const { scenario, treasury, books, measure, plan } = context
  const { from } = order.data.request
  const feeUnits = chainIn(scenario, from).refundFeeUnits
  const coin = coinOf({ scenario }, from)
  const takenOut = chainIn(scenario, from).takesRefundFeeOut
  if (!takenOut && treasury.units(coin) < feeUnits) {
    measure.waited(order, "funds.gas", nowMs)
    plan({ atMs: nowMs + REFUND_AGAIN_MS, id: order.data.id, what: "refund" })
    return
  }
  const next = refundOrder(order, feeUnits, takenOut)
  if (!takenOut) treasury.payFee(coin, feeUnits, nowMs)
  treasury.add(from, mustExist(next.data.returned, "the refund").units)
  books.post(order.data, next.data)
  putOrder(context, next, nowMs)
  measure.paidNetwork(coin, feeUnits)
  measure.refunded(next)
}

const REFUND_AGAIN_MS = 3_600_000
