import type { Work } from "#order/work.ts"
import type { OrderStore } from "#ports/journal/orders.ts"
import type { WorkRow } from "#ports/journal/outbox.ts"
import type { HasJournal, Remembering } from "../context.ts"

/**
 * What is known of the rows: one never outlives its plan, and waiting ones are listed again and
 * again.
 */
export type KnownBumps = WeakMap<WorkRow, boolean>

/**
 * Signs this work a higher fee of a redemption or refund, so that its plan has the nonce of the
 * transaction before it?
 */
export function signsBump(
  { journal, memory }: HasJournal<OrderStore> & Remembering<"orders">,
  known: KnownBumps,
  row: WorkRow,
  work: Work,
): boolean {
  if (work.kind !== "signTransaction") return false
  if (work.purpose !== "redeem" && work.purpose !== "refund") return false
  const read = known.get(row)
  if (read !== undefined) return read
  const stored = journal.findOrder(row.orderId)
  const order = stored === null ? null : memory.orders.readOrNull(stored)
  const isBump = (order?.data.transactions[work.purpose].plan?.attempt ?? 0) > 0
  known.set(row, isBump)
  return isBump
}
