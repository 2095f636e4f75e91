import { assign } from "xstate"
import type { Reason } from "#domain/reason.ts"
import { assert } from "#lib/assert.ts"
import type { OrderData, TransactionPurpose, TransactionTrack } from "./data.ts"
import type { OrderEvent } from "./events.ts"

export type EventOf<Type extends OrderEvent["type"]> = Extract<OrderEvent, { type: Type }>

/**
 * A change of the order's data on some types of event, as an action of the machine. `change` is
 * pure; the machine decides the next state.
 *
 * The action throws when a transition for another type of event names it.
 */
export function updateOn<Type extends OrderEvent["type"]>(
  types: readonly Type[],
  change: (data: OrderData, event: EventOf<Type>) => OrderData,
) {
  return assign<OrderData, OrderEvent, undefined, OrderEvent, never>(({ context, event }) =>
    change(context, expectOneOf(event, types)),
  )
}

/** As `updateOn`, for the transaction that the transition names. */
export function updateTransactionOn<Type extends OrderEvent["type"]>(
  types: readonly Type[],
  change: (data: OrderData, event: EventOf<Type>, purpose: TransactionPurpose) => OrderData,
) {
  return assign<OrderData, OrderEvent, { purpose: TransactionPurpose }, OrderEvent, never>(
    ({ context, event }, { purpose }) => change(context, expectOneOf(event, types), purpose),
  )
}

function expectOneOf<Type extends OrderEvent["type"]>(
  event: OrderEvent,
  types: readonly Type[],
): EventOf<Type> {
  assert(isOneOf(event, types), "a transition names an update for its own event")
  return event
}

function isOneOf<Type extends OrderEvent["type"]>(
  event: OrderEvent,
  types: readonly Type[],
): event is EventOf<Type> {
  return types.some((type) => type === event.type)
}

export function withReason(data: OrderData, reason: Reason): OrderData {
  return { ...data, reasons: [...data.reasons, reason] }
}

/** Shows the reasons, and remembers them: the journal raises an alert for each new one. */
export function withAlerts(data: OrderData, reasons: readonly Reason[]): OrderData {
  return { ...data, reasons, alerted: withCodes(data.alerted, reasons) }
}

/** The order goes on after an operator's retry. */
export function recordRetry(data: OrderData, { at }: EventOf<"operator.retried">): OrderData {
  return { ...data, ending: "rejected", patienceSince: at }
}

/** What keeps an order without a deposit: a voucher that may still be paid. */
export const OPEN_PAYOUT = "open payout"

/** The burn is excluded for ever, and its voucher may still be paid: a person may end the order. */
export function isPayoutOpen({ code, what }: Reason): boolean {
  return code === "ending.unproven" && what === OPEN_PAYOUT
}

/**
 * An alert is raised once for each code, one about a leg once for each leg, and one that lets a
 * person end the order also after one that does not. Pure.
 */
export function alertKeyOf(reason: Reason): string {
  const { code, side } = reason
  if (isPayoutOpen(reason)) return `${code}/${OPEN_PAYOUT}`
  return code.startsWith("alarm.") && side !== undefined ? `${code}/${side}` : code
}

export function withCodes(
  alerted: readonly string[],
  reasons: readonly Reason[],
): readonly string[] {
  return [...new Set([...alerted, ...reasons.map(alertKeyOf)])]
}

/** The source HTLC holds our deposit, by our own node. */
export function withInitiation(
  data: OrderData,
  { txid, height, final, at }: { txid: string; height: bigint; final: boolean; at: number },
): OrderData {
  return { ...data, seen: { ...data.seen, sourceInitiated: { txid, height, final, at } } }
}

export function withTrack(
  data: OrderData,
  purpose: TransactionPurpose,
  track: TransactionTrack,
): OrderData {
  return { ...data, transactions: { ...data.transactions, [purpose]: track } }
}
