import type { LowDepth } from "#chains/family-definition.ts"

/**
 * How deep a block must be for each use of a fact in it. A number counts confirmations from 1; a
 * tag is the newest block that the chain itself calls `safe` or `finalized` (execution-apis,
 * `eth_getBlockByNumber`).
 */
export type Depth = number | "safe" | "finalized"

/**
 * `seen`: go on with an order. `reveal`: tell a secret. `ending`: end an order, or release money.
 */
export type FinalityProfile = {
  readonly seen: Depth
  readonly reveal: Depth
  readonly ending: Depth
}

/**
 * The heights at which a read took place. A tag is `null` where too few endpoints name its block.
 */
export type Depths = {
  readonly head: bigint
  readonly safe: bigint | null
  readonly finalized: bigint | null
}

/**
 * Is a block at `height` as deep as `depth` asks? A tag never reaches above the head of the read.
 */
export function isDeep(depth: Depth, height: bigint, heights: Depths): boolean {
  if (height > heights.head) return false
  if (typeof depth === "number") return heights.head - height + 1n >= BigInt(depth)
  const tagged = heights[depth]
  return tagged !== null && height <= tagged
}

/** The newest block that is deep enough for an ending; `null` where there is none yet. */
export function finalHeight({ ending }: FinalityProfile, heights: Depths): bigint | null {
  if (typeof ending !== "number") {
    const tagged = heights[ending]
    return tagged === null ? null : tagged < heights.head ? tagged : heights.head
  }
  const height = heights.head - BigInt(ending) + 1n
  return height < 0n ? null : height
}

/** `confirmations` of the configuration: one depth for every use. */
export function everyDepth(confirmations: number): FinalityProfile {
  return { seen: confirmations, reveal: confirmations, ending: confirmations }
}

/**
 * The shipped profile of a chain, by its EIP-155 id. Test networks, local chains and unknown chains
 * end faster.
 */
export function finalityOf(chainId: number): FinalityProfile {
  return PROFILES.get(chainId) ?? { seen: 1, reveal: 2, ending: 3 }
}

/**
 * The depths that are lower than the chain's own. In place of a tag a number of blocks will do that
 * takes as long as the tag at most. `blockMs`: the usual time between two blocks. Pure.
 */
export function findLowDepths(
  chainId: number,
  profile: FinalityProfile,
  blockMs: number,
): LowDepth[] {
  const usual = finalityOf(chainId)
  return (["reveal", "ending"] as const).flatMap((use) => {
    const depth = profile[use]
    const least = usual[use]
    const blocks = typeof least === "number" ? least : Math.ceil((TAG_SECONDS * 1_000) / blockMs)
    const isLow =
      typeof depth === "number" ? depth < blocks : depth === "safe" && least === "finalized"
    if (!isLow) return []
    const text = typeof least === "number" ? String(least) : `${least} (or ${blocks})`
    return [{ use, found: String(depth), least: text }]
  })
}

/**
 * The time until a block has the depth, as blocks on top of it or in seconds. Ethereum calls a
 * block safe or finalized after two epochs at most, about 13 minutes, and chains on top of it
 * follow; validators that finalize at once take seconds. The longer time for all is still a small
 * part of the locks of live orders. Pure.
 */
export function waitForDepth(
  depth: Depth,
): { readonly units: bigint } | { readonly seconds: number } {
  return typeof depth === "number" ? { units: BigInt(depth - 1) } : { seconds: TAG_SECONDS }
}

const TAG_SECONDS = 13 * 60

/** In words for `check` and `doctor`. */
export function describeDepth(depth: Depth): string {
  if (typeof depth !== "number") return `the chain's ${depth} block`
  return depth === 1 ? "1 confirmation" : `${depth} confirmations`
}

/**
 * Ethereum: two epochs justify and finalize a block, about 13 minutes (consensus specification,
 * 2026-09). OP stack: `safe` is derived from data on Ethereum, `finalized` from data in a finalized
 * block of Ethereum (specs.optimism.io, 2026-09). Arbitrum stack: the same for the batches of the
 * sequencer, since Nitro 2.0.10 (its release notes).
 */
const BY_ETHEREUM: FinalityProfile = { seen: 2, reveal: "safe", ending: "finalized" }

/** The validators finalize a block within seconds, and nodes name it with the tag. */
const BY_VALIDATORS: FinalityProfile = { seen: 2, reveal: "finalized", ending: "finalized" }

/**
 * One validator set agrees on each block before the next one (CometBFT and its relatives); some
 * blocks more cover a node's own view.
 */
const AT_ONCE: FinalityProfile = { seen: 1, reveal: 2, ending: 3 }

/**
 * No documented depth: a quarter of an hour of blocks, which is longer than every reorganisation
 * that a public source reports.
 */
const cautious = (blocks: number): FinalityProfile => ({
  seen: 3,
  reveal: Math.ceil(blocks / 10),
  ending: blocks,
})

const PROFILES: ReadonlyMap<number, FinalityProfile> = new Map([
  [1, BY_ETHEREUM],
  [8_453, BY_ETHEREUM], // Base
  [10, BY_ETHEREUM], // OP
  [130, BY_ETHEREUM], // Unichain
  [42_161, BY_ETHEREUM], // Arbitrum One
  [4_663, BY_ETHEREUM], // Robinhood, of the Arbitrum stack
  [21_000_000, BY_ETHEREUM], // Corn, of the Arbitrum stack
  // BEP-126: final two blocks later, in most cases (BNB Chain docs, JSON-RPC API list, 2025-06).
  [56, BY_VALIDATORS],
  // Milestones finalize within 2 to 5 seconds, and the tag follows them (Polygon docs, finality,
  // 2026-09).
  [137, BY_VALIDATORS],
  // MonadBFT finalizes after two blocks; `latest` is only proposed (Monad docs, JSON-RPC, 2026-09).
  [143, BY_VALIDATORS],
  [80_094, AT_ONCE], // Berachain: CometBFT (BeaconKit docs, 2026-09)
  [999, AT_ONCE], // HyperEVM: HyperBFT (Hyperliquid docs, 2026-09)
  [3_637, AT_ONCE], // Botanix: CometBFT (Botanix docs, 2025-07)
  // MegaETH: one sequencer, 1 s per block.
  [4_326, cautious(900)],
  // Core: 3 s per block, 21 validators take turns; no fast finality is documented.
  [1_116, cautious(300)],
  // Citrea: 2 s per block.
  [4_114, cautious(450)],
])
