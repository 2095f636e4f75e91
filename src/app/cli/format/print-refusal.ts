import { EXIT } from "#daemon/start/exit-code.ts"
import type { Humanise } from "#daemon/views/human-units.ts"
import { plainJson } from "#lib/json.ts"
import { printableLine } from "#lib/printable.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import type { CommandContext } from "../define-command.ts"

/**
 * Prints the reasons of a refusal by the daemon, and returns its exit code. `humanise` writes
 * amounts in the asset's own unit.
 */
export function printRefusal(
  context: CommandContext,
  body: unknown,
  humanise: Humanise = (text) => text,
  about: string | null = null,
): number {
  // CAST: the daemon's own answer.
  const { reasons = [] } = body as Partial<AnswerOf<"Problem">>
  if (context.json) context.print(plainJson({ reasons }, 2))
  else
    for (const { code, message } of reasons)
      process.stderr.write(`${printableLine(`refused: ${humanise(message, about)} [${code}]`)}\n`)
  return EXIT.refused
}
