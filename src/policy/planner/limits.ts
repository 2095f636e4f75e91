import type { CostLimit } from "#domain/order.ts"
import type { SoldLimit } from "#domain/sold-limit.ts"

/** The limits of one tick's plan. Admission judges windows, cool-downs and approvals; these limits only avoid proposals that admission would refuse. */
export type PlanLimits = {
  /** The most orders that this tick may open. */
  readonly maxOrders: number
  /** The most that one order may sell: fiat, or smallest units of the assets named. */
  readonly maxOrder: SoldLimit | null
  /** Whether several orders may carry an amount above the largest order. */
  readonly split: boolean
  /** The most that one order may cost, in fiat or as a share of the sold value. */
  readonly maxCost: CostLimit | null
}

/** The sentence for a need or occurrence that finds the plan full. */
export function describeFullPlan(maxOrders: number): string {
  return maxOrders === 0
    ? "As many orders are under way as may be"
    : `The plan has its ${maxOrders} orders, and no more are allowed`
}
