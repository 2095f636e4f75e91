import type { OrderData } from "#order/data.ts"

/** The terms of both legs are known. */
export function hasLegs({ deposit, serviceOrder, terms }: OrderData): boolean {
  return deposit !== null && serviceOrder !== null && terms !== null
}

/**
 * Nothing is shown that must only become deeper: depth grows without an event. The deposit of a
 * relay keeps the allowance's lock until it is final, and our own secret waits for the depth of the
 * payout.
 */
export function waitsForEvent(data: OrderData): boolean {
  const { seen, gasless, ownSecret } = data
  const isEnding = [seen.sourceRedeemed, seen.sourceRefunded, seen.destinationRedeemed].some(
    (part) => part !== null,
  )
  const isLocked = gasless !== null && seen.sourceInitiated?.final !== true
  const isRevealing = ownSecret != null && seen.destinationInitiated !== null
  return hasLegs(data) && !isEnding && !isLocked && !isRevealing
}
