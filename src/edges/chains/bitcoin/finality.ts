import type { LowDepth } from "#chains/family-definition.ts"
import type { NetworkName } from "./address.ts"

/** Confirmations, counted from 1, by what is done because of them. */
export type Depths = { readonly seen: number; readonly reveal: number; readonly ending: number }

export type FinalityConfig = {
  /** Overrides all three. */
  readonly confirmations: number | null
  readonly finality: {
    readonly seen: number | null
    readonly reveal: number | null
    readonly ending: number | null
  } | null
}

/** The confirmations that a transaction of this value (satoshi) needs on this network. Pure. */
export function depthsOf(network: NetworkName, config: FinalityConfig, units: bigint): Depths {
  const { confirmations, finality } = config
  if (confirmations !== null)
    return { seen: confirmations, reveal: confirmations, ending: confirmations }
  const shipped = shippedDepths(network, units)
  return {
    seen: finality?.seen ?? shipped.seen,
    reveal: finality?.reveal ?? shipped.reveal,
    ending: finality?.ending ?? shipped.ending,
  }
}

/**
 * Up to here two confirmations end an order on the main network, and one is enough to go on. About
 * 1 000 US dollars (2026-11). The usual advice for payments (bitcoin.org, "Some things you need to
 * know", and developer.bitcoin.org on confirmation counts, read 2026-09) is one for small amounts,
 * three below a few thousand dollars, and six for more.
 */
export const SMALL_UNITS = 1_000_000n

/**
 * Up to here three confirmations end an order on the main network; above, six do. About 10 000 US
 * dollars (2026-11).
 */
export const MEDIUM_UNITS = 10_000_000n

/**
 * No ending on the main network rests on one confirmation: competing blocks appear there about once
 * a month.
 */
const MAIN_SMALL: Depths = { seen: 1, reveal: 2, ending: 2 }
const MAIN_MEDIUM: Depths = { seen: 2, reveal: 3, ending: 3 }
const MAIN_LARGE: Depths = { seen: 3, reveal: 6, ending: 6 }

/**
 * Test networks have worthless coins and, except signet, many competing blocks (difficulty 1 after
 * 20 minutes: BIP 94).
 */
const TEST: Depths = { seen: 1, reveal: 2, ending: 3 }
/** Signet's blocks are signed (BIP 325), and regtest's are made on request. */
const ORDERLY: Depths = { seen: 1, reveal: 2, ending: 2 }

/**
 * The configured depths that are lower than the least one of the network: two confirmations, which
 * end a small order, because competing blocks appear about once a month. Pure.
 */
export function findLowDepths({
  network,
  ...config
}: FinalityConfig & { readonly network: NetworkName }): LowDepth[] {
  if (network !== "mainnet") return []
  const depths = depthsOf(network, config, 0n)
  return (["reveal", "ending"] as const).flatMap((use) => {
    if (depths[use] >= MAIN_SMALL[use]) return []
    return [{ use, found: String(depths[use]), least: String(MAIN_SMALL[use]) }]
  })
}

function shippedDepths(network: NetworkName, units: bigint): Depths {
  if (network === "regtest" || network === "signet") return ORDERLY
  if (network !== "mainnet") return TEST
  if (units <= SMALL_UNITS) return MAIN_SMALL
  return units <= MEDIUM_UNITS ? MAIN_MEDIUM : MAIN_LARGE
}
