import type { UntimedOrderEvent } from "#order/events.ts"
import { isFinal } from "#order/states.ts"
import type { Order } from "#order/step.ts"
import type { Durability } from "#ports/journal/durability.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { OrderStore, StepRow } from "#ports/journal/orders.ts"
import type {
  Clocked,
  Configured,
  HasJournal,
  HasServices,
  Logged,
  Remembering,
} from "../context.ts"
import { noteRouteWait } from "../rules/route-waits.ts"
import { noteRequest } from "../rules/unread-requests.ts"
import { noteAwaitedPayout } from "../watches/awaited-payouts.ts"
import { noteConduct } from "../watches/service-conduct.ts"
import { dropLastTry, keepLastTry } from "./unchanged-tries.ts"

/** A step that the journal has. */
type StepTaken = {
  readonly before: Order
  readonly order: Order
  readonly event: UntimedOrderEvent
  /** The work that led to it. */
  readonly cause: number | null
  /** `null`: a try that found nothing new, so only the rest of its work was noted. */
  readonly row: StepRow | null
  readonly waitMs: number
}

/** What follows each step, in the same synchronous step as the commit. */
export function observeStep(
  context: HasJournal<Durability & FlagStore & OrderStore> &
    HasServices &
    Configured &
    Clocked &
    Logged &
    Remembering,
  taken: StepTaken,
): void {
  const { before, order } = taken
  remember(context, taken)
  noteRouteWait(context, order)
  noteRequested(context, taken)
  report(context, taken)
  noteConduct(context, before, order)
  noteAwaitedPayout(context, before, order)
}

function remember(context: Remembering, { order, cause, row, waitMs }: StepTaken): void {
  if (row === null && cause !== null) keepLastTry(context, order, cause)
  if (row === null) return
  dropLastTry(context, order.data.id)
  if (isFinal(order.state)) context.memory.legReads.delete(order.data.id)
  const untilMs = row.work === null ? Number.POSITIVE_INFINITY : waitMs
  context.memory.orders.keep(row.order, order, untilMs)
}

function noteRequested(
  context: HasJournal<Durability> & Remembering,
  { before, order }: StepTaken,
): void {
  if (order.state === "awaiting-approval" && before.state !== order.state)
    noteRequest(context, order.data.id)
}

function report(context: Logged, { before, order, event, row }: StepTaken): void {
  if (row === null) return
  const log = context.log.child({ order: order.data.id })
  for (const alert of row.alerts) log.error({ reason: alert }, "An order needs attention")
  if (row.pausing?.length)
    log.error(
      { reasons: row.pausing },
      "Paused everything: no new deposit until an operator resumes",
    )
  const { reasons } = order.data
  const fields = { event: event.type, from: before.state, to: order.state, reasons }
  if (before.state === order.state) log.debug(fields, "Order event")
  else if (order.state === "held") log.error(fields, "Order held: an operator must decide")
  else log.info(fields, "Order changed state")
}
