import { EXIT } from "#daemon/start/exit-code.ts"
import { plainJson } from "#lib/json.ts"
import { bodyOf } from "../../call-daemon.ts"
import { callDaemonOnce } from "../../call-once.ts"
import { confirmChange } from "../../confirm.ts"
import type { CommandContext } from "../../define-command.ts"
import { printRefusal } from "../../format/print-refusal.ts"
import { formatTable } from "../../format/table.ts"
import { openConfigForReading } from "../../open/open-config.ts"

/**
 * Has the daemon compare its books with the chains. A difference is exit 1; an unreadable asset is
 * exit 75.
 */
export async function reconcileBooks(
  context: CommandContext,
  {
    accept,
    as,
    yes,
  }: { readonly accept: string | null; readonly as: string | null; readonly yes: boolean },
): Promise<number> {
  const config = openConfigForReading(context)
  if (accept !== null)
    await confirmChange(context, `Book the difference of ${accept} as ${as ?? "outside"}?`, yes)
  // A second acceptance would book the difference of its own moment, which no person has seen.
  const body = { ...(accept === null ? {} : { accept }), ...(as === null ? {} : { as }) }
  const answer = await callDaemonOnce(config, context.clock, "/api/v1/reconcile", body, {
    answerMs: ANSWER_MS,
    repeat: accept === null ? "harmless" : "uncertain",
  })
  if (answer.status !== 200) return printRefusal(context, answer.body)
  const { assets } = bodyOf<"Reconciliation">(answer)
  if (context.json) context.print(plainJson(answer.body, 2))
  else {
    const rows = assets.map((line) => [
      line.asset,
      line.state,
      line.ledger ?? "?",
      line.chain ?? "?",
      line.difference ?? "?",
    ])
    context.print(formatTable(["asset", "", "books", "chain", "difference"], rows, context.columns))
  }
  if (assets.some(({ state }) => state === "difference")) return EXIT.refused
  return assets.some(({ state }) => state === "unreadable") ? EXIT.tryLater : EXIT.ok
}

/**
 * A node that hangs lets several reads of the daemon run into their time-outs, one after the other.
 */
const ANSWER_MS = 240_000
