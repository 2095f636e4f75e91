import type { AssetId } from "#domain/asset.ts"
import { requiresApproval } from "#guards/requires-approval.ts"
import { present } from "#lib/assert.ts"
import type { Proposal } from "#policy/evaluate.ts"
import type { BookCheck } from "./book-check.ts"
import type { World } from "./draw-world.ts"
import { coinOf, type Desk, type Judged } from "./judge-proposal.ts"
import type { Measure } from "./measure.ts"
import type { SimulatedOrder } from "./order-book.ts"
import {
  completeOrder,
  depositOrder,
  isRelayed,
  lapseOrder,
  OURS,
  openOrder,
  refundOrder,
  rejectOrder,
} from "./order-life.ts"
import { chainIn } from "./treasury.ts"

/** What becomes of accepted orders: approval, deposit, and in time a payout or a refund. */
export type OrderDesk = {
  readonly open: (proposal: Proposal, judged: Judged, nowMs: number) => void
  /** Does what is due up to now. */
  readonly advance: (nowMs: number) => void
  readonly nextMs: () => number
}

type Appointment = {
  readonly atMs: number
  readonly id: string
  readonly what: "deposit" | "expire" | "complete" | "lapse" | "refund"
}

type Surroundings = Omit<Desk, "nowMs"> & {
  readonly world: World
  readonly books: BookCheck
  readonly measure: Measure
}

export function createOrderDesk(around: Surroundings): OrderDesk {
  const { scenario, treasury, orders, world, books, measure } = around
  const appointments: Appointment[] = []
  let count = 0

  function arrange(appointment: Appointment): void {
    const index = appointments.findIndex(({ atMs }) => atMs > appointment.atMs)
    appointments.splice(index < 0 ? appointments.length : index, 0, appointment)
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
    const fate = world.fateOf(from, to, order.data.createdAt, pair)
    const coin = coinOf({ scenario }, from)
    const relayed = isRelayed(order.data.policy, from === coin)
    const feeUnits = relayed ? 0n : chainIn(scenario, from).depositFeeUnits
    const fault = fate.end === "declined" ? "service.declined" : findShortage(order, coin, feeUnits)
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
    const endMs = nowMs + fate.durationMs
    if (fate.end === "refunded")
      arrange({ atMs: nowMs + Math.min(pair.duration.most, fate.durationMs), id, what: "lapse" })
    arrange({ atMs: endMs, id, what: fate.end === "refunded" ? "refund" : "complete" })
  }

  /** Since the admission a withdrawal may have taken the money: then the real order ends before its signature too. */
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

  /** A chain that takes the fee out of the refunded amount needs no other coin; elsewhere the refund waits for the coin. */
  function refund(order: SimulatedOrder, nowMs: number): void {
    const { from } = order.data.request
    const feeUnits = chainIn(scenario, from).refundFeeUnits
    const coin = coinOf({ scenario }, from)
    const takenOut = chainIn(scenario, from).takesRefundFeeOut
    if (!takenOut && treasury.units(coin) < feeUnits) {
      measure.waited(order, "funds.gas", nowMs)
      arrange({ atMs: nowMs + REFUND_AGAIN_MS, id: order.data.id, what: "refund" })
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

  function act({ what, id }: Appointment, nowMs: number): void {
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
      case "lapse":
        put(lapseOrder(order), nowMs)
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
      const order = openOrder({ ...asked, quote, reference, decimals, policy, feeBudget, nowMs })
      put(order, nowMs)
      measure.opened(order)
      if (!requiresApproval(order.data)) {
        deposit(order, nowMs)
        return
      }
      const { approvalMs } = world.fateOf(quote.from, quote.to, nowMs, treasury.pair(quote.from, quote.to))
      const late = approvalMs > policy.approvalTtlMs
      const atMs = nowMs + (late ? policy.approvalTtlMs : approvalMs)
      arrange({ atMs, id: order.data.id, what: late ? "expire" : "deposit" })
    },
    advance: (nowMs) => {
      for (let next = appointments[0]; next !== undefined && next.atMs <= nowMs; next = appointments[0]) {
        appointments.shift()
        act(next, nowMs)
      }
    },
    nextMs: () => appointments[0]?.atMs ?? Number.POSITIVE_INFINITY,
  }
}

const REFUND_AGAIN_MS = 3_600_000
