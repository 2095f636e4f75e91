const HOUR_MS = 60 * 60_000

/** The days that say whether a fee is high or low. */
export const FEE_MEMORY_MS = 7 * 24 * HOUR_MS

/** Fees of half a day apart are nearly independent. */
const APART_MS = 12 * HOUR_MS

/** A shorter patience would have no second chance. */
export const LEAST_PATIENCE_MS = APART_MS

/** The fees of fewer hours say nothing about the next ones. */
const LEAST_HOURS = 24

/** A fee among those of the last week, as counts, so that a stored decision needs no more. */
export type FeeRank = {
  /** The fees of the last week that were lower. */
  readonly below: number
  /** All fees of the last week, with this one. */
  readonly of: number
  /** How often another fee can come before the deadline; 0 from the deadline on. */
  readonly chances: number
}

/** `lately`: the fees of the last week, with this one. `leftMs`: the time until the deadline. */
export function rankFee<Fee extends number | bigint>({
  fee,
  lately,
  leftMs,
}: {
  readonly fee: Fee
  readonly lately: readonly Fee[]
  readonly leftMs: number
}): FeeRank {
  return {
    below: lately.filter((one) => one < fee).length,
    of: lately.length,
    chances: Math.max(0, Math.round(leftMs / APART_MS)),
  }
}

/**
 * Whether an order that may wait should go at this fee: at its deadline always, and before it when
 * the fee's rank among the fees of the last week is no higher than what waiting would give.
 */
export function isFeeDue({ below, of, chances }: FeeRank): boolean {
  return below <= rankToAccept(chances) * Math.max(1, of - 1)
}

/**
 * Of independent fees the last one has the mean rank 1/2. With one chance more, an order goes below
 * that rank and otherwise waits for it, so each chance lowers the expected rank v to v − v²/2: 0.5,
 * 0.375, 0.305, … (Cayley 1875, Moser 1956). A rank does not depend on the level of the fees, so
 * no number here was fitted to a chain.
 */
export function rankToAccept(chances: number): number {
  let rank = 1
  for (let left = chances; left > 0; left -= 1) rank -= rank ** 2 / 2
  return rank
}

/** A fee that was read at a time; `null` for a failed read. */
export type FeeReading = { readonly atMs: number; readonly value: bigint | null }

/**
 * The fee of each hour of the last week, from readings that are written when they change: so a
 * restless hour counts as much as a quiet one. Empty where they cover less than a day.
 */
export function hourlyFees(readings: readonly FeeReading[], nowMs: number): readonly bigint[] {
  const fees: bigint[] = []
  const read = readings.filter((one) => one.value !== null)
  let at = 0
  for (let atMs = nowMs - FEE_MEMORY_MS + HOUR_MS; atMs < nowMs; atMs += HOUR_MS) {
    while ((read[at + 1]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs) at += 1
    const reading = read[at]
    if (reading?.value != null && reading.atMs <= atMs) fees.push(reading.value)
  }
  return fees.length < LEAST_HOURS ? [] : fees
}
