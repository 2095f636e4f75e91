import { EXIT } from "#daemon/exit-code.ts"
import { AppError } from "#lib/app-error.ts"
import { decodeJson, plainJson } from "#lib/json.ts"
import type { Invocation } from "../main.ts"
import { openConfigForReading } from "../open-config.ts"
import { openJournalForReading } from "../open-journal.ts"

/** What a rule decided lately, and why. */
export async function whyCommand(invocation: Invocation): Promise<number> {
  const config = openConfigForReading(invocation)
  const rule = invocation.operands[0]
  if (rule === undefined)
    throw new AppError({ code: "cli.usage", disposition: "refused", message: "expected: ballast why RULE" })
  if (!config.rules.some(({ id }) => id === rule)) {
    throw new AppError({
      code: "rule.not_found",
      disposition: "refused",
      message: `There is no rule ${rule} in the configuration`,
    })
  }
  const journal = openJournalForReading(config)
  const decisions = (journal?.listDecisions({ rule, limit: 20 }) ?? []).map((decision) => ({
    ...decision,
    at: new Date(decision.atMs).toISOString(),
    body: decodeJson(decision.body),
  }))
  journal?.close()
  if (invocation.json) invocation.print(plainJson({ rule, decisions }, 2))
  else if (decisions.length === 0) invocation.print("No occurrence of this rule was due yet.")
  else
    for (const { at, verdict, orderId, body } of decisions)
      invocation.print(`${at}  ${verdict}  ${orderId ?? plainJson(body)}`)
  return EXIT.ok
}
