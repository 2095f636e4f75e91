const HOUR_MS = 60 * 60_000

/** The days that say whether a fee is high or low. */
export const FEE_MEMORY_MS = 7 * 24 * HOUR_MS

/** Fees of half a day apart are nearly independent. */
const APART_MS = 12 * HOUR_MS

/**
 * Whether an order that may wait should go at this fee: at its deadline always, and before it when
 * the fee's rank among the fees of the last week is no higher than what waiting would give.
 *
 * Of independent fees the last one has the mean rank 1/2. With one chance more, an order goes below
 * that rank and otherwise waits for it, so each chance lowers the expected rank v to v − v²/2: 0.5,
 * 0.375, 0.305, … (Cayley 1875, Moser 1956). A rank does not depend on the level of the fees, so
 * no number here was fitted to a chain.
 */
export function isFeeDue({
  fee,
  lately,
  leftMs,
}: {
  readonly fee: number
  /** The fees of the last week, with this one. */
  readonly lately: readonly number[]
  /** The time until the deadline. */
  readonly leftMs: number
}): boolean {
  if (leftMs <= 0) return true
  const below = lately.filter((one) => one < fee).length
  return below <= rankToAccept(leftMs) * Math.max(1, lately.length - 1)
}

function rankToAccept(leftMs: number): number {
  let rank = 1
  for (let chances = Math.round(leftMs / APART_MS); chances > 0; chances -= 1) rank -= rank ** 2 / 2
  return rank
}
