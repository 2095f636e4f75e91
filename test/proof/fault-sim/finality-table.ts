import { depthsOf } from "#chains/bitcoin/finality.ts"
import { type Depth as EvmDepth, finalityOf } from "#chains/evm/finality.ts"
import { decideFinality, type Depth as SolanaDepth } from "#chains/solana/finality.ts"
import { deriveStarknetFinality, type StarknetDepth } from "#chains/starknet/finality.ts"
import type { Family } from "#domain/asset.ts"

/**
 * From `seen` on, an order goes on; from `ending` on, it ends. Depths in blocks, counted from 1.
 */
export type Depths = { readonly seen: number; readonly ending: number }

/**
 * The depths that Ballast ships for main networks, as the families name them, with each tag counted
 * in the simulator's blocks.
 */
export function shippedDepths(family: Family): Depths {
  const shipped = SHIPPED[family]
  if (shipped === undefined) throw new Error(`no shipped depths of ${family}`)
  return shipped
}

/** Two epochs, which the tag needs on Ethereum, and on the chains that settle there. */
const EVM_BLOCKS: Readonly<Record<Exclude<EvmDepth, number>, number>> = { safe: 32, finalized: 64 }
const SOLANA_BLOCKS = { processed: 1, confirmed: 2, finalized: 32 } as const
/**
 * Acceptance on L1 takes hours. Here it is deeper than every reorganisation and every lag of a
 * node.
 */
const L1_BLOCKS = 40

const SHIPPED: Readonly<Record<string, Depths>> = {
  bitcoin: pick(
    depthsOf("mainnet", { confirmations: null, finality: null }, 10n ** 9n),
    (depth) => depth,
  ),
  evm: pick(finalityOf(1), (depth) => (typeof depth === "number" ? depth : EVM_BLOCKS[depth])),
  solana: pick(
    decideFinality({ commitment: "confirmed", confirmations: null, finality: null }),
    ({ commitment, slots }: SolanaDepth) => SOLANA_BLOCKS[commitment] + slots - 1,
  ),
  starknet: pick(deriveStarknetFinality({ chainId: "SN_MAIN" }), (depth: StarknetDepth) =>
    depth === "l1" ? L1_BLOCKS : depth,
  ),
}

function pick<Depth>(
  { seen, ending }: { readonly seen: Depth; readonly ending: Depth },
  blocks: (depth: Depth) => number,
): Depths {
  return { seen: blocks(seen), ending: blocks(ending) }
}
