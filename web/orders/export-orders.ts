import type { Order } from "../answers.ts"
import { saveFile } from "../save-file.ts"
import { ask } from "../session.ts"
import { formatOrders } from "./orders-csv.ts"

const PAGE = 1_000

/** All orders of a filter, page by page, as a file of the browser. */
export async function exportOrders(
  query: string,
  onProgress: (orders: number) => void,
): Promise<void> {
  const orders: Order[] = []
  let cursor: string | null = null
  do {
    const rest: string = cursor === null ? "" : `&cursor=${cursor}`
    // CAST: the daemon's own answer.
    const page = (await ask("GET", `orders?${query}&limit=${PAGE}${rest}`)) as {
      readonly orders: readonly Order[]
      readonly next: string | null
    }
    orders.push(...page.orders)
    onProgress(orders.length)
    cursor = page.next
  } while (cursor !== null)
  const day = new Date().toISOString().slice(0, 10)
  saveFile(`orders-${day}.csv`, "text/csv", formatOrders(orders))
}
