import type { AssetId } from "./asset.ts"
import type { AffiliateRecord } from "./route/affiliate-fee.ts"

/**
 * One HTLC of an order as the service reports it (service interface §2, Swap). Nothing in it is
 * proven. Hashes are lower-case hex without `0x`; empty strings on the wire become `null`.
 */
export type ReportedLeg = {
  readonly swapId: string
  readonly chain: string
  readonly asset: AssetId
  readonly initiator: string
  readonly redeemer: string
  /** Bitcoin only: the key of the refund leaf (source) or of the redeem leaf (destination). */
  readonly delegate: string | null
  /** In the chain's own unit: blocks, slots, or seconds. */
  readonly timelock: bigint
  readonly units: bigint
  readonly filledUnits: bigint
  readonly secretHash: string
  readonly secret: string | null
  readonly initiateTx: string | null
  readonly redeemTx: string | null
  readonly refundTx: string | null
  readonly instantRefundTx: string | null
  readonly requiredConfirmations: number
  readonly currentConfirmations: number
}

/**
 * An order as the service reports it. The service must see the deposit before `deadlineMs`; `null`
 * when it reports no deadline.
 */
export type ServiceOrder = {
  readonly orderId: string
  readonly nonce: string
  readonly version: string | null
  readonly source: ReportedLeg
  readonly destination: ReportedLeg
  readonly deadlineMs: number | null
  /** The readable records only: the service interface (§2) does not document their form. */
  readonly affiliateFees: readonly AffiliateRecord[]
}
