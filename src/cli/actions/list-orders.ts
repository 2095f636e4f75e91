import { decimalsOf } from "#daemon/decimals-of.ts"
import { EXIT } from "#daemon/exit-code.ts"
import { plainJson } from "#lib/json.ts"
import { decodeOrNull } from "#order/decode-or-null.ts"
import { type OrderView, viewOrder } from "#order/view.ts"
import type { CommandContext } from "../define-command.ts"
import { openExistingJournal } from "../open-journal.ts"
import { openTreasury } from "../open-treasury.ts"
import { formatTable } from "../table.ts"

type Choices = { readonly open: boolean; readonly limit: number; readonly "data-dir": string | null }

/** Lists orders from the journal, newest first. The daemon need not run. */
export async function listOrders(
  context: CommandContext,
  { open, limit, "data-dir": asked }: Choices,
): Promise<number> {
  const { dataDir, config } = openTreasury(context, asked)
  const journal = openExistingJournal({ dataDir })
  const rows = journal.listOrders({ limit, open })
  const decimals = config === null ? new Map() : decimalsOf(config)
  const orders = rows.flatMap((row) => {
    const order = decodeOrNull(row.snapshot)
    return order === null ? [] : [viewOrder(order, decimals, row.updatedAtMs)]
  })
  const damaged = rows.filter(({ snapshot }) => decodeOrNull(snapshot) === null).map(({ id }) => id)
  journal.close()
  if (context.json) context.print(plainJson({ orders, ...(damaged.length > 0 ? { damaged } : {}) }, 2))
  else context.print(orders.length === 0 ? "No orders yet." : formatOrders(orders))
  if (damaged.length > 0 && !context.json)
    context.print(`Damaged in the journal, see journal.order_damaged in docs/ERRORS.md: ${damaged.join(", ")}`)
  return EXIT.ok
}

function formatOrders(orders: readonly OrderView[]): string {
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
