import { nearestName } from "#lib/nearest-name.ts"
import type { Command } from "./define-command.ts"
import { usageError } from "./usage-error.ts"

/** Throws `cli.usage` (exit 64) for an unknown name, with the closest known one. */
export function findCommand(name: string, commands: readonly Command[]): Command {
  const command = commands.find((candidate) => candidate.name === name)
  if (command) return command
  const names = commands.map((candidate) => candidate.name)
  const near = nearestName(name, names)
  const hint = near === null ? "" : ` (did you mean ${near}?)`
  throw usageError(`there is no command "${name}"${hint}; \`ballast help\` lists them`)
}
