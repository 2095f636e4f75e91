import type { Command, OptionDeclaration, OptionDeclarations } from "../define-command.ts"
import { GLOBAL_OPTIONS } from "../global-options.ts"

const EXIT_CODES: Readonly<Record<number, string>> = {
  0: "ok",
  1: "refused or not found",
  64: "usage",
  70: "bug",
  75: "try later",
  76: "uncertain",
  78: "configuration",
}

/** The answer to `ballast help`: every command with its summary. */
export function formatOverview(commands: readonly Command[]): string {
  const groups = Map.groupBy(commands, ({ group }) => group ?? "Commands")
  const width = Math.max(...commands.map((command) => formatSynopsis(command).length))
  return [
    "Usage: ballast COMMAND [--config FILE] [--json]",
    ...[...groups].flatMap(([title, own]) =>
      formatSection(
        title,
        own.map((command) => [formatSynopsis(command).padEnd(width), command.summary]),
      ),
    ),
    "",
    "`ballast COMMAND --help` shows the options of a command.",
    "The configuration is --config FILE, else $BALLAST_CONFIG, else ./ballast.yaml. " +
      "--sandbox uses the local sandbox's.",
    formatExitCodes(EXIT_CODES),
  ].join("\n")
}

/** The answer to `ballast COMMAND --help`. */
export function formatCommandHelp(command: Command): string {
  const { name, summary, details, operands, options, examples, exitCodes } = command
  const shared = {
    config: GLOBAL_OPTIONS.config,
    sandbox: GLOBAL_OPTIONS.sandbox,
    json: GLOBAL_OPTIONS.json,
    help: GLOBAL_OPTIONS.help,
  }
  const usage = Object.entries(options).map(([key, option]) => `[${formatOption(key, option)}]`)
  return [
    ["Usage: ballast", formatSynopsis(command), ...usage, "[--config FILE] [--json]"].join(" "),
    "",
    toSentence(summary),
    ...(details === undefined ? [] : [details]),
    ...formatSection("Operands", Object.entries(operands).map(toOperandRow)),
    ...formatSection("Options", toOptionRows({ ...options, ...shared })),
    ...formatSection(
      "Examples",
      examples.map((example) => [`ballast ${name} ${example}`.trimEnd()]),
    ),
    "",
    formatExitCodes({ ...EXIT_CODES, ...exitCodes }),
  ].join("\n")
}

/** The rows of the command table in docs/COMMANDS.md. */
export function formatCommandTable(commands: readonly Command[]): string {
  const rows = commands.map((command) => {
    const options = Object.entries(command.options).map(
      ([name, option]) => `\`${formatOption(name, option)}\``,
    )
    const listed = options.length === 0 ? "" : `; ${options.join(", ")}`
    return (
      `| \`${formatSynopsis(command, true).replaceAll("|", "\\|")}\` | ` +
      `${(command.summary + listed).replaceAll("|", "\\|")} |`
    )
  })
  return ["| command | purpose and options |", "|---|---|", ...rows].join("\n")
}

/** `swap FROM TO AMOUNT`, `check [FILE]`; `listsValues`: `cluster [hand-over|promote]`. */
export function formatSynopsis({ name, operands }: Command, listsValues = false): string {
  const words = Object.entries(operands).map(([key, { optional, values }]) => {
    const word = listsValues && values !== undefined ? values.join("|") : key.toUpperCase()
    return optional === true ? `[${word}]` : word
  })
  return [name, ...words].join(" ")
}

/** `--limit N`, `--open`, `--by rule|pair|period`. */
export function formatOption(name: string, option: OptionDeclaration): string {
  const value = placeholderOf(option)
  return value === null ? `--${name}` : `--${name} ${value}`
}

/** `csv, json or ledger`. */
export function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`
}

function placeholderOf(option: OptionDeclaration): string | null {
  switch (option.type) {
    case "flag":
      return null
    case "text":
      return option.value
    case "choice":
      return option.values.join("|")
    case "number":
      return "N"
  }
}

function toOperandRow([key, { summary, values }]: [string, Command["operands"][string]]): string[] {
  return [key.toUpperCase(), values === undefined ? summary : `${summary}: ${joinWords(values)}`]
}

function toOptionRows(options: OptionDeclarations): string[][] {
  return Object.entries(options).map(([name, option]) => {
    const short = option.short === undefined ? "" : `-${option.short}, `
    const fallback =
      "default" in option && option.default !== undefined ? ` (default ${option.default})` : ""
    return [`${short}${formatOption(name, option)}`, `${option.summary}${fallback}`]
  })
}

function formatSection(title: string, rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : ["", `${title}:`, ...formatRows(rows)]
}

function formatRows(rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(...rows.map(([first = ""]) => first.length))
  return rows.map(([first = "", second = ""]) => `  ${first.padEnd(width)}  ${second}`.trimEnd())
}

function formatExitCodes(codes: Readonly<Record<number, string>>): string {
  const words = Object.entries(codes).map(([code, meaning]) => `${code} ${meaning}`)
  return `Exit codes: ${words.join(", ")}.`
}

export function toSentence(phrase: string): string {
  return `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.`
}
