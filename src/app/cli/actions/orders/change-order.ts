import type { Config } from "#config/config.ts"
import { decimalsOf } from "#daemon/start/decimals-of.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { plainJson } from "#lib/json.ts"
import { decodeOrNull } from "#order/decode-or-null.ts"
import { viewOrder } from "#order/view.ts"
import { describeReference } from "#order/view-reference.ts"
import { callDaemonOnce } from "../../call-once.ts"
import { confirmChange } from "../../confirm.ts"
import type { CommandContext } from "../../define-command.ts"
import { printRefusal } from "../../format/print-refusal.ts"
import { findOrderId } from "../../open/find-order-id.ts"
import { findToken, openConfigForReading } from "../../open/open-config.ts"
import { openJournalForReading } from "../../open/open-journal.ts"

type OrderChange = "approve" | "reject" | "retry" | "abandon" | "refund" | "redeem"
type Choices = {
  readonly yes: boolean
  readonly intent?: string | null
  readonly token?: string | null
}

/**
 * Has the running daemon apply one operator request to an order. On a terminal a person confirms it
 * first.
 */
export async function changeOrder(
  context: CommandContext,
  change: OrderChange,
  order: string,
  { yes, intent = null, token: reference = null }: Choices,
): Promise<number> {
  const config = openConfigForReading(context)
  // Before the question, because a wrong reference needs no answer.
  const token = reference === null ? null : findToken(context, reference)
  const found = findOrder(config, order)
  await confirmChange(context, `${CAPITAL[change]} ${found.what}?`, yes)
  // The question shows this order, so the approval names the intent that it has now.
  const named = intent ?? (change === "approve" ? found.intent : null)
  const path = `/api/v1/orders/${encodeURIComponent(found.id)}/${change}`
  const repeat = isHarmless(change, named) ? "harmless" : "uncertain"
  const body = named === null ? {} : { intent: named }
  const answer = await callDaemonOnce(config, context.clock, path, body, { repeat, token })
  if (answer.status !== 200) return printRefusal(context, answer.body)
  context.print(plainJson(answer.body))
  context.tell(`follow it with: ballast order ${found.id.slice(0, 8)}`)
  return EXIT.ok
}

/**
 * The daemon refuses a second one, or the order is where the first one led it. An approval without
 * its intent could approve a later intent, and a retry could wave through a later reason to hold:
 * neither was read by a person.
 */
function isHarmless(change: OrderChange, intent: string | null): boolean {
  return change === "approve" ? intent !== null : change !== "retry"
}

const CAPITAL: Readonly<Record<OrderChange, string>> = {
  approve: "Approve",
  reject: "Reject",
  retry: "Retry",
  abandon: "Abandon",
  refund: "Refund",
  redeem: "Redeem the payout of",
}

type Found = { readonly id: string; readonly what: string; readonly intent: string | null }

/** Without a journal the daemon itself answers for the id. */
function findOrder(config: Config, typed: string): Found {
  const journal = openJournalForReading(config)
  if (journal === null) return { id: typed, what: `order ${typed}`, intent: null }
  try {
    const id = findOrderId(journal, typed)
    const row = journal.findOrder(id)
    const order = row === null ? null : decodeOrNull(row.snapshot)
    if (row === null || order === null) return { id, what: `order ${id}`, intent: null }
    const view = viewOrder(order, decimalsOf(config), row.updatedAtMs)
    const { amount, from, destinationAmount, to, state, intent } = view
    const swap = `${amount} ${from} for ${destinationAmount ?? "?"} ${to}`
    const sentences = state === "awaiting-approval" ? describeReference(view) : []
    const what = [`order ${id.slice(0, 8)}, ${swap}, now ${state}`, ...sentences].join(". ")
    return { id, what, intent }
  } finally {
    journal.close()
  }
}
