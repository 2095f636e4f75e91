import type { AssetId } from "./asset.ts"

/** A language model's client. `limits`: `null` for one that may not ask for swaps. */
export type Agent = {
  readonly name: string
  readonly socket: boolean
  readonly tools: readonly AgentGroup[]
  readonly limits: AgentLimits | null
}

export type AgentGroup = "read" | "quote" | "simulate" | "propose" | "swap"

/** The limits of an agent, which hold beside all others. Fiat in millionths. */
export type AgentLimits = {
  readonly pairs: readonly { readonly from: AssetId; readonly to: AssetId }[]
  readonly maxOrderFiat: bigint
  readonly maxDayFiat: bigint
  readonly maxDayCount: number
  readonly maxInFlight: number
  /** Orders above this amount wait for a person. */
  readonly approveAboveFiat: bigint
}
