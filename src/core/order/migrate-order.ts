import type { CreatedOrder, DepositRequest } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import { migrateDeposit, type StoredDeposit } from "#domain/migrate-deposit.ts"
import type { SignedTransaction, TransactionAction, TransactionPlan } from "#domain/transaction.ts"
import {
  type MinedTransaction,
  NOTHING_BOOKED,
  type OrderData,
  type TransactionPurpose,
  type TransactionTrack,
  UNTOUCHED,
} from "./data.ts"

/**
 * The data of a stored order, in the words of this version. Pure. `null`: the data is not an
 * order's.
 *
 * Version 2 renamed keys and moved three values of a deposit into their own fields
 * (`migrate-deposit.ts`); the state words, the amounts and the signed bytes are those of version 1.
 */
export function migrateOrder(version: number, data: object): OrderData | null {
  // CAST: Ballast wrote the snapshot itself, in this version or in one without redemptions.
  if (version >= 2) return withRedeemTrack(data as OrderData)
  return isVersion1(data) ? fromVersion1(data) : null
}

/** Earlier versions redeemed no payout. */
function withRedeemTrack(data: OrderData): OrderData {
  const { transactions }: { readonly transactions?: Partial<OrderData["transactions"]> } = data
  if (transactions === undefined || transactions.redeem !== undefined) return data
  return { ...data, transactions: { ...data.transactions, redeem: UNTOUCHED } }
}

/** As Ballast 0.1 stored it. The optional fields were added in the course of 0.1. */
type DataV1 = Omit<OrderData, keyof ChangedV2 | keyof AddedV1> & ChangedV1 & Partial<AddedV1>
type ChangedV2 = Pick<OrderData, "transactions" | "serviceOrder" | "created" | "deposit" | "mined">
type ChangedV1 = {
  readonly moves: { readonly [purpose in Exclude<TransactionPurpose, "redeem">]: TrackV1 }
  readonly claims: ServiceOrder | null
  readonly created: (Pick<CreatedOrder, "orderId"> & { readonly claim: DepositRequest }) | null
  readonly deposit: StoredDeposit | null
  readonly mined?: readonly MinedV1[]
}
type AddedV1 = Pick<
  OrderData,
  "patienceSince" | "allowanceCleared" | Exclude<keyof typeof NOTHING_BOOKED, "mined">
>

type TrackV1 = Omit<TransactionTrack, "plan" | "signed"> & {
  readonly plan: PlanV1 | null
  readonly signed: readonly SignedV1[]
}
type SignedV1 = Omit<SignedTransaction, "plan"> & { readonly plan: PlanV1 }
type PlanV1 = Omit<TransactionPlan, "action" | "resources"> & {
  readonly purpose: TransactionAction
  readonly claims: readonly string[]
}
type MinedV1 = Omit<MinedTransaction, "purpose"> & { readonly kind: TransactionPurpose }

/** Ballast wrote the data itself, so only its frame is checked. */
function isVersion1(data: object): data is DataV1 {
  return "moves" in data && typeof data.moves === "object" && data.moves !== null
}

function fromVersion1({ moves, claims, created, deposit, mined, ...same }: DataV1): OrderData {
  return {
    ...NOTHING_BOOKED,
    ...same,
    patienceSince: same.patienceSince ?? same.createdAt,
    allowanceCleared: same.allowanceCleared ?? false,
    transactions: {
      approve: fromTrack(moves.approve),
      deposit: fromTrack(moves.deposit),
      void: fromTrack(moves.void),
      refund: fromTrack(moves.refund),
      revoke: fromTrack(moves.revoke),
      redeem: UNTOUCHED,
    },
    serviceOrder: claims,
    created: created === null ? null : fromCreated(created),
    deposit: deposit === null ? null : migrateDeposit(deposit),
    mined: (mined ?? []).map(({ kind: purpose, ...rest }) => ({ ...rest, purpose })),
  }
}

/**
 * The signed transaction of a stored event, in the words of this version; empty for any other
 * event. Pure.
 */
export function migrateSigned(event: object): SignedTransaction[] {
  // CAST: Ballast wrote the event itself, in this version.
  if ("transaction" in event) return [event.transaction as SignedTransaction]
  // CAST: Ballast 0.1 wrote the event.
  return "move" in event ? [fromSigned(event.move as SignedV1)] : []
}

function fromSigned(transaction: SignedV1): SignedTransaction {
  return { ...transaction, plan: fromPlan(transaction.plan) }
}

function fromTrack({ plan, signed, ...same }: TrackV1): TransactionTrack {
  return {
    ...same,
    plan: plan === null ? null : fromPlan(plan),
    signed: signed.map(fromSigned),
  }
}

function fromPlan({ purpose: action, claims: resources, ...same }: PlanV1): TransactionPlan {
  return { ...same, action, resources }
}

function fromCreated({
  claim: depositRequest,
  ...same
}: NonNullable<DataV1["created"]>): CreatedOrder {
  return { ...same, depositRequest }
}
