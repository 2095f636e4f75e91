import type { AssetId } from "#domain/asset.ts"

/**
 * The defaults of a scenario. They are round figures, not forecasts: set your own in the scenario
 * before you decide by a backtest.
 */

/**
 * By price name: fiat millionths of a whole coin, and its standard deviation in a year in
 * millionths.
 */
export const ASSUMED_PRICES: Readonly<
  Record<string, { readonly startFiat: bigint; readonly volatilityPpm: bigint }>
> = {
  btc: { startFiat: 100_000_000_000n, volatilityPpm: 450_000n },
  eth: { startFiat: 3_000_000_000n, volatilityPpm: 650_000n },
  sol: { startFiat: 150_000_000n, volatilityPpm: 800_000n },
  strk: { startFiat: 150_000n, volatilityPpm: 1_000_000n },
  bnb: { startFiat: 800_000_000n, volatilityPpm: 700_000n },
  pol: { startFiat: 200_000n, volatilityPpm: 1_000_000n },
  mon: { startFiat: 30_000n, volatilityPpm: 1_000_000n },
  bera: { startFiat: 1_000_000n, volatilityPpm: 1_000_000n },
  hype: { startFiat: 40_000_000n, volatilityPpm: 1_000_000n },
  core: { startFiat: 200_000n, volatilityPpm: 1_000_000n },
  usd: { startFiat: 1_000_000n, volatilityPpm: 0n },
}

const NAMES: readonly (readonly [ending: RegExp, price: string])[] = [
  [/btcn?$/, "btc"],
  [/eth$/, "eth"],
  [/sol$/, "sol"],
  [/strk$/, "strk"],
  [/bnb$/, "bnb"],
  [/^pol$/, "pol"],
  [/^mon$/, "mon"],
  [/^bera$/, "bera"],
  [/^hype$/, "hype"],
  [/^core$/, "core"],
  [/usd|dai$/, "usd"],
]

/** `wbtc` and `cbbtc` have the price of `btc`. `null` for an unknown coin. */
export function guessPrice(id: AssetId): string | null {
  return guessCoinPrice(id.slice(id.indexOf(":") + 1))
}

/** The same for the ticker of a native coin, in lower case. */
export function guessCoinPrice(name: string): string | null {
  return NAMES.find(([ending]) => ending.test(name))?.[1] ?? null
}

/** In smallest units of the native coin. */
export type FeeAssumption = { readonly depositFeeUnits: bigint; readonly refundFeeUnits: bigint }
