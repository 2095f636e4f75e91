import { EXIT } from "#daemon/exit-code.ts"
import { plainJson } from "#lib/json.ts"
import { callDaemon } from "../call-daemon.ts"
import { confirmChange } from "../confirm.ts"
import type { CommandContext } from "../define-command.ts"
import { openConfigForReading } from "../open-config.ts"
import { printRefusal } from "../print-refusal.ts"
import { formatTable } from "../table.ts"

/** Has the paused daemon look for orders that its journal does not know, shows them, and after a confirmation goes on with them. */
export async function showRecovered(context: CommandContext, { yes }: { readonly yes: boolean }): Promise<number> {
  const config = openConfigForReading(context)
  const ask = (adopt: boolean) => callDaemon(config, "POST", "/api/v1/recover", { adopt }, ANSWER_MS)
  const found = await ask(false)
  if (found.status !== 200) return printRefusal(context, found.body)
  const listed = ordersOf(found.body)
  const open = listed.filter(({ status }) => status === "found")
  if (open.length === 0) {
    print(context, found.body, listed)
    return exitCodeOf(listed)
  }
  if (!context.json) context.print(format(listed))
  await confirmChange(context, `Go on with ${open.length === 1 ? "this order" : `these ${open.length} orders`}?`, yes)
  const adopted = await ask(true)
  if (adopted.status !== 200) return printRefusal(context, adopted.body)
  const orders = ordersOf(adopted.body)
  print(context, adopted.body, orders)
  context.tell("look at them with `ballast orders --open`, then `ballast resume`")
  return exitCodeOf(orders)
}

/** Each order takes a few reads of both chains. */
const ANSWER_MS = 10 * 60_000

type Line = {
  readonly orderId: string
  readonly from: string
  readonly to: string
  readonly status: string
  readonly hasOwnSecret: boolean
  readonly id: string | null
  readonly reasons: readonly { readonly code: string; readonly message: string }[]
}

function ordersOf(body: unknown): readonly Line[] {
  // CAST: the daemon's own answer.
  return (body as { orders: readonly Line[] }).orders
}

function print(context: CommandContext, body: unknown, orders: readonly Line[]): void {
  if (context.json) context.print(plainJson(body, 2))
  else
    context.print(orders.length === 0 ? "The services list no order that the journal does not know." : format(orders))
}

function format(orders: readonly Line[]): string {
  const rows = orders.map(({ orderId, from, to, status, hasOwnSecret, id, reasons }) => [
    orderId.slice(0, 8),
    from,
    to,
    hasOwnSecret ? "ours" : "the service's",
    id === null ? (WORDS[status] ?? status) : `goes on as ${id.slice(0, 8)}`,
    reasons[0]?.message ?? "",
  ])
  return formatTable(["order", "from", "to", "secret", "", ""], rows)
}

const WORDS: Readonly<Record<string, string>> = {
  found: "holds our deposit",
  over: "over",
  unfunded: "no deposit",
  unclear: "unclear",
}

function exitCodeOf(orders: readonly Line[]): number {
  return orders.some(({ status }) => status === "unclear") ? EXIT.refused : EXIT.ok
}
