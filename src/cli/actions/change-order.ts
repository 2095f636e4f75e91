import { EXIT } from "#daemon/exit-code.ts"
import { plainJson } from "#lib/json.ts"
import { callDaemon } from "../call-daemon.ts"
import type { CommandContext } from "../define-command.ts"
import { openConfigForReading } from "../open-config.ts"
import { printRefusal } from "../print-refusal.ts"

type OrderChange = "approve" | "reject" | "retry" | "abandon" | "refund"

/** Has the running daemon apply one operator request to an order. */
export async function changeOrder(
  context: CommandContext,
  change: OrderChange,
  order: string,
  intent: string | null = null,
): Promise<number> {
  const config = openConfigForReading(context)
  const path = `/api/v1/orders/${encodeURIComponent(order)}/${change}`
  const answer = await callDaemon(config, "POST", path, intent === null ? {} : { intent })
  if (answer.status !== 200) return printRefusal(context, answer.body)
  context.print(plainJson(answer.body))
  return EXIT.ok
}
