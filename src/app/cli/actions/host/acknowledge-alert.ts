import { EXIT } from "#daemon/start/exit-code.ts"
import { plainJson } from "#lib/json.ts"
import { callDaemon } from "../../call-daemon.ts"
import type { CommandContext } from "../../define-command.ts"
import { printRefusal } from "../../format/print-refusal.ts"
import { findTreasury } from "../../open/find-treasury.ts"
import { usageError } from "../../usage-error.ts"

/** Tells the daemon that a person knows the alert. */
export async function acknowledgeAlert(
  context: CommandContext,
  id: string | null,
  { "data-dir": asked }: { readonly "data-dir": string | null },
): Promise<number> {
  if (id === null)
    throw usageError("ack needs the id of an alert, or all; `ballast alerts` lists them")
  const { dataDir } = findTreasury(context, asked)
  const path = `/api/v1/alerts/${encodeURIComponent(id)}/acknowledge`
  // A second `all` would acknowledge alerts that came in between, and that no person has read.
  const repeat = id === "all" ? "uncertain" : "harmless"
  const answer = await callDaemon({ dataDir }, "POST", path, {}, { repeat })
  if (answer.status !== 200) return printRefusal(context, answer.body)
  if (context.json) context.print(plainJson(answer.body, 2))
  else {
    // CAST: the daemon's own answer.
    const { acknowledged } = answer.body as { acknowledged: number }
    context.print(
      `${acknowledged === 1 ? "1 alert is" : `${acknowledged} alerts are`} acknowledged: no ` +
        "repeats, no escalation",
    )
  }
  return EXIT.ok
}
