import { EXIT } from "#daemon/exit-code.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import { callDaemon } from "../call-daemon.ts"
import type { Invocation } from "../main.ts"
import { openConfigForReading } from "../open-config.ts"
import { printRefusal } from "../print-refusal.ts"

/** `approve`, `reject`, `retry`, `abandon` and `refund` of one order, by the running daemon. */
export async function operateCommand(invocation: Invocation): Promise<number> {
  const id = invocation.operands[0]
  if (id === undefined)
    throw new AppError({
      code: "cli.usage",
      disposition: "refused",
      message: `expected: ballast ${invocation.command} ORDER`,
    })
  const config = openConfigForReading(invocation)
  const { intent } = invocation.options
  const path = `/api/v1/orders/${encodeURIComponent(id)}/${invocation.command}`
  const answer = await callDaemon(config, "POST", path, typeof intent === "string" ? { intent } : {})
  if (answer.status !== 200) return printRefusal(invocation, answer.body)
  invocation.print(plainJson(answer.body))
  return EXIT.ok
}
