import type { AssetId } from "#domain/asset.ts"
import type { Rule } from "../rule-kind.ts"

/** Keeps the network fees of so many days in a chain's own coin, and those of so many orders. */
export type GasRule = Rule & {
  readonly kind: "gas"
  readonly asset: AssetId
  readonly days: bigint
  readonly orders: bigint
  readonly sources: readonly AssetId[]
}
