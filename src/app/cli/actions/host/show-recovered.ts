import { EXIT } from "#daemon/start/exit-code.ts"
import { plainJson } from "#lib/json.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { bodyOf, callDaemon } from "../../call-daemon.ts"
import { confirmChange } from "../../confirm.ts"
import type { CommandContext } from "../../define-command.ts"
import { printRefusal } from "../../format/print-refusal.ts"
import { formatTable } from "../../format/table.ts"
import { openConfigForReading } from "../../open/open-config.ts"

/**
 * Has the paused daemon look for orders that its journal does not know, shows them, and after a
 * confirmation goes on with them.
 */
export async function showRecovered(
  context: CommandContext,
  { yes }: { readonly yes: boolean },
): Promise<number> {
  const config = openConfigForReading(context)
  const ask = (adopt: boolean) =>
    callDaemon(
      config,
      "POST",
      "/api/v1/recover",
      { adopt },
      { answerMs: ANSWER_MS, repeat: "harmless" },
    )
  const found = await ask(false)
  if (found.status !== 200) return printRefusal(context, found.body)
  const seen = bodyOf<"Recovery">(found)
  const open = seen.orders.filter(({ status }) => status === "found")
  if (open.length === 0) {
    print(context, seen)
    return exitCodeOf(seen)
  }
  if (!context.json) context.print(format(seen))
  await confirmChange(
    context,
    `Go on with ${open.length === 1 ? "this order" : `these ${open.length} orders`}?`,
    yes,
  )
  const adopted = await ask(true)
  if (adopted.status !== 200) return printRefusal(context, adopted.body)
  const answer = bodyOf<"Recovery">(adopted)
  print(context, answer)
  context.tell("look at them with `ballast orders --open`, then `ballast resume`")
  return exitCodeOf(answer)
}

/** Each order takes a few reads of both chains, and a service may give its list in small pages. */
const ANSWER_MS = 60 * 60_000

type RecoverAnswer = AnswerOf<"Recovery">

function print(context: CommandContext, answer: RecoverAnswer): void {
  context.print(context.json ? plainJson(answer, 2) : format(answer))
}

function format({ orders, unread, leftOut }: RecoverAnswer): string {
  const rows = orders.map(({ orderId, from, to, status, hasOwnSecret, id, service, reasons }) => [
    orderId.slice(0, 10),
    from,
    to,
    `${service}${hasOwnSecret ? ", our secret" : ""}`,
    id === null ? (WORDS[status] ?? status) : `goes on as ${id.slice(0, 8)}`,
    reasons[0]?.message ?? "",
  ])
  const missing = unread.map(
    ({ service, chain, reasons }) =>
      `Not listed: orders from ${chain} at the service ${service}. ` +
      `${reasons.map(({ message }) => message).join("; ")}`,
  )
  const notes = leftOut === 0 ? missing : [...missing, tellLeftOut(leftOut)]
  if (orders.length > 0)
    return [formatTable(["order", "from", "to", "service", "", ""], rows), ...notes].join("\n")
  return notes.length > 0
    ? notes.join("\n")
    : "No service and no route has an order that the journal does not know."
}

function tellLeftOut(count: number): string {
  return (
    `Not compared with the chains yet: ${count} orders that the services call settled. ` +
    "Run it again: it goes on behind those that are over."
  )
}

const WORDS: Readonly<Record<string, string>> = {
  found: "holds our deposit",
  over: "over",
  unfunded: "no deposit",
  unclear: "unclear",
}

function exitCodeOf({ orders, unread, leftOut }: RecoverAnswer): number {
  return unread.length > 0 || leftOut > 0 || orders.some(({ status }) => status === "unclear")
    ? EXIT.refused
    : EXIT.ok
}
