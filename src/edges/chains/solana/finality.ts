import type { LowDepth } from "#chains/family-definition.ts"
import type { Commitment } from "./node.ts"

/**
 * How deep a transaction must be for each use: `seen` to go on with an order, `reveal` to tell a
 * secret because of it, `ending` to end an order or to release money by it.
 *
 * - `confirmed`: two thirds of the stake have voted for the block. The cluster then drops the block
 *   only if a third of the stake votes against its own lockouts; no confirmed block of the main
 *   network has ever been dropped (Solana docs, "Commitment status", 2026-09).
 * - `finalized`: 31 confirmed blocks stand on it, about 13 seconds at 400 ms a slot. Nodes never
 *   drop a finalized block.
 */
export type Finality = { readonly seen: Depth; readonly reveal: Depth; readonly ending: Depth }

/**
 * A block has this depth when it has the commitment, and `slots` slots counted from its own, which
 * is 1.
 */
export type Depth = { readonly commitment: Commitment; readonly slots: number }

/** A value of the configuration: a number of slots, or a commitment. */
type DepthSetting = number | Commitment

export type FinalitySettings = {
  /** The commitment of `seen`, and of every depth that is a number of slots. */
  readonly commitment: Commitment
  /** One number of slots for all three depths. */
  readonly confirmations: number | null
  readonly finality: Readonly<Partial<Record<keyof Finality, DepthSetting | null>>> | null
}

/**
 * By default an order goes on at `confirmed` and ends at `finalized`, on every network: the wait is
 * 13 seconds.
 */
export function decideFinality({
  commitment,
  confirmations,
  finality,
}: FinalitySettings): Finality {
  const depthOf = (setting: DepthSetting): Depth =>
    typeof setting === "number" ? { commitment, slots: setting } : { commitment: setting, slots: 1 }
  if (confirmations !== null) {
    const depth = depthOf(confirmations)
    return { seen: depth, reveal: depth, ending: depth }
  }
  return {
    seen: depthOf(finality?.seen ?? commitment),
    reveal: depthOf(finality?.reveal ?? "finalized"),
    ending: depthOf(finality?.ending ?? "finalized"),
  }
}

/**
 * The depths that are lower than the least one of the main network: `finalized`, or as many slots
 * as a finalized block has on it and its own. A confirmed block can be dropped at the cost of a
 * third of the stake, and `finalized` costs 13 seconds. Pure.
 */
export function findLowDepths(settings: FinalitySettings): LowDepth[] {
  const finality = decideFinality(settings)
  return (["reveal", "ending"] as const).flatMap((use) => {
    const { commitment, slots } = finality[use]
    if (commitment === "finalized" || slots > FINALIZED_SLOTS) return []
    const found = slots === 1 && settings.confirmations === null ? commitment : String(slots)
    return [{ use, found, least: `finalized (or ${FINALIZED_SLOTS + 1})` }]
  })
}

/**
 * The slots on top of a block until it has the depth: a finalized block has 31 confirmed ones on
 * it. Pure.
 */
export function waitForDepth({ commitment, slots }: Depth): { readonly units: bigint } {
  const least = commitment === "finalized" ? FINALIZED_SLOTS : 0
  return { units: BigInt(Math.max(least, slots - 1)) }
}

const FINALIZED_SLOTS = 31

export function describeDepth({ commitment, slots }: Depth): string {
  return slots === 1 ? commitment : `${commitment}, ${slots} slots deep`
}

/**
 * Whether a block has a depth, by a node's commitment for it and by its number of confirmations.
 */
export function isDeep(
  status: string | null | undefined,
  confirmations: number,
  depth: Depth,
): boolean {
  return rankOf(status) >= rankOf(depth.commitment) && confirmations >= depth.slots
}

/**
 * 0 for `processed`, which is also the meaning of a missing commitment, up to 2 for `finalized`.
 */
export function rankOf(status: string | null | undefined): number {
  return ["processed", "confirmed", "finalized"].indexOf(status ?? "processed")
}
