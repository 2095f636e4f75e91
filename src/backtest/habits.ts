import type { AssetId } from "#domain/asset.ts"

/**
 * What is taken for granted where nobody says otherwise. Round figures, not forecasts: whoever decides by a trial gives their own in a scenario.
 */

/** By name of price: fiat millionths of a whole coin, and its standard deviation in a year in millionths. */
export const COINS: Readonly<Record<string, { readonly startFiat: bigint; readonly volatilityPpm: bigint }>> = {
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

/** `wbtc` and `cbbtc` are worth what `btc` is. `null` for a coin that nobody here knows. */
export function guessPrice(id: AssetId): string | null {
  const name = id.slice(id.indexOf(":") + 1)
  return NAMES.find(([ending]) => ending.test(name))?.[1] ?? null
}

/** In smallest units of the native coin. */
export type FeeHabit = { readonly depositFeeUnits: bigint; readonly refundFeeUnits: bigint }
