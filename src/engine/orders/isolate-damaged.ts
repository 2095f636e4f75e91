import { AppError } from "#lib/app-error.ts"
import type { Work } from "#order/work.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { NoticeStore } from "#ports/journal/notices.ts"
import type { Outbox, WorkRow } from "#ports/journal/outbox.ts"
import type { Clocked, HasJournal, Logged } from "../context.ts"
import { decodeWork, MAX_DELAY_MS } from "./stepper.ts"
import { isKnownWork } from "./work-table.ts"

/**
 * The work of a row; `null` for a damaged row, which then waits for a person while the other orders
 * go on.
 */
export function readWork(
  context: HasJournal<FlagStore & NoticeStore & Outbox> & Clocked & Logged,
  row: WorkRow,
): Work | null {
  const read = known.get(row)
  if (read !== undefined) return read
  try {
    const work = decodeWork(row.body)
    if (isKnownWork(work)) {
      known.set(row, work)
      return work
    }
    isolate(context, row, "its next piece of work is unknown")
  } catch (error) {
    isolate(context, row, error instanceof Error ? error.message : String(error))
  }
  return null
}

/** A row never changes, and waiting rows are listed again and again. */
const known = new WeakMap<WorkRow, Work>()

/** Isolates the order if the error says that its own stored data cannot be read. */
export function isolateIfDamaged(
  context: HasJournal<FlagStore & NoticeStore & Outbox> & Clocked & Logged,
  row: WorkRow,
  error: unknown,
): boolean {
  if (!(error instanceof AppError) || !DAMAGES.includes(error.code)) return false
  isolate(context, row, error.message)
  return true
}

const DAMAGES = ["journal.damaged", "journal.snapshot"]

/**
 * The row is read again after the longest wait, in case a person has repaired it. The alert is
 * raised once.
 */
function isolate(
  { journal, clock, log }: HasJournal<FlagStore & NoticeStore & Outbox> & Clocked & Logged,
  { id, orderId }: WorkRow,
  why: string,
): void {
  journal.postponeWork(id, clock.now() + MAX_DELAY_MS)
  const flag = `damaged/${orderId}`
  if (journal.readFlag(flag) !== null) return
  const message =
    `Order ${orderId} is damaged in the journal (${why}), so nothing is done for it: restore a ` +
    `backup. Its funds may be in an HTLC; \`ballast rescue\` shows them`
  const reason = { code: "journal.order_damaged", message, order: orderId }
  log.error({ order: orderId, reason }, "An order cannot be read; the others go on")
  journal.raiseAlert(clock.now(), reason)
  journal.writeFlag(flag, new Date(clock.now()).toISOString())
}
