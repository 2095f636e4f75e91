import type { Command } from "../define-command.ts"
import {
  completeOperand,
  ID_LISTS,
  isIdList,
  listOptions,
  type OptionCompletion,
  type ValueCompletion,
} from "./list-completions.ts"

/** For `source <(ballast completion zsh)`, or a file `_ballast` in a folder of `$fpath`. */
export function formatZshCompletion(commands: readonly Command[]): string {
  const operands = ["'1:command:->command'", "'*::argument:->argument'"]
  const ofBallast = [...listOptions(null).flatMap(formatOption), ...operands]
  return [
    "#compdef ballast",
    "# Completion of ballast in zsh. Load it with: source <(ballast completion zsh)",
    "_ballast() {",
    "  local state",
    "  local -a commands=(",
    ...commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`),
    "  )",
    `  _arguments -C ${ofBallast.join(" ")}`,
    '  case "$state" in',
    "    command) _describe command commands ;;",
    "    argument)",
    '      case "$words[1]" in',
    ...commands.map(
      (command) => `        ${command.name}) _arguments ${formatArguments(command, commands)} ;;`,
    ),
    "      esac",
    "      ;;",
    "  esac",
    "}",
    "(( $+functions[compdef] )) && compdef _ballast ballast",
  ].join("\n")
}

function formatArguments(command: Command, commands: readonly Command[]): string {
  const operands = Object.values(command.operands).map((operand, index) => {
    const values = complete(completeOperand(operand, commands))
    return quote(`${index + 1}:${escapeMarks(operand.summary)}:${values}`)
  })
  return [...listOptions(command).flatMap(formatOption), ...operands].join(" ")
}

function formatOption({ name, short, summary, value }: OptionCompletion): string[] {
  const argument =
    value === null ? "" : `:${escapeMarks(value.placeholder)}:${complete(value.completion)}`
  const names = [`--${name}`, ...(short === null ? [] : [`-${short}`])]
  return names.map((written) =>
    quote(`(${names.join(" ")})${written}[${escapeMarks(summary)}]${argument}`),
  )
}

function complete(completion: ValueCompletion): string {
  if (completion === null) return " "
  if (completion === "file") return "_files"
  if (isIdList(completion)) return `{compadd -- $(${ID_LISTS[completion]} 2>/dev/null)}`
  return completion === "folder" ? "_files -/" : `(${completion.join(" ")})`
}

/** A colon or bracket would end a part of the specification. */
function escapeMarks(text: string): string {
  return text.replace(/[:[\]\\]/g, "\\$&")
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
