import { mustExist } from "#lib/assert.ts"
import type { OrderData, TransactionPurpose } from "#order/data.ts"
import type { EventRow, OrderStore } from "#ports/journal/orders.ts"
import type { HasJournal } from "../context.ts"
import { deferWhileStopped, type Job, leadsToDeposit } from "./observe/job.ts"

/**
 * Whether we never sent the newest bytes of this purpose. In a pause only bytes that we sent before
 * may be sent again, and a nonce whose bytes rest unsent is a gap. One endpoint alone can report
 * bytes that were never sent (`sentAt`), so the order's own events decide. A fee bump counts as
 * unsent.
 */
export function isUnsent(
  { journal }: HasJournal<OrderStore>,
  { id, transactions }: OrderData,
  kind: TransactionPurpose,
): boolean {
  const { signed } = transactions[kind]
  if (signed.length !== 1) return true
  const { txid } = mustExist(signed.at(-1), `the signed ${kind}`)
  const isSent = ({ type, body }: EventRow): boolean =>
    type === "transaction.sent" && body.includes(txid)
  return !journal.listEvents(id).some(isSent)
}

/**
 * Bytes towards a deposit that never left stay here in a pause, also where they go before other
 * ones. Not bytes that a node may have already.
 */
export function staysInPause(job: Job, kind: TransactionPurpose): boolean {
  return (
    leadsToDeposit(kind) && deferWhileStopped(job) !== null && isUnsent(job.context, job.data, kind)
  )
}
