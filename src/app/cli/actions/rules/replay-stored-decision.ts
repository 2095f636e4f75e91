import { EXIT } from "#daemon/start/exit-code.ts"
import { type ReplayView, readReplay } from "#daemon/views/read-replay.ts"
import type { Solved } from "#engine/rules/tick/replay-decision.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import type { DecisionRow, DecisionStore } from "#ports/journal/decisions.ts"
import type { CommandContext } from "../../define-command.ts"
import { openConfigForReading } from "../../open/open-config.ts"
import { openExistingJournal } from "../../open/open-journal.ts"

/**
 * Repeats a decision from its stored inputs. Exit 0 for the same result, 1 for another one. Reads
 * only the journal.
 */
export async function replayStoredDecision(context: CommandContext, id: string): Promise<number> {
  const config = openConfigForReading(context)
  const journal = openExistingJournal(config)
  try {
    const decision = findDecision(journal, id)
    const replay = readReplay(journal, decision)
    if (!replay.ok) throw new AppError({ ...replay.reasons[0], disposition: "refused" })
    const replayed = replay.body
    const { same } = replayed
    if (context.json) context.print(plainJson(replayed, 2))
    else context.print(same ? formatSame(decision, replayed) : formatDifference(decision, replayed))
    return same ? EXIT.ok : EXIT.refused
  } finally {
    journal.close()
  }
}

const SEARCHED = 100_000

/** A unique beginning of the id is enough. */
function findDecision(journal: DecisionStore, id: string): DecisionRow {
  const exact = journal.findDecision(id)
  if (exact) return exact
  const matches = journal
    .listDecisions({ rule: null, limit: SEARCHED })
    .filter((row) => row.id.startsWith(id))
  const [only] = matches
  if (only && matches.length === 1) return only
  const message = only
    ? `${id} is the beginning of ${matches.length} decisions`
    : `There is no decision ${id}`
  throw new AppError({
    code: "decision.not_found",
    disposition: "refused",
    message: `${message}; \`ballast why RULE\` lists them`,
  })
}

function formatSame({ id }: DecisionRow, { solved }: ReplayView): string {
  return [`same: ${id} gives the stored result again`, ...solved.flatMap(formatSolved)].join("\n")
}

function formatDifference({ id }: DecisionRow, { stored, again }: ReplayView): string {
  return [
    `differs: ${id}`,
    `stored: ${plainJson(stored, 2)}`,
    `again: ${plainJson(again, 2)}`,
  ].join("\n")
}

/** Only a plan without a proof is worth a line: another run of the solver may give another one. */
function formatSolved({ by, exact, why }: Solved): string[] {
  if (exact || by === null) return []
  const names: Readonly<Record<string, string>> = { greedy: "the greedy pairing", highs: "HiGHS" }
  const reason = why === null ? "" : ` (${why})`
  return [`  the plan of ${names[by] ?? "the search"} is possibly not the cheapest${reason}`]
}
