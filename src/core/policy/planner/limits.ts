import type { AssetId, ChainId } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import type { Reason } from "#domain/reason.ts"
import type { SoldLimit } from "#domain/sold-limit.ts"

/**
 * The limits of one tick's plan. They are the limits of admission at this moment, as amounts that
 * are left, so that the planner proposes nothing that admission is known to refuse. Stored
 * decisions have them, so all keys that version 1 lacks are optional.
 */
export type PlanLimits = {
  /** The most orders that this tick may open. */
  readonly maxOrders: number
  /** The most that one order may sell: fiat, or smallest units of the assets named. */
  readonly maxOrder: SoldLimit | null
  /** Whether several orders may carry an amount above the largest order. */
  readonly split: boolean
  /** The most that one order may cost, in fiat or as a share of the sold value. */
  readonly maxCost: CostLimit | null
  /**
   * Whether a ceiling in fiat also binds the costs of a need's orders together, so that no need
   * evades it in parts. Older decisions lack it.
   */
  readonly bindSums?: boolean
  /** Pairs that admission refuses now, at any amount. */
  readonly blocked?: readonly BlockedPair[]
  /** The rest of each window of `guards.windows`. */
  readonly windows?: readonly WindowRest[]
  /** Further limits of the number of orders. */
  readonly counts?: readonly OrderCount[]
  /** The network fees that each order keeps back on its source chain. */
  readonly gas?: readonly ChainGas[]
  /** Pairs whose orders have a lower limit than `maxOrder`. */
  readonly orderLimits?: readonly PairLimit[]
}

/** The most that one order of the pair may sell. */
export type PairLimit = {
  readonly from: AssetId
  readonly to: AssetId
  /** An address outside the treasury; `null` for our own wallet. */
  readonly destination: string | null
  readonly max: SoldLimit
}

/** `rule` is `null` for a pair that is blocked for all rules. */
export type BlockedPair = {
  readonly from: AssetId
  readonly to: AssetId
  readonly rule: string | null
  readonly reasons: readonly Reason[]
}

/**
 * `null` for an amount that the window does not limit. `leftUnits` lists the assets that the window
 * limits in their own unit.
 */
export type WindowRest = {
  /** The length of the window, for reasons. */
  readonly per: string
  readonly leftFiat: bigint | null
  /** The whole window in fiat millionths. */
  readonly maxFiat: bigint | null
  readonly leftUnits: Readonly<Record<AssetId, bigint>>
  readonly leftFeesFiat: bigint | null
}

/** At most `left` orders of this pair, rule or chain; of all three absent: of the whole plan. */
export type OrderCount = {
  readonly pair?: { readonly from: AssetId; readonly to: AssetId }
  readonly rule?: string
  /** Orders with this chain at either end. */
  readonly chain?: ChainId | string
  readonly left: number
  readonly reason: Reason
}

/**
 * `placed`: the orders of this tick that are accepted already. `leftUnits`: what the wallet has for
 * network fees beside accepted orders; `null` when it is unknown. `coin`: the asset that is this
 * coin.
 */
export type ChainGas = {
  readonly chain: ChainId | string
  readonly coin: AssetId | null
  readonly perOrderUnits: bigint
  readonly leftUnits: bigint | null
  readonly placed?: number
}

/** The sentence for a need or occurrence that finds the plan full. */
export function describeFullPlan(maxOrders: number): string {
  return maxOrders === 0
    ? "As many orders are under way as may be"
    : `The plan has its ${maxOrders} orders, and no more are allowed`
}

/**
 * The part of a window that a plan may fill: one percent below the rest, because admission values
 * an order by its own quote, and a plan to the cent would fail after any price rise.
 */
export function usableFiat({ leftFiat }: WindowRest): bigint | null {
  return leftFiat === null ? null : (leftFiat * 99n) / 100n
}
