import type { AssetId } from "./asset.ts"
import type { OrderRisk } from "./order-cost.ts"
import type { AffiliateFee } from "./route/affiliate-fee.ts"
import type { RouteKind } from "./route/route-kind.ts"

/** The way to deposit, on chains that allow a choice (configuration `deposit`). */
export type DepositWay = "auto" | "gasless" | "onchain"

/** The binding terms of an order. Ballast refuses a deposit that differs from them in any field. */
export type OrderTerms = {
  readonly from: AssetId
  readonly to: AssetId
  readonly sourceUnits: bigint
  /** From the quote. */
  readonly destinationUnits: bigint
  readonly sourceOwner: string
  readonly destinationOwner: string
}

/**
 * Inclusive, in the chain's own unit. `secondsPerUnit` makes the two legs of an order comparable;
 * the true value lies between `fastestSeconds` and `slowestSeconds`. Orders that 0.2 stored lack
 * the range.
 */
export type TimelockBounds = {
  readonly min: bigint
  readonly max: bigint
  readonly secondsPerUnit: number
  readonly fastestSeconds?: number
  readonly slowestSeconds?: number
}

/**
 * The part of the configuration that an order keeps from its first moment to its last, across all
 * reloads.
 */
export type OrderPolicy = {
  readonly way: DepositWay
  readonly maxCost: CostLimit
  /** The limit of the requesting rule, if it has one; the tighter of both holds. */
  readonly ruleMaxCost?: CostLimit | null
  /** The limits of the other rules that the order serves; each of them holds too. */
  readonly alsoMaxCosts?: readonly CostLimit[]
  /**
   * The kind of route that the plan counted with, and all costs of the plan. An offer of another
   * kind may cost no more. Absent where the plan has no kind of its own.
   */
  readonly planned?: { readonly kind: RouteKind; readonly costFiat: bigint }
  /** What the money costs that an order locks, in basis points a year; absent for 0. */
  readonly capitalBps?: bigint
  /**
   * The risk at acceptance. With it the ceilings count all costs (ADR 28), without it the quote
   * alone.
   */
  readonly risk?: OrderRisk
  readonly pollMinMs: number
  readonly pollMaxMs: number
  /** A sent transaction that is not mined after this long gets a fee bump. */
  readonly stuckAfterMs: number
  /**
   * The same for the payout's redemption, on the destination: never less than the life of a
   * transaction that nothing replaces. Absent in older orders: `stuckAfterMs`.
   */
  readonly redeemStuckAfterMs?: number
  /**
   * How long an order tries to get a quote, create and read back before it ends. Nothing is at
   * stake until a signature.
   */
  readonly patienceMs: number
  /** How long after creation a deposit may be sent when the service names no deadline. */
  readonly depositWindowMs: number
  /** How long before the deadline the last deposit may be sent: time for it to be seen. */
  readonly deadlineMarginMs: number
  /** How long a reported redemption may stay unseen by our own node before it is an alarm. */
  readonly reportPatienceMs: number
  readonly timelocks: { readonly source: TimelockBounds; readonly destination: TimelockBounds }
  /** Orders of a higher value wait for an operator's approval; `null` for none. */
  readonly approveAbove: Ceiling | null
  /** Orders of a higher value need so many people; absent where one is always enough. */
  readonly approveSteps?: readonly ApproveStep[]
  readonly approvalTtlMs: number
  /** Part of the requests for the quote and the order; absent without affiliates. */
  readonly affiliateFees?: readonly AffiliateFee[]
}

type ApproveStep = { readonly over: Ceiling; readonly people: number }

/** In smallest units of the source asset, or in fiat millionths. */
export type Ceiling =
  | { readonly kind: "units"; readonly units: bigint }
  | { readonly kind: "fiat"; readonly fiat: bigint }

/**
 * The value that a quote may lose from source to destination: a share in basis points, or fiat
 * millionths.
 */
export type CostLimit =
  | { readonly kind: "share"; readonly bps: bigint }
  | { readonly kind: "fiat"; readonly fiat: bigint }

/**
 * The value with which limits count an order, in fiat millionths; `null` when no source gives a
 * value.
 */
export type OrderValue = {
  readonly sourceFiat: bigint | null
  /** The cost of the swap by its quote: source value less destination value, never below zero. */
  readonly feesFiat: bigint | null
  /**
   * The price of the source chain's own coin, for network fees; without it (`null`) limits do not
   * count network fees.
   */
  readonly nativePrice: { readonly fiat: bigint; readonly decimals: number } | null
}

/**
 * The highest network fees, in the smallest unit of the source chain's own coin, as estimated when
 * the order was accepted.
 */
export type FeeBudget = { readonly depositUnits: bigint; readonly refundUnits: bigint }

/**
 * The choice of a swap's secret. `own`: Ballast, or the order ends. `prefer-own`: Ballast, unless
 * chain or service cannot. `service`: the service.
 */
export type SecretMode = "own" | "prefer-own" | "service"
