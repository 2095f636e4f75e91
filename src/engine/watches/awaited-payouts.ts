import type { Reason } from "#domain/reason.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import { lacksPayout } from "#order/lacks-payout.ts"
import type { Order } from "#order/step.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { OrderStore } from "#ports/journal/orders.ts"
import type { Clocked, Configured, HasJournal, Remembering } from "../context.ts"

/*
 * The orders that await a payout after the redemption of their source. The alarm of a theft gives
 * our destination node some seconds to catch up, and until then no further deposit is made. A
 * journal flag has their ids, so that a restart does not forget them.
 */

const FLAG = "payouts/awaited"
/**
 * By then the alarm was raised, or the destination cannot be read, and one dead node must not stop
 * the deposits of all chains.
 */
const MOST_HOLD_MS = 60_000

type Context = HasJournal<FlagStore & OrderStore> & Configured & Clocked & Remembering

/**
 * After a step of an order. Where everything goes on after an alarm, nothing stops before it
 * either.
 */
export function noteAwaitedPayout(context: Context, before: Order, { data }: Order): void {
  const isAwaited = lacksPayout(data) && context.settings.onAlarm !== "continue"
  if (!isAwaited && !lacksPayout(before.data)) return
  const known = listIds(context)
  if (known.includes(data.id) === isAwaited) return
  const ids = [
    ...known.filter((id) => id !== data.id && isAwaiting(context, id)),
    ...(isAwaited ? [data.id] : []),
  ]
  context.journal.writeFlag(FLAG, ids.length === 0 ? null : encodeJson(ids))
}

/** The reasons for which new deposits wait. */
export function findAwaitedPayouts(context: Context): readonly Reason[] {
  return listIds(context)
    .filter((id) => isAwaiting(context, id))
    .map((order) => {
      const message =
        `The source of order ${order} is redeemed and our destination node does not show the ` +
        "payout yet; new deposits wait some seconds for it"
      return { code: "payout.awaited", message, order }
    })
}

/** A process that died between the step and its note may have left an id. */
function isAwaiting({ journal, clock, memory }: Context, id: string): boolean {
  const stored = journal.findOrder(id)
  if (stored === null) return false
  const { data } = memory.orders.read(stored)
  const sinceMs = data.seen.sourceRedeemed?.at ?? 0
  return lacksPayout(data) && Math.abs(clock.now() - sinceMs) <= MOST_HOLD_MS
}

function listIds({ journal }: Context): readonly string[] {
  const text = journal.readFlag(FLAG)
  // CAST: `noteAwaitedPayout` wrote it.
  return text === null ? [] : (decodeJson(text) as readonly string[])
}
