import { type DayFlow, LEAST_DAYS } from "./forecast-flow.ts"

/**
 * The network fees that a coin paid on the whole days before today, and what the guards keep back
 * for one order. In whole smallest units, because decisions store them.
 */
export type FeeUse = {
  readonly days: number
  readonly meanUnits: bigint
  /** The standard deviation of a day. */
  readonly spreadUnits: bigint
  readonly perOrderUnits: bigint
}

export function measureFeeUse(days: readonly DayFlow[], perOrderUnits: bigint): FeeUse {
  const sizes = days.map(({ units }) => Number(units))
  const meanOf = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const mean = meanOf(sizes)
  const spread = Math.sqrt(meanOf(sizes.map((size) => (size - mean) ** 2)))
  return {
    days: sizes.length,
    meanUnits: BigInt(Math.round(mean)),
    spreadUnits: BigInt(Math.round(spread)),
    perOrderUnits,
  }
}

/** Enough for all but the dearest spans of so many days; `null` where too few days are known. */
export function feesOfDays({ days, meanUnits, spreadUnits }: FeeUse, ahead: bigint): bigint | null {
  if (days < LEAST_DAYS) return null
  const spreads = BigInt(Math.ceil(2_000 * Math.sqrt(Number(ahead))))
  return meanUnits * ahead + (spreadUnits * spreads) / 1_000n
}
