import { EXIT } from "#daemon/start/exit-code.ts"
import { plainJson } from "#lib/json.ts"
import { callDaemon } from "../../call-daemon.ts"
import { confirmChange } from "../../confirm.ts"
import type { CommandContext } from "../../define-command.ts"
import { printRefusal } from "../../format/print-refusal.ts"
import { openConfigForReading } from "../../open/open-config.ts"

/** The operator answers for the machine's clock, so that limits follow it again. */
export async function confirmClock(context: CommandContext, yes: boolean): Promise<number> {
  const clock = new Date(context.clock.now()).toISOString()
  await confirmChange(context, `Is it ${clock} now? Limits count by this time.`, yes)
  const answer = await callDaemon(
    openConfigForReading(context),
    "POST",
    "/api/v1/confirm-clock",
    {},
  )
  if (answer.status !== 200) return printRefusal(context, answer.body)
  context.print(context.json ? plainJson(answer.body) : "clock: confirmed")
  return EXIT.ok
}
