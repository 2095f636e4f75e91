import { EXIT } from "#daemon/exit-code.ts"
import { plainJson } from "#lib/json.ts"
import { callDaemon } from "../call-daemon.ts"
import type { Invocation } from "../main.ts"
import { openConfigForReading } from "../open-config.ts"
import { printRefusal } from "../print-refusal.ts"

/** `pause` and `resume`, of everything, one chain or one rule. Answers after the effect. */
export async function pauseCommand(invocation: Invocation): Promise<number> {
  const config = openConfigForReading(invocation)
  const { chain, rule } = invocation.options
  const scope = { ...(chain === undefined ? {} : { chain }), ...(rule === undefined ? {} : { rule }) }
  const answer = await callDaemon(config, "POST", `/api/v1/${invocation.command}`, scope)
  if (answer.status !== 200) return printRefusal(invocation, answer.body)
  const what = chain ?? rule ?? "everything"
  invocation.print(
    invocation.json
      ? plainJson(answer.body)
      : `${String(what)}: ${invocation.command === "pause" ? "paused" : "resumed"}`,
  )
  return EXIT.ok
}
