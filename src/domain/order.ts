import type { AffiliateFee } from "./affiliate-fee.ts"
import type { AssetId } from "./asset.ts"

/** How a deposit is to be made where the chain allows a choice (configuration `deposit`). */
export type DepositWay = "auto" | "gasless" | "onchain"

/** What was asked for and is now binding: a deposit that differs from these in any field is refused. */
export type OrderTerms = {
  readonly from: AssetId
  readonly to: AssetId
  readonly sourceUnits: bigint
  /** The quote's. */
  readonly destinationUnits: bigint
  readonly sourceOwner: string
  readonly destinationOwner: string
}

/** Inclusive, in the chain's own unit. `secondsPerUnit` makes the two legs of an order comparable. */
export type TimelockBounds = { readonly min: bigint; readonly max: bigint; readonly secondsPerUnit: number }

/** The part of the configuration that an order keeps from its first moment to its last, whatever is reloaded meanwhile. */
export type OrderPolicy = {
  readonly way: DepositWay
  readonly maxCost: CostLimit
  /** What the rule that asked allows, where it has a limit of its own; the tighter of both holds. */
  readonly ruleMaxCost?: CostLimit | null
  readonly pollMinMs: number
  readonly pollMaxMs: number
  /** A sent transaction that is not mined after this long gets a fee bump. */
  readonly stuckAfterMs: number
  /** How long to try for a quote, an order and its read-back before giving up. Nothing is at stake until a signature. */
  readonly patienceMs: number
  /** How long after creation a deposit may be sent when the service names no deadline. */
  readonly depositWindowMs: number
  /** How long before the deadline the last deposit may be sent: time for it to be seen. */
  readonly deadlineMarginMs: number
  /** How long a reported redemption may stay unseen by our own node before it is an alarm. */
  readonly reportPatienceMs: number
  readonly timelocks: { readonly source: TimelockBounds; readonly destination: TimelockBounds }
  /** Network fees that a Bitcoin redemption may take out of the payout, smallest units; 0 elsewhere. */
  readonly payoutToleranceUnits: bigint
  /** Orders worth more wait for a person; `null` for none. */
  readonly approveAbove: Ceiling | null
  readonly approvalTtlMs: number
  /** Asked for with the quote and the order; absent in orders of an earlier version. */
  readonly affiliateFees?: readonly AffiliateFee[]
}

/** In smallest units of the source asset, or in fiat millionths. */
export type Ceiling =
  | { readonly kind: "units"; readonly units: bigint }
  | { readonly kind: "fiat"; readonly fiat: bigint }

/** The value that a quote may lose from source to destination: a share in basis points, or fiat millionths. */
export type CostLimit =
  | { readonly kind: "share"; readonly bps: bigint }
  | { readonly kind: "fiat"; readonly fiat: bigint }

/** What an order counts as in limits, in fiat millionths; `null` where nobody says. */
export type OrderValue = {
  readonly sourceFiat: bigint | null
  /** What the swap costs by its quote: source value less destination value, never below zero. */
  readonly feesFiat: bigint | null
  /** Of the source chain's own coin, for network fees; `null` without a price source for it, and then they are not counted. */
  readonly nativePrice: { readonly fiat: bigint; readonly decimals: number } | null
}

/** What the network may take at worst, smallest unit of the source chain's own coin: estimated when the order was accepted. */
export type FeeBudget = { readonly depositUnits: bigint; readonly refundUnits: bigint }
