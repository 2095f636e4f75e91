import { AppError } from "#lib/app-error.ts"
import type { One, Run } from "./row.ts"

/**
 * Reserves a resource for an order that does not hold it already. Throws `journal.resource_taken`
 * (transient) when another order does.
 */
export function reserve(run: Run, one: One, orderId: string, resource: string): void {
  const holder = one("select order_id from reservations where resource = ?", resource)?.["order_id"]
  if (holder === orderId) return
  if (holder !== undefined) {
    throw new AppError({
      code: "journal.resource_taken",
      disposition: "transient",
      message: "Another order holds this resource; try again when it is free",
      details: { resource, holder: String(holder) },
    })
  }
  run("insert into reservations values (?, ?)", resource, orderId)
}
