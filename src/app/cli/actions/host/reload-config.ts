import { EXIT } from "#daemon/start/exit-code.ts"
import { plainJson } from "#lib/json.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { bodyOf, callDaemon } from "../../call-daemon.ts"
import { confirmChange } from "../../confirm.ts"
import type { CommandContext } from "../../define-command.ts"
import { printRefusal } from "../../format/print-refusal.ts"
import { openConfigForReading } from "../../open/open-config.ts"

/**
 * Has the running daemon reload its configuration, and shows the differences. The daemon refuses a
 * faulty file as a whole.
 */
export async function reloadConfig(context: CommandContext, yes: boolean): Promise<number> {
  const config = openConfigForReading(context)
  await confirmChange(context, "Put this file in force now?", yes)
  const answer = await callDaemon(config, "POST", "/api/v1/reload", {}, { repeat: "harmless" })
  if (answer.status !== 200) return printRefusal(context, answer.body)
  context.print(context.json ? plainJson(answer.body, 2) : format(bodyOf<"Reloaded">(answer)))
  return EXIT.ok
}

function format({ changed, configHash, differences }: AnswerOf<"Reloaded">): string {
  if (!changed) return `unchanged (hash ${configHash.slice(0, 12)})`
  const lines = differences.map(({ key, change, from, to }) => {
    if (change === "changed") return `changed  ${key}: ${from} → ${to}`
    return `${change.padEnd(8)} ${key}: ${to ?? from}`
  })
  return [...lines, `in force (hash ${configHash.slice(0, 12)})`].join("\n")
}
