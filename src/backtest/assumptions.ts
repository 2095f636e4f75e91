import type { AssetId, Family } from "#domain/asset.ts"

/**
 * The defaults of a scenario. They are round figures, not forecasts: a user who bases a decision on a backtest sets their own in the scenario.
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

export type FeeAssumption = { readonly depositFeeUnits: bigint; readonly refundFeeUnits: bigint }

/** In smallest units of the coin: about 200 bytes at 10 sat/B, about 150 000 gas at 10 gwei on Ethereum and 0.02 on a roll-up. */
export const ASSUMED_FEES: Readonly<Record<Family | "ethereum", FeeAssumption>> = {
  bitcoin: { depositFeeUnits: 2_000n, refundFeeUnits: 1_500n },
  ethereum: { depositFeeUnits: 1_500_000_000_000_000n, refundFeeUnits: 1_000_000_000_000_000n },
  evm: { depositFeeUnits: 3_000_000_000_000n, refundFeeUnits: 2_000_000_000_000n },
  solana: { depositFeeUnits: 15_000n, refundFeeUnits: 10_000n },
  starknet: { depositFeeUnits: 50_000_000_000_000_000n, refundFeeUnits: 40_000_000_000_000_000n },
}

export const NATIVE_COINS: Readonly<Record<Family, { readonly decimals: number; readonly price: string }>> = {
  bitcoin: { decimals: 8, price: "btc" },
  evm: { decimals: 18, price: "eth" },
  solana: { decimals: 9, price: "sol" },
  starknet: { decimals: 18, price: "strk" },
}
