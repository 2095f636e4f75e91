import { chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { toAppError } from "#lib/app-error.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import { agreedEnd, type OrderData } from "#order/data.ts"
import { isRevealed, leadsToNewDeposit, mayHaveDeposit } from "#order/guards.ts"
import { isFinal, STATES } from "#order/states.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { OrderStore } from "#ports/journal/orders.ts"
import type { Clocked, HasJournal, Remembering } from "../context.ts"
import type { UnreadLeg } from "../memory.ts"

/*
 * The legs that cannot be read now. A failed read is no news about the money, and an unread leg may
 * hide a theft, so the silence itself becomes an alarm. A journal flag has the legs that failed
 * twice in a row, so that a restart neither begins their time again nor lets a deposit of the pair
 * begin.
 */

const FLAG = "legs/unread"

export type LegSide = LegQuery["side"]

/** A leg that was not read for so long while money is at stake in it leads to an alarm. */
const UNREADABLE_AFTER_MS = 40_000
/** An order with such a leg is observed at least this often. */
export const UNREAD_WAIT_MS = 5_000

type Context = Clocked & Remembering & HasJournal<FlagStore & OrderStore>

export function noteLegRead(context: Context, orderId: string, side: LegSide): void {
  forget(context, [`${orderId}/${side}`])
}

export function noteLegUnread(
  context: Context,
  data: OrderData,
  side: LegSide,
  error: unknown,
): void {
  const { id: orderId, request } = data
  const nowMs = context.clock.now()
  const legs = listLegs(context)
  const known = legs.get(`${orderId}/${side}`)
  const { code: cause } = toAppError(error, { code: "engine.unexpected", disposition: "transient" })
  // A time after now was noted before the clock was set back.
  const sinceMs = Math.min(known?.sinceMs ?? nowMs, nowMs)
  const { from, to } = request
  const isKept = known !== undefined
  legs.set(`${orderId}/${side}`, { orderId, side, from, to, sinceMs, cause, isKept })
  if (known?.isKept === false) writeKept(context, legs)
}

function listLegs({ memory, journal }: Context): Map<string, UnreadLeg> {
  if (memory.unreadLegs !== null) return memory.unreadLegs
  const text = journal.readFlag(FLAG)
  // CAST: `writeKept` wrote it.
  const kept = text === null ? [] : (decodeJson(text) as readonly UnreadLeg[])
  memory.unreadLegs = new Map(kept.map((leg) => [`${leg.orderId}/${leg.side}`, leg]))
  return memory.unreadLegs
}

function forget(context: Context, keys: readonly string[]): void {
  const legs = listLegs(context)
  const wasKept = keys.some((key) => legs.get(key)?.isKept === true)
  for (const key of keys) legs.delete(key)
  if (wasKept) writeKept(context, legs)
}

function writeKept({ journal }: Context, legs: ReadonlyMap<string, UnreadLeg>): void {
  journal.writeFlag(FLAG, encodeJson([...legs.values()].filter(({ isKept }) => isKept)))
}

/** Whether the last read of the leg failed. */
export function isLegUnread(context: Context, orderId: string, side: LegSide): boolean {
  return listLegs(context).has(`${orderId}/${side}`)
}

/** The legs of the order that have been unread for long enough while money is at stake in them. */
export function findUnreadLegs(context: Context, data: OrderData): readonly UnreadLeg[] {
  const legs = listLegs(context)
  return SIDES.flatMap((side) => legs.get(`${data.id}/${side}`) ?? []).filter(
    (leg) => isLong(context, leg) && isAtStake(data, leg.side),
  )
}

const SIDES: readonly LegSide[] = ["source", "destination"]

/**
 * The wait before the next observation: shorter than asked while a leg with money at stake was not
 * read.
 */
export function shortenWait(context: Context, data: OrderData, waitMs: number): number {
  const legs = listLegs(context)
  const isUnread = SIDES.some((side) => legs.has(`${data.id}/${side}`) && isAtStake(data, side))
  return isUnread ? Math.min(waitMs, Math.max(UNREAD_WAIT_MS, data.policy.pollMinMs)) : waitMs
}

/**
 * The reasons for which new deposits of a pair wait: an order of the same pair has a leg that
 * cannot be read. A leg that no step of its order reads any more would hold them back for good.
 */
export function findUnreadPair(
  context: Context,
  { from, to }: Pick<UnreadLeg, "from" | "to">,
): readonly Reason[] {
  const ofPair = [...listLegs(context)].filter(
    ([, leg]) => leg.from === from && leg.to === to && isLong(context, leg),
  )
  const ended = ofPair.filter(([, { orderId }]) => isReadNoMore(context, orderId))
  forget(
    context,
    ended.map(([key]) => key),
  )
  return ofPair
    .filter((one) => !ended.includes(one))
    .map(([, leg]) => {
      const message =
        `The ${leg.side} leg of order ${leg.orderId} on ${chainOfLeg(leg)} cannot be read, so no ` +
        `deposit of the same pair begins; see \`ballast order ${leg.orderId}\``
      return { code: "deposit.leg_unreadable", message, order: leg.orderId, side: leg.side }
    })
}

/**
 * The order has ended, or is before its next deposit: the last one never lands, or its attempt was
 * given up.
 */
function isReadNoMore({ journal, memory }: Context, orderId: string): boolean {
  const stored = journal.findOrder(orderId)
  if (stored === null || isFinal(stored.state)) return true
  const order = memory.orders.readOrNull(stored)
  const work = order === null ? null : STATES[order.state].work
  return order !== null && work !== null && leadsToNewDeposit(work, order.data)
}

export function chainOfLeg({ side, from, to }: Pick<UnreadLeg, "side" | "from" | "to">): string {
  return chainOf(side === "source" ? from : to)
}

function isLong(
  { clock }: Pick<Context, "clock">,
  { sinceMs }: Pick<UnreadLeg, "sinceMs">,
): boolean {
  return clock.now() - sinceMs >= UNREADABLE_AFTER_MS
}

/**
 * Money is at stake in the source from the deposit to its end, and in the payout from the moment at
 * which another party may take the deposit. A transaction of ours in a block ends neither: only the
 * HTLC shows that it paid us.
 */
function isAtStake(data: OrderData, side: LegSide): boolean {
  const { seen, reportedAt } = data
  if (side === "source") {
    const isOver = [seen.sourceRedeemed, seen.sourceRefunded].some((end) => agreedEnd(end) !== null)
    return mayHaveDeposit(data) && !isOver
  }
  if (agreedEnd(seen.destinationRedeemed) !== null) return false
  return isRevealed(data) || seen.sourceRedeemed !== null || reportedAt !== null
}
