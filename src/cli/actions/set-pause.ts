import { EXIT } from "#daemon/exit-code.ts"
import { plainJson } from "#lib/json.ts"
import { callDaemon } from "../call-daemon.ts"
import type { CommandContext } from "../define-command.ts"
import { openConfigForReading } from "../open-config.ts"
import { printRefusal } from "../print-refusal.ts"

/** Pauses or resumes everything, one chain or one rule. Returns after the change is in effect. */
export async function setPause(
  context: CommandContext,
  change: "pause" | "resume",
  { chain, rule }: { readonly chain: string | null; readonly rule: string | null },
): Promise<number> {
  const config = openConfigForReading(context)
  const scope = { ...(chain === null ? {} : { chain }), ...(rule === null ? {} : { rule }) }
  const answer = await callDaemon(config, "POST", `/api/v1/${change}`, scope)
  if (answer.status !== 200) return printRefusal(context, answer.body)
  const target = chain ?? rule ?? "everything"
  context.print(context.json ? plainJson(answer.body) : `${target}: ${change === "pause" ? "paused" : "resumed"}`)
  return EXIT.ok
}
