import { z } from "zod"
import { parseShape } from "./create-body.ts"
import { sameOwner } from "./same-owner.ts"
import type { StoredOrder } from "./stored-order.ts"

/** `GET /v2/orders` (field notes, Wire): newest first, filtered by owners and status, `per_page` from 1 to 100 (default 10). */
export function listOrders(
  orders: readonly StoredOrder[],
  query: Readonly<Record<string, string>>,
  show: (order: StoredOrder) => unknown,
): OrderPage {
  const { from_owner, to_owner, status, page, per_page } = parseShape(listQuery, query)
  const matching = orders.filter(
    (order) =>
      (from_owner === undefined || sameOwner(order.source.swap.owner, from_owner)) &&
      (to_owner === undefined || sameOwner(order.destination.swap.owner, to_owner)) &&
      (status === undefined || status === "all" || statusOf(order) === status),
  )
  const first = (page - 1) * per_page
  return {
    data: matching
      .reverse()
      .slice(first, first + per_page)
      .map(show),
    page,
    total_pages: Math.ceil(matching.length / per_page),
    total_items: matching.length,
  }
}

export type OrderPage = {
  readonly data: readonly unknown[]
  readonly page: number
  readonly total_pages: number
  readonly total_items: number
}

const listQuery = z.object({
  from_owner: z.string().optional(),
  to_owner: z.string().optional(),
  status: z.enum(["all", "not-initiated", "in-progress", "completed", "refunded", "expired"]).optional(),
  page: z.coerce.number().int().min(1).default(1),
  per_page: z.coerce.number().int().min(1).max(100).default(10),
})

function statusOf(order: StoredOrder): string {
  if (order.destination.seen.redeemed) return "completed"
  if (order.source.seen.refunded) return "refunded"
  if (order.source.seen.initiated) return "in-progress"
  return Date.now() > order.deadlineMs ? "expired" : "not-initiated"
}
