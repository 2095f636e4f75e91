import type { AssetId } from "#domain/asset.ts"
import type { InspectingKeyHolder } from "#ports/key-holder.ts"

/** One chain whose key this process holds. */
export type HeldChain = {
  readonly keys: InspectingKeyHolder
  /** The native coin, in which the chain takes its fees. */
  readonly coin: AssetId
  readonly timelocks: { readonly min: bigint; readonly max: bigint }
}
