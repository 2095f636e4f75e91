import { mustExist } from "#lib/assert.ts"
import { decodeOrder } from "#order/step.ts"
import type { WorkRow } from "#ports/journal/outbox.ts"
import type { Bench } from "./run-orders.ts"

/**
 * Fills the journal with copies of one waiting order, as if each had come its own way. 100 000 real
 * ones would take minutes. Tries of the copies are due over the next `spreadMs`. `known`: the
 * number of copies that the journal has.
 */
export async function copyOrders(
  { journal, world }: Bench,
  count: number,
  spreadMs: number,
  { known: first } = { known: 0 },
): Promise<void> {
  const [row] = journal.listOrders({ open: true, limit: 1 })
  const template = mustExist(row, "a waiting order")
  const work: WorkRow | undefined = journal.listDueWork(Number.MAX_SAFE_INTEGER, 1)[0]
  const event = mustExist(journal.listEvents(template.id).at(-1), "its last event")
  const { created, deposit } = decodeOrder(template.snapshot).data
  const known = {
    orderId: mustExist(created, "the created order").orderId,
    secretHash: mustExist(deposit, "its deposit").secretHash,
  }
  const nowMs = Date.now()
  for (let done = 0; done < count; done++) {
    const id = `copy-${first + done}`
    const ids = world.copy(known.orderId)
    const snapshot = template.snapshot
      .replaceAll(template.id, id)
      .replaceAll(known.orderId, ids.orderId)
      .replaceAll(known.secretHash, ids.secretHash)
    const due = {
      body: mustExist(work, "its work").body,
      dueAtMs: nowMs + Math.floor((done / count) * spreadMs),
    }
    journal.openOrder({ ...template, id, snapshot, secretHash: ids.secretHash }, event, due, null)
    if (done % 1_000 === 999) await journal.durable()
  }
  await journal.durable()
}
