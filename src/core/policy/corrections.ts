import type { AssetId } from "#domain/asset.ts"
import type { Need } from "./need.ts"
import type { Corrections, TreasuryView } from "./treasury-view.ts"

/** The time over which corrections are summed. */
export const CORRECTIONS_MS = 7 * 24 * 60 * 60_000

/** A single correction says nothing about the next one. */
const LEAST_ORDERS = 2

export function findCorrections(
  view: TreasuryView,
  rule: string,
  asset: AssetId,
): Corrections | null {
  return view.corrections?.find((one) => one.rule === rule && one.asset === asset) ?? null
}

/**
 * How one-sided a balance moves, seen from a need: 10 000 where the rule only ever corrected in the
 * need's direction, 0 where the corrections of both directions cancel out, or too few are known.
 */
export function oneSidedBps(corrections: Corrections | null, kind: Need["kind"]): bigint {
  if (corrections === null || corrections.orders < LEAST_ORDERS) return 0n
  const { inFiat, outFiat } = corrections
  const net = kind === "gain" ? inFiat - outFiat : outFiat - inFiat
  return net > 0n ? (net * 10_000n) / (inFiat + outFiat) : 0n
}

/**
 * The value that the balance loses in a time, in fiat millionths: as much as the rule had to bring
 * in such a time. Zero where it gains.
 */
export function drainFiat(corrections: Corrections | null, forMs: number): bigint {
  if (corrections === null || corrections.orders < LEAST_ORDERS) return 0n
  const net = corrections.inFiat - corrections.outFiat
  return net > 0n ? (net * BigInt(forMs)) / BigInt(corrections.overMs) : 0n
}
