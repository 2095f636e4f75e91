import { EXIT } from "#daemon/start/exit-code.ts"
import { readAdvice } from "#daemon/study/read-advice.ts"
import { plainJson } from "#lib/json.ts"
import type { CommandContext } from "../../define-command.ts"
import { openConfigForReading } from "../../open/open-config.ts"
import { openExistingJournal } from "../../open/open-journal.ts"

/** Reads only the journal. With `--json` also the market in which each sentence was computed. */
export async function showAdvice(context: CommandContext): Promise<number> {
  const config = openConfigForReading(context)
  const journal = openExistingJournal(config)
  const nowMs = context.clock.now()
  const answer = await readAdvice({ journal, config, nowMs })
  journal.close()
  const { say, advice } = answer
  context.print(
    context.json
      ? plainJson(answer, 2)
      : [say, ...advice.map(({ sentence }) => `  ${sentence}`)].join("\n"),
  )
  return EXIT.ok
}
