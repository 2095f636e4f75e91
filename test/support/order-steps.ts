import { expect } from "vitest"
import {
  createOrderData,
  type OrderData,
  type TransactionPurpose,
  type TransactionTrack,
} from "#order/data.ts"
import type { OrderEvent, UntimedOrderEvent } from "#order/events.ts"
import { type Order, step } from "#order/step.ts"
import { NOTHING_SEEN, SAMPLE, samplePlan, sampleTransaction } from "./order-sample.ts"

/* Orders in the middle of their life, and the events that they take, for tests of the machine. */

export const AT = 1_000

export function take(order: Order, event: UntimedOrderEvent): Order {
  const next = step(order, { ...event, at: AT })
  expect(next.changed, `${order.state} takes ${event.type}`).toBe(true)
  return next.order
}

type Transactions = OrderData["transactions"]

export function withTransactions(transactions: Partial<Transactions>): OrderData {
  const fresh = createOrderData(SAMPLE.input)
  const { created, terms, deposit, order: serviceOrder } = SAMPLE
  return {
    ...fresh,
    created,
    terms,
    deposit,
    serviceOrder,
    sendUntilMs: 0,
    transactions: { ...fresh.transactions, ...transactions },
  }
}

export function funded(transactions: Partial<Transactions>): OrderData {
  return {
    ...withTransactions({ deposit: final("deposit"), ...transactions }),
    seen: seenFunded(true),
  }
}

export function untouched(): TransactionTrack {
  return { plan: null, signed: [], sentAt: null, mined: null }
}

export function signed(purpose: TransactionPurpose, ...attempts: number[]): TransactionTrack {
  const transactions = (attempts.length === 0 ? [0] : attempts).map((attempt) =>
    sampleTransaction(samplePlan(purpose, attempt)),
  )
  return { ...untouched(), signed: transactions, sentAt: 0, settled: false }
}

export function final(purpose: TransactionPurpose): TransactionTrack {
  return {
    ...signed(purpose),
    mined: { txid: txidOf(purpose), height: 5n, final: true },
    settled: true,
  }
}

export function txidOf(purpose: TransactionPurpose, attempt = 0): string {
  return sampleTransaction(samplePlan(purpose, attempt)).txid
}

export function mined(
  purpose: TransactionPurpose,
  { attempt = 0, feeUnits, final = true }: { attempt?: number; feeUnits: bigint; final?: boolean },
): UntimedOrderEvent {
  return {
    type: "transaction.mined",
    txid: txidOf(purpose, attempt),
    ok: true,
    height: 6n,
    final,
    feeUnits,
  }
}

export function landedTransaction(purpose: TransactionPurpose, feeUnits: bigint) {
  return {
    purpose,
    txid: txidOf(purpose),
    ok: true,
    height: 6n,
    final: true,
    feeUnits,
    heldUnits: 0n,
  }
}

type Observed = Extract<OrderEvent, { type: "order.observed" }>

export function observed(over: Partial<Observed>): UntimedOrderEvent {
  const nothing = { paid: false, refunded: false, lapsed: false, refundable: false, alerts: [] }
  return {
    type: "order.observed",
    serviceOrder: null,
    seen: seenFunded(true),
    paidUnits: null,
    ...nothing,
    ...over,
  }
}

export function seenFunded(final: boolean): OrderData["seen"] {
  return { ...NOTHING_SEEN, sourceInitiated: { txid: txidOf("deposit"), height: 5n, final, at: 0 } }
}

export function seenRefunded(by: "refund" | "another"): OrderData["seen"] {
  const txid = by === "refund" ? txidOf("refund") : by
  return { ...seenFunded(true), sourceRefunded: { txid, height: 6n, final: true, at: 0 } }
}

export function gaslessOut(): NonNullable<OrderData["gasless"]> {
  return { digest: "", signature: "", signedAt: 0, submissions: 1, refused: false }
}
