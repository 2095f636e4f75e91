import type { LowDepth } from "#chains/family-definition.ts"

/**
 * How deep a block must be: a number of blocks, its own included, or `l1` for blocks that Ethereum
 * has accepted together with their proof.
 */
export type StarknetDepth = number | "l1"

export type StarknetDepths = {
  /** To go on with an order. */
  readonly seen: StarknetDepth
  /** To tell a secret. */
  readonly reveal: StarknetDepth
  /** To end an order. */
  readonly ending: StarknetDepth
}

/** `smallEnding` is the depth of an ending with at most `SMALL_STAKE_FIAT` at stake. */
export type StarknetFinality = StarknetDepths & { readonly smallEnding: StarknetDepth }

/** In millionths of the reference currency. */
export const SMALL_STAKE_FIAT = 1_000_000_000n

/**
 * Starknet has rolled accepted blocks back twice on main net: about an hour in September 2025 and
 * 18 minutes on 2026-01-05 (Starknet's post-mortems). No block that Ethereum had accepted was ever
 * rolled back. So large amounts wait for L1, which takes hours, and small ones for 600 blocks: 20
 * minutes at 2 s.
 */
const MAIN: StarknetFinality = { seen: 2, reveal: 60, ending: "l1", smallEnding: 600 }
const TEST: StarknetFinality = { seen: 2, reveal: 2, ending: 3, smallEnding: 3 }

/**
 * The depths that are lower than the least ones of the main network, which are those of a small
 * stake. An ending then waits 20 minutes, longer than the rollback of 2026-01-05. Pure.
 */
export function findLowDepths(chain: DepthsOfChain): LowDepth[] {
  if (chain.chainId !== "SN_MAIN") return []
  const { reveal, smallEnding } = deriveStarknetFinality(chain)
  const least = { reveal: MAIN.reveal, ending: MAIN.smallEnding }
  const found = { reveal, ending: smallEnding }
  return (["reveal", "ending"] as const).flatMap((use) => {
    const depth = found[use]
    const most = least[use]
    if (depth === "l1" || (typeof most === "number" && depth >= most)) return []
    return [{ use, found: String(depth), least: String(most) }]
  })
}

type DepthsOfChain = Parameters<typeof deriveStarknetFinality>[0]

/**
 * The depths of a chain: `confirmations` overrides everything, a configured depth overrides its
 * default. Pure.
 */
export function deriveStarknetFinality(chain: {
  readonly chainId: string
  readonly confirmations?: number | null
  readonly finality?: { readonly [Name in keyof StarknetDepths]: StarknetDepth | null } | null
}): StarknetFinality {
  const { confirmations: all } = chain
  if (all !== null && all !== undefined)
    return { seen: all, reveal: all, ending: all, smallEnding: all }
  const shipped = chain.chainId === "SN_MAIN" ? MAIN : TEST
  const { seen, reveal, ending } = chain.finality ?? { seen: null, reveal: null, ending: null }
  return {
    seen: seen ?? shipped.seen,
    reveal: reveal ?? shipped.reveal,
    ending: ending ?? shipped.ending,
    smallEnding: ending ?? shipped.smallEnding,
  }
}

/** The three depths for this stake; an unknown stake counts as high. Pure. */
export function depthsFor(
  finality: StarknetFinality,
  stakeFiat: bigint | null | undefined,
): StarknetDepths {
  const { seen, reveal, ending, smallEnding } = finality
  const isSmall = typeof stakeFiat === "bigint" && stakeFiat <= SMALL_STAKE_FIAT
  return { seen, reveal, ending: isSmall ? smallEnding : ending }
}

/**
 * The time until a block has the depth, as blocks on top of it, or in seconds. Ethereum accepts a
 * block with its proof after some hours. Pure.
 */
export function waitForDepth(
  depth: StarknetDepth,
): { readonly units: bigint } | { readonly seconds: number } {
  return depth === "l1" ? { seconds: L1_SECONDS } : { units: BigInt(depth - 1) }
}

/** A cautious reading of "hours" (Starknet docs, transaction lifecycle). */
const L1_SECONDS = 3 * 60 * 60

export function needsL1({ seen, reveal, ending }: StarknetDepths): boolean {
  return [seen, reveal, ending].includes("l1")
}

/** Pure. `confirmations` counts from 1. */
export function isDeepEnough(
  depth: StarknetDepth,
  { confirmations, onL1 }: { readonly confirmations: number; readonly onL1: boolean },
): boolean {
  return depth === "l1" ? onL1 : confirmations >= depth
}
