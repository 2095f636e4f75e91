import type { Reason } from "#domain/reason.ts"
import { mustExist } from "#lib/assert.ts"
import type { SeenOnChain } from "#order/data.ts"
import type { UntimedOrderEvent } from "#order/events.ts"
import { type Order, step } from "#order/step.ts"
import type { LegObservation, OnChain } from "#ports/chain/htlc-reader.ts"
import type {
  Clocked,
  Configured,
  HasChains,
  HasJournal,
  HasServices,
  Logged,
  Naming,
  Remembering,
} from "../context.ts"

export type RecoverContext = HasJournal &
  HasServices &
  HasChains &
  Configured &
  Clocked &
  Logged &
  Naming &
  Remembering

/**
 * One order of a service that the journal does not know. `adopted`: it is an order of this daemon
 * now. `reasons`: why it is not.
 */
export type RecoveredOrder = {
  readonly service: string
  readonly orderId: string
  readonly from: string
  readonly to: string
  readonly status: "found" | "adopted" | "over" | "unfunded" | "unclear"
  readonly hasOwnSecret: boolean
  readonly id: string | null
  readonly reasons: readonly Reason[]
}

/**
 * A list that a service did not give: its orders from this chain are not among those that were
 * found.
 */
export type UnreadList = {
  readonly service: string
  readonly chain: string
  readonly reasons: readonly Reason[]
}

/** `leftOut`: orders that the services call settled, and that no chain was asked about yet. */
export type Recovery = {
  readonly orders: readonly RecoveredOrder[]
  readonly unread: readonly UnreadList[]
  readonly leftOut: number
}

/** Comparisons cost reads of one or two chains each, so a run makes no more after this time. */
export const RUN_MS = 20 * 60_000
/** Remembered, so that the next run goes on behind them. */
export const MOST_OVER = 200_000

/** The rule of recovered orders in reports. */
export const RULE = "recovered"

const YOUNG: Reason = {
  code: "recover.young",
  message: "Its deposit is not final yet, or too few endpoints agree about it; recover again later",
}

/** Why a read does not show the deposit as final: the endpoints' own reasons come first. */
export function describeUnsure({ agreed, doubts = [] }: LegObservation): readonly Reason[] {
  return agreed ? [YOUNG] : [...doubts, YOUNG]
}

export function replay(order: Order, events: readonly UntimedOrderEvent[], at: number): Order {
  return events.reduce((before, event) => step(before, { ...event, at }).order, order)
}

/**
 * The state that an order with a deposit has. The deposit's transaction is unknown; its HTLC is
 * not.
 */
export function withDeposit(
  { data }: Order,
  { initiated, redeemed }: LegObservation,
  at: number,
): Order {
  const seen = { ...data.seen, sourceInitiated: seenAt(mustExist(initiated, "the deposit"), at) }
  const taken = redeemed === null ? {} : { sourceRedeemed: seenAt(redeemed, at) }
  return { state: "funded", data: { ...data, seen: { ...seen, ...taken } } }
}

/**
 * The state of an order whose payout is shown while its source does not answer. Its next looks find
 * the deposit.
 */
export function withPayout({ data }: Order, payout: OnChain, at: number): Order {
  return {
    state: "funded",
    data: { ...data, seen: { ...data.seen, destinationInitiated: seenAt(payout, at) } },
  }
}

function seenAt({ txid, height, final }: OnChain, at: number): SeenOnChain {
  return { txid, height, final, at }
}
