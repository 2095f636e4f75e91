import type { Random } from "../fault-sim/random.ts"

/** About a hundred dollars of each main asset, in smallest units. */
const SIZES = {
  "bitcoin_testnet:btc": { units: 100_000n, decimals: 8 },
  "base_sepolia:wbtc": { units: 100_000n, decimals: 8 },
  "base_sepolia:eth": { units: 25_000_000_000_000_000n, decimals: 18 },
  "ethereum_sepolia:wbtc": { units: 100_000n, decimals: 8 },
  "solana_testnet:sol": { units: 500_000_000n, decimals: 9 },
  "solana_testnet:usdc": { units: 100_000_000n, decimals: 6 },
  "starknet_sepolia:wbtc": { units: 100_000n, decimals: 8 },
} as const
export type TradedAsset = keyof typeof SIZES

// CAST: the keys of a literal.
export const TRADED = Object.keys(SIZES) as [TradedAsset, ...TradedAsset[]]

export type SwapRequest = {
  readonly from: TradedAsset
  readonly to: TradedAsset
  readonly amount: string
  readonly deposit?: string
}

/**
 * Draws a swap between two chains. It adds `number` to the amount, so that the amount identifies
 * the request.
 */
export function drawRequest(random: Random, number: number): SwapRequest {
  const from = random.pick(TRADED)
  const elsewhere = TRADED.filter((asset) => chainOf(asset) !== chainOf(from))
  const to = elsewhere[random.below(elsewhere.length)] ?? from
  const { units, decimals } = SIZES[from]
  const gasless = chainOf(from) === "starknet_sepolia" || from.endsWith(":wbtc")
  const deposit = gasless ? { deposit: random.pick(["auto", "onchain", "gasless"]) } : {}
  return { from, to, amount: formatAmount(units + BigInt(number), decimals), ...deposit }
}

function chainOf(asset: string): string {
  return asset.split(":")[0] ?? ""
}

function formatAmount(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, "0")
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
