import { chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { toAppError } from "#lib/app-error.ts"
import type { OrderData } from "#order/data.ts"
import { isRevealed, wasDepositSigned } from "#order/guards.ts"
import { isFinal, isStateName } from "#order/states.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { Clocked, HasJournal, Remembering } from "../context.ts"
import type { UnreadLeg } from "../memory.ts"

/*
 * The legs that cannot be read now. A failed read is no news about the money, and an unread leg may
 * hide a theft, so the silence itself becomes an alarm. In memory: after a restart the first failed
 * read starts the time again.
 */

export type LegSide = LegQuery["side"]

/** A leg that was not read for so long while money is at stake in it leads to an alarm. */
const UNREADABLE_AFTER_MS = 40_000
/** An order with such a leg is observed at least this often. */
export const UNREAD_WAIT_MS = 5_000

type Context = Clocked & Remembering

export function noteLegRead(
  { memory }: Pick<Context, "memory">,
  orderId: string,
  side: LegSide,
): void {
  memory.unreadLegs.delete(`${orderId}/${side}`)
}

export function noteLegUnread(
  { memory: { unreadLegs: legs }, clock }: Context,
  data: OrderData,
  side: LegSide,
  error: unknown,
): void {
  const { id: orderId, request } = data
  const nowMs = clock.now()
  const known = legs.get(`${orderId}/${side}`)?.sinceMs ?? nowMs
  const { code: cause } = toAppError(error, { code: "engine.unexpected", disposition: "transient" })
  // A time after now was noted before the clock was set back.
  const sinceMs = Math.min(known, nowMs)
  legs.set(`${orderId}/${side}`, {
    orderId,
    side,
    from: request.from,
    to: request.to,
    sinceMs,
    cause,
  })
}

/** The legs of the order that have been unread for long enough while money is at stake in them. */
export function findUnreadLegs(context: Context, data: OrderData): readonly UnreadLeg[] {
  const { unreadLegs } = context.memory
  return SIDES.flatMap((side) => unreadLegs.get(`${data.id}/${side}`) ?? []).filter(
    (leg) => isLong(context, leg) && isAtStake(data, leg.side),
  )
}

const SIDES: readonly LegSide[] = ["source", "destination"]

/**
 * The wait before the next observation: shorter than asked while a leg with money at stake was not
 * read.
 */
export function shortenWait(
  { memory }: Pick<Context, "memory">,
  data: OrderData,
  waitMs: number,
): number {
  const isUnread = SIDES.some(
    (side) => memory.unreadLegs.has(`${data.id}/${side}`) && isAtStake(data, side),
  )
  return isUnread ? Math.min(waitMs, Math.max(UNREAD_WAIT_MS, data.policy.pollMinMs)) : waitMs
}

/**
 * The reasons for which new deposits of a pair wait: an order of the same pair has a leg that
 * cannot be read.
 */
export function findUnreadPair(
  context: Context & HasJournal,
  { from, to }: Pick<UnreadLeg, "from" | "to">,
): readonly Reason[] {
  const legs = context.memory.unreadLegs
  const ofPair = [...legs].filter(
    ([, leg]) => leg.from === from && leg.to === to && isLong(context, leg),
  )
  return ofPair.flatMap(([key, leg]) => {
    const stored = context.journal.findOrder(leg.orderId)
    if (stored === null || (isStateName(stored.state) && isFinal(stored.state))) {
      legs.delete(key)
      return []
    }
    const message =
      `The ${leg.side} leg of order ${leg.orderId} on ${chainOfLeg(leg)} cannot be read, so no ` +
      `deposit of the same pair begins; see \`ballast order ${leg.orderId}\``
    return [{ code: "deposit.leg_unreadable", message, order: leg.orderId, side: leg.side }]
  })
}

export function chainOfLeg({ side, from, to }: Pick<UnreadLeg, "side" | "from" | "to">): string {
  return chainOf(side === "source" ? from : to)
}

function isLong({ clock }: Pick<Context, "clock">, { sinceMs }: UnreadLeg): boolean {
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
    const isOver = seen.sourceRedeemed !== null || seen.sourceRefunded !== null
    return (wasDepositSigned(data) || seen.sourceInitiated !== null) && !isOver
  }
  if (seen.destinationRedeemed !== null) return false
  return isRevealed(data) || seen.sourceRedeemed !== null || reportedAt !== null
}
