import type { AssetId } from "./asset.ts"

/** One solver's offer (service interface §2, Quote). Amounts in smallest units; values in the fiat reference, millionths. */
export type Quote = {
  readonly from: AssetId
  readonly to: AssetId
  readonly sourceUnits: bigint
  readonly destinationUnits: bigint
  /** `null` when the service gave no readable value: a missing price is a reason, never zero. */
  readonly sourceFiat: bigint | null
  readonly destinationFiat: bigint | null
  readonly solverId: string
  /** The service's own estimate, or `null`. */
  readonly estimatedSeconds: number | null
  /** The affiliate fee of the request, which the amounts include; absent for none. */
  readonly affiliateBps?: number
}
