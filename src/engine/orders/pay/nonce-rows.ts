import type { SignedTransaction, TransactionPlan } from "#domain/transaction.ts"
import type { TransactionPurpose } from "#order/data.ts"
import { isAttested } from "#order/guards.ts"
import { isFinal, purposeOf } from "#order/states.ts"
import type { Order } from "#order/step.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { OrderStore } from "#ports/journal/orders.ts"
import type { SignatureRow, SigningRecord } from "#ports/signing-record.ts"
import type { HasJournal, Remembering } from "../../context.ts"

/** A signature with the order that asked for it; `null` where that cannot be read. */
export type Signature = SignatureRow & { readonly order: Order | null }

/** The live signatures of one nonce, oldest first. */
export type Nonce = { readonly nonce: bigint; readonly rows: readonly Signature[] }

type NonceContext = HasJournal<OrderStore & SigningRecord> & Remembering

export function nonceOf(resources: readonly string[]): bigint | null {
  const digits = resources
    .map((resource) => /^nonce:(\d+)$/.exec(resource)?.[1])
    .find((found) => found)
  return digits === undefined ? null : BigInt(digits)
}

/** The nonces of the account that no settled signature has used, lowest first. */
export function groupByNonce(context: NonceContext, port: ChainPort): readonly Nonce[] {
  const groups = new Map<bigint, Signature[]>()
  for (const row of listLive(context, port)) {
    const nonce = nonceOf(row.resources)
    if (nonce !== null) groups.set(nonce, [...(groups.get(nonce) ?? []), row])
  }
  return [...groups]
    .map(([nonce, rows]) => ({ nonce, rows }))
    .sort((a, b) => (a.nonce < b.nonce ? -1 : 1))
}

/** The signatures of the account that no settled one excludes, oldest first. */
export function listLive(
  { journal, memory }: NonceContext,
  { chain, account }: ChainPort,
): readonly Signature[] {
  const live = journal.listUnsettled(chain, account).filter(({ isUsedUp }) => !isUsedUp)
  return live.map((row) => {
    const stored = journal.findOrder(row.orderId)
    return { ...row, order: stored === null ? null : memory.orders.readOrNull(stored) }
  })
}

export function toPurpose({ data }: Order, purpose: string): TransactionPurpose | null {
  // CAST: `Object.hasOwn` has checked it.
  return Object.hasOwn(data.transactions, purpose) ? (purpose as TransactionPurpose) : null
}

/**
 * The deposit of an open order whose voucher is known: nothing of ours excludes it, and its bytes
 * are sent until they are mined (ADR 0052).
 */
export function isOwed({ order, purpose }: Signature): boolean {
  return order !== null && purpose === "deposit" && !isFinal(order.state) && isAttested(order.data)
}

/**
 * A signed refund or redemption whose order does something else. Not every state finds that a
 * reorganisation dropped it.
 */
export function isLeft({ order, purpose, raw }: Signature): boolean {
  if (order === null || raw === null || (purpose !== "refund" && purpose !== "redeem")) return false
  return purposeOf(order.state) !== purpose
}

/** The same, where the journal knows of no send: a process may have died in the moment of one. */
export function isLeftUnsent(row: Signature): boolean {
  const { order, purpose } = row
  const kind = order === null ? null : toPurpose(order, purpose)
  return isLeft(row) && kind !== null && order?.data.transactions[kind].sentAt === null
}

/** The signed transaction of a row; `null` without bytes or plan. */
export function toSigned(row: Signature): SignedTransaction | null {
  const { txid, raw } = row
  const plan = planOf(row)
  return plan === null || txid === null || raw === null ? null : { plan, txid, raw }
}

/**
 * The plan of a row. A row that was restored from the signer's record has none; the order's own
 * plan may be it.
 */
export function planOf({ plan, digest, order }: Signature): TransactionPlan | null {
  const tracks = order === null ? [] : Object.values(order.data.transactions)
  const plans = tracks.flatMap((track) => [
    ...track.signed.map((one) => one.plan),
    ...(track.plan ? [track.plan] : []),
  ])
  return plan ?? plans.find((one) => one.digest === digest) ?? null
}
