import type { Command } from "../define-command.ts"
import {
  completeOperand,
  ID_LISTS,
  isIdList,
  listOptions,
  type OptionCompletion,
  type ValueCompletion,
} from "./list-completions.ts"

/** For `ballast completion fish | source`. */
export function formatFishCompletion(commands: readonly Command[]): string {
  const shared = listOptions(null)
  const sharedNames = shared.map(({ name }) => name)
  return [
    "# Completion of ballast in fish. Load it with: ballast completion fish | source",
    "complete -c ballast -f",
    ...shared.map((option) => formatOption(option, null)),
    ...commands.map(
      ({ name, summary }) =>
        `complete -c ballast -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
    ),
    ...commands.flatMap((command) => [
      ...listOptions(command)
        .filter(({ name }) => !sharedNames.includes(name))
        .map((option) => formatOption(option, command)),
      ...Object.values(command.operands).flatMap((operand) => {
        const completion = completeOperand(operand, commands)
        return completion === null
          ? []
          : [`complete -c ballast ${onlyAfter(command)} ${complete(completion)}`]
      }),
    ]),
  ].join("\n")
}

function formatOption(
  { name, short, summary, value }: OptionCompletion,
  command: Command | null,
): string {
  return [
    "complete -c ballast",
    ...(command === null ? [] : [onlyAfter(command)]),
    `-l ${name}`,
    ...(short === null ? [] : [`-s ${short}`]),
    ...(value === null ? [] : [requireValue(value.completion)]),
    `-d ${quote(summary)}`,
  ].join(" ")
}

/** `-x` turns file names off, `-r` leaves them on. */
function requireValue(completion: ValueCompletion): string {
  if (completion === null) return "-x"
  return completion === "file" ? `-r ${complete(completion)}` : `-x ${complete(completion)}`
}

function onlyAfter({ name }: Command): string {
  return `-n '__fish_seen_subcommand_from ${name}'`
}

function complete(completion: Exclude<ValueCompletion, null>): string {
  if (completion === "file") return "-F"
  if (isIdList(completion)) return `-a '(${ID_LISTS[completion]} 2>/dev/null)'`
  return completion === "folder"
    ? "-a '(__fish_complete_directories)'"
    : `-a ${quote(completion.join(" "))}`
}

function quote(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`
}
