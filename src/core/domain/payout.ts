import type { AssetId } from "./asset.ts"

/** The HTLC that pays an order out, with the terms that the verifier accepted. Hex without `0x`. */
export type Payout = {
  readonly asset: AssetId
  /**
   * The HTLC contract or program; on Bitcoin the HTLC's address. `null`: one of the asset's
   * configured ones.
   */
  readonly htlc: string | null
  /** The service's id of the swap, unproven: ids that follow from the terms come first. */
  readonly swapId: string
  readonly secretHash: string
  readonly units: bigint
  /** The address that the redemption must pay: our own. */
  readonly owner: string
  readonly initiator: string
  readonly redeemer: string
  /** Bitcoin only: the x-only key of the redeem leaf. */
  readonly delegate: string | null
  /** In the destination chain's own unit. */
  readonly timelock: bigint
}
