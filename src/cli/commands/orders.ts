import { decimalsOf } from "#daemon/compose.ts"
import { EXIT } from "#daemon/exit-code.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import { decodeOrder } from "#order/step.ts"
import { type OrderView, viewOrder } from "#order/view.ts"
import type { Invocation } from "../main.ts"
import { openConfigForReading } from "../open-config.ts"
import { openJournalForReading } from "../open-journal.ts"
import { formatTable } from "../table.ts"

/** Lists orders from the journal, newest first, whether or not the daemon runs. */
export async function ordersCommand(invocation: Invocation): Promise<number> {
  const config = openConfigForReading(invocation)
  const limit = limitOf(invocation)
  const journal = openJournalForReading(config)
  const rows = journal?.listOrders({ limit, open: invocation.options["open"] === true }) ?? []
  const decimals = decimalsOf(config)
  const orders = rows.map((row) => viewOrder(decodeOrder(row.snapshot), decimals, row.updatedAtMs))
  journal?.close()
  if (invocation.json) invocation.print(plainJson({ orders }, 2))
  else invocation.print(orders.length === 0 ? "No orders yet." : formatOrders(orders))
  return EXIT.ok
}

export function formatOrders(orders: readonly OrderView[]): string {
  const rows = orders.map((order) => [
    order.id,
    order.rule,
    `${order.amount} ${order.from}`,
    `${order.destinationAmount ?? "?"} ${order.to}`,
    order.state,
    order.createdAt.slice(0, 19).replace("T", " "),
    order.reasons.map(({ code }) => code).join(" "),
  ])
  return formatTable(["order", "rule", "sends", "receives", "state", "created (UTC)", "reasons"], rows)
}

function limitOf({ options }: Invocation): number {
  const limit = Number(options["limit"] ?? 50)
  if (Number.isInteger(limit) && limit > 0) return limit
  throw new AppError({ code: "cli.usage", disposition: "refused", message: "--limit takes a whole number above zero" })
}
