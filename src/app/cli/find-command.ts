import { nearestName } from "#lib/nearest-name.ts"
import type { Command } from "./define-command.ts"
import { usageError } from "./usage-error.ts"

/** Words of other programs, or of one section of a command, that are no slip of the finger. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  limits: "status",
  nodes: "status",
  health: "status",
  mode: "status",
  treasury: "balances",
  alarms: "alerts",
  list: "orders",
  history: "orders",
  show: "order",
  decisions: "why",
  start: "run",
  validate: "check",
  backtest: "simulate",
  fees: "report",
  costs: "report",
}

/** Throws `cli.usage` (exit 64) for an unknown name, with the closest known one. */
export function findCommand(name: string, commands: readonly Command[]): Command {
  const command = commands.find((candidate) => candidate.name === name)
  if (command) return command
  const names = commands.map((candidate) => candidate.name)
  const near = OTHER_WORDS[name] ?? nearestName(name, names)
  const hint = near === null ? "" : ` (did you mean ${near}?)`
  throw usageError(`there is no command "${name}"${hint}; \`ballast help\` lists them`)
}
