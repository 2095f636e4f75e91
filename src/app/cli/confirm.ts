import { AppError } from "#lib/app-error.ts"
import type { CommandContext, OptionDeclarations } from "./define-command.ts"

/** The option of every command that asks a person before it changes something. */
export const YES_OPTION = {
  yes: { type: "flag", short: "y", summary: "do not ask; without a terminal Ballast never asks" },
} as const satisfies OptionDeclarations

/**
 * Asks a person on a terminal to type `y`. Other programs are not asked, because they could not
 * answer: a pipe, a timer and `--json` go on. Throws `cli.not_confirmed` (refused, exit 1) for any
 * other answer; nothing has changed then.
 */
export async function confirmChange(
  { interactive, json, ask }: Pick<CommandContext, "interactive" | "json" | "ask">,
  question: string,
  yes: boolean,
): Promise<void> {
  if (yes || json || !interactive) return
  const answer = await ask(`${question} [y/N] `)
  if (/^y(es)?$/i.test(answer.trim())) return
  const message = "Not confirmed, so nothing changed; type y, or give --yes"
  throw new AppError({ code: "cli.not_confirmed", disposition: "refused", message })
}
