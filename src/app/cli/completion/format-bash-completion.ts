import type { Command } from "../define-command.ts"
import {
  completeOperand,
  ID_LISTS,
  isIdList,
  listOptions,
  type OptionCompletion,
  type ValueCompletion,
} from "./list-completions.ts"

/**
 * For `source <(ballast completion bash)`. Only names from declarations get into the script, so
 * nothing needs quotes.
 */
export function formatBashCompletion(commands: readonly Command[]): string {
  return `# Completion of ballast in bash. Load it with: source <(ballast completion bash)
_ballast() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="" index
  local -a where=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "\${COMP_WORDS[index]}" in
      --sandbox) where+=(--sandbox) ;;
      --config) where+=(--config "\${COMP_WORDS[index+1]}") ;;
    esac
  done
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "\${COMP_WORDS[index]}" in
      ${namesOf(listOptions(null).filter(({ value }) => value !== null))}) ((index++)) ;;
      -*) ;;
      *) command="\${COMP_WORDS[index]}"; break ;;
    esac
  done
  case "$command $previous" in
${[...commands.flatMap(formatValues), ...formatValues(null)].join("\n")}
  esac
  if [[ "$current" == -* ]]; then
    case "$command" in
${commands.map(formatOptionNames).join("\n")}
      "") ${words(listOptions(null).map(longName))} ;;
    esac
    return
  fi
  case "$command" in
    "") ${words(commands.map(({ name }) => name))} ;;
${commands.flatMap((command) => formatOperands(command, commands)).join("\n")}
  esac
}
complete -F _ballast ballast`
}

function formatOptionNames(command: Command): string {
  return `      ${command.name}) ${words(listOptions(command).map(longName))} ;;`
}

/** The values of the option before the cursor. */
function formatValues(command: Command | null): string[] {
  const own = listOptions(command).filter(({ value }) => value !== null)
  const shared = listOptions(null).map(({ name }) => name)
  const options = command === null ? own : own.filter(({ name }) => !shared.includes(name))
  const prefix = command === null ? "*" : command.name
  return options.map((option) => {
    const patterns = namesOf(option)
      .split("|")
      .map((name) => `${prefix}\\ ${name}`)
    return `    ${patterns.join("|")}) ${complete(option.value?.completion ?? null)} return ;;`
  })
}

function formatOperands(command: Command, commands: readonly Command[]): string[] {
  const completions = Object.values(command.operands).map((operand) =>
    completeOperand(operand, commands),
  )
  const [first] = completions.filter((completion) => completion !== null)
  return first === undefined ? [] : [`    ${command.name}) ${complete(first)} ;;`]
}

function complete(completion: ValueCompletion): string {
  if (completion === null) return ""
  if (completion === "file") return 'COMPREPLY=($(compgen -f -- "$current"));'
  if (completion === "folder") return 'COMPREPLY=($(compgen -d -- "$current"));'
  if (isIdList(completion))
    return `${words([`$(${ID_LISTS[completion]} "\${where[@]}" 2>/dev/null)`])};`
  return `${words(completion)};`
}

function words(list: readonly string[]): string {
  return `COMPREPLY=($(compgen -W "${list.join(" ")}" -- "$current"))`
}

function namesOf(options: OptionCompletion | readonly OptionCompletion[]): string {
  const list = Array.isArray(options) ? options : [options]
  return list
    .flatMap((option) => [longName(option), ...(option.short === null ? [] : [`-${option.short}`])])
    .join("|")
}

function longName({ name }: OptionCompletion): string {
  return `--${name}`
}
