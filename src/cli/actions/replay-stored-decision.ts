import { EXIT } from "#daemon/exit-code.ts"
import { replayDecision } from "#engine/tick/decision.ts"
import type { DecisionRow, Journal } from "#journal/port.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import type { CommandContext } from "../define-command.ts"
import { openConfigForReading } from "../open-config.ts"
import { openExistingJournal } from "../open-journal.ts"

/** Repeats a decision from its stored inputs. Exit 0 for the same result, 1 for another one. Reads only the journal. */
export async function replayStoredDecision(context: CommandContext, id: string): Promise<number> {
  const config = openConfigForReading(context)
  const journal = openExistingJournal(config)
  try {
    const decision = findDecision(journal, id)
    const replayed = replay(journal, decision)
    const { same, stored, again } = replayed
    if (context.json) context.print(plainJson({ decision: decision.id, rule: decision.rule, same, stored, again }, 2))
    else context.print(same ? formatSame(decision, replayed) : formatDifference(decision, replayed))
    return same ? EXIT.ok : EXIT.refused
  } finally {
    journal.close()
  }
}

type Replayed = NonNullable<ReturnType<typeof replayDecision>>

const SEARCHED = 100_000

/** A unique beginning of the id is enough. */
function findDecision(journal: Journal, id: string): DecisionRow {
  const exact = journal.findDecision(id)
  if (exact) return exact
  const matches = journal.listDecisions({ rule: null, limit: SEARCHED }).filter((row) => row.id.startsWith(id))
  const [only] = matches
  if (only && matches.length === 1) return only
  const message = only ? `${id} is the beginning of ${matches.length} decisions` : `There is no decision ${id}`
  throw new AppError({
    code: "decision.not_found",
    disposition: "refused",
    message: `${message}; \`ballast why RULE\` lists them`,
  })
}

function replay(journal: Journal, decision: DecisionRow): Replayed {
  const inputs = decision.inputs === null ? null : journal.findInputs(decision.inputs)
  const replayed = inputs === null ? null : replayDecision(decision, inputs)
  if (replayed) return replayed
  throw new AppError({
    code: "decision.no_inputs",
    disposition: "refused",
    message: `${decision.id} has no stored inputs, because it was not made from balances; there is nothing to replay`,
  })
}

function formatSame({ id }: DecisionRow, { again, policy }: Replayed): string {
  if (again !== null) return `same: ${id} gives the stored result again`
  return `consistent: ${id} is of version ${policy} of the policy; its orders agree with its stored inputs`
}

function formatDifference({ id }: DecisionRow, { stored, again, policy, findings }: Replayed): string {
  if (again === null) return [`inconsistent: ${id} is of version ${policy} of the policy`, ...findings].join("\n")
  return [`differs: ${id}`, `stored: ${plainJson(stored, 2)}`, `again: ${plainJson(again, 2)}`].join("\n")
}
