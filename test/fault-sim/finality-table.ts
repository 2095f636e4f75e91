import type { Family } from "#domain/asset.ts"

/** From `seen` on, an order goes on; from `ending` on, it ends. Depths in blocks, counted from 1. */
export type Depths = { readonly seen: number; readonly ending: number }

/**
 * The depths that Ballast ships for main networks. Tags are counted in blocks here: `finalized` on EVM, `finalized` on Solana, and
 * acceptance on L1 on Starknet, which takes hours there and 40 blocks here.
 */
const SHIPPED: Readonly<Record<string, Depths>> = {
  bitcoin: { seen: 1, ending: 6 },
  evm: { seen: 2, ending: 64 },
  solana: { seen: 2, ending: 32 },
  starknet: { seen: 2, ending: 40 },
}

export function shippedDepths(family: Family): Depths {
  return SHIPPED[family] ?? { seen: 2, ending: 64 }
}
