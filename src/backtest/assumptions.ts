import type { AssetId } from "#domain/asset.ts"

/**
 * The defaults of a scenario. They are round figures, not forecasts: set your own in the scenario before you decide by a backtest.
 */

/** By price name: fiat millionths of a whole coin, and its standard deviation in a year in millionths. */
export const ASSUMED_PRICES: Readonly<Record<string, { readonly startFiat: bigint; readonly volatilityPpm: bigint }>> =
  {
    btc: { startFiat: 100_000_000_000n, volatilityPpm: 450_000n },
    eth: { startFiat: 3_000_000_000n, volatilityPpm: 650_000n },
    sol: { startFiat: 150_000_000n, volatilityPpm: 800_000n },
    strk: { startFiat: 150_000n, volatilityPpm: 1_000_000n },
    usd: { startFiat: 1_000_000n, volatilityPpm: 0n },
  }

const NAMES: readonly (readonly [ending: RegExp, price: string])[] = [
  [/btc$/, "btc"],
  [/eth$/, "eth"],
  [/sol$/, "sol"],
  [/strk$/, "strk"],
  [/usd|dai$/, "usd"],
]

/** `wbtc` and `cbbtc` have the price of `btc`. `null` for an unknown coin. */
export function guessPrice(id: AssetId): string | null {
  const name = id.slice(id.indexOf(":") + 1)
  return NAMES.find(([ending]) => ending.test(name))?.[1] ?? null
}

/** In smallest units of the native coin. */
export type FeeAssumption = { readonly depositFeeUnits: bigint; readonly refundFeeUnits: bigint }
