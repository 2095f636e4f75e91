import type { CostLimit } from "#domain/order.ts"
import type { SoldLimit } from "#domain/sold-limit.ts"

/** What bounds one tick's plan. Windows, cool-downs and approvals are judged when an order is admitted; this only spares hopeless proposals. */
export type PlanLimits = {
  /** The most orders that this tick may open. */
  readonly maxOrders: number
  /** The most that one order may sell: fiat, or smallest units of the assets named. */
  readonly maxOrder: SoldLimit | null
  /** Whether an amount above the largest order may go out as several. */
  readonly split: boolean
  /** The most that one order may cost of what it sells. */
  readonly maxCost: CostLimit | null
}
