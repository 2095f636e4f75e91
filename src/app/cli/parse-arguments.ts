import { type ParseArgsOptionsConfig, parseArgs } from "node:util"
import { nearestName } from "#lib/nearest-name.ts"
import type {
  Command,
  CommandInput,
  OptionDeclaration,
  OptionDeclarations,
  OptionValue,
} from "./define-command.ts"
import { findCommand } from "./find-command.ts"
import { formatOverview, formatSynopsis, joinWords } from "./format/format-help.ts"
import { GLOBAL_OPTIONS } from "./global-options.ts"
import { usageError } from "./usage-error.ts"

/** The meaning of one command line. */
export type Request =
  | { readonly kind: "version" }
  /** `command` is `null` for the overview. */
  | { readonly kind: "help"; readonly command: Command | null }
  | {
      readonly kind: "command"
      readonly command: Command
      readonly config: string | null
      readonly sandbox: boolean
      readonly json: boolean
      readonly input: CommandInput
    }

/**
 * Reads a command line by the declaration of its command. Node's own `parseArgs` splits it into
 * words; the declaration decides the types.
 *
 * Throws `cli.usage` (exit 64) for an unknown command, an option that the command does not take,
 * and a missing or malformed value.
 */
export function parseArguments(argv: readonly string[], commands: readonly Command[]): Request {
  const at = findCommandAt(argv)
  const name = at === null ? null : (argv[at] ?? "")
  const command = name === null ? null : findCommand(name, commands)
  const rest = argv.filter((_, index) => index !== at)
  const options = { ...GLOBAL_OPTIONS, ...command?.options }
  if (command !== null) checkOptions(rest, command, options)
  const { values, positionals } = parseWords(rest, options)
  if (values["version"] === true) return { kind: "version" }
  if (values["help"] === true) return { kind: "help", command }
  if (command === null) throw usageError(`expected a command\n\n${formatOverview(commands)}`)
  return {
    kind: "command",
    command,
    config: textOf(values["config"]),
    sandbox: values["sandbox"] === true,
    json: values["json"] === true,
    input: { operands: readOperands(command, positionals), options: readOptions(command, values) },
  }
}

type Words = {
  readonly values: Readonly<Record<string, unknown>>
  readonly positionals: readonly string[]
}

/** The position of the first word that is neither a global option nor the value of one. */
function findCommandAt(argv: readonly string[]): number | null {
  const options = toParseOptions(GLOBAL_OPTIONS)
  const { tokens } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  for (const token of tokens) {
    if (token.kind === "positional") return token.index
    if (token.kind === "option" && !Object.hasOwn(options, token.name)) {
      const known = joinWords(Object.keys(GLOBAL_OPTIONS).map((name) => `--${name}`))
      throw usageError(`ballast takes no ${token.rawName} before the command; it takes ${known}`)
    }
  }
  return null
}

function checkOptions(
  argv: readonly string[],
  command: Command,
  options: OptionDeclarations,
): void {
  const config = toParseOptions(options)
  const { tokens } = parseArgs({
    args: [...argv],
    options: config,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const foreign = tokens.find(
    (token) => token.kind === "option" && !Object.hasOwn(options, token.name),
  )
  if (foreign?.kind !== "option") return
  const names = [...Object.keys(command.options), "config", "sandbox", "json"]
  const near = nearestName(foreign.name, names)
  const hint = near === null ? "" : ` (did you mean --${near}?)`
  const known = names.map((name) => `--${name}`).join(", ")
  throw usageError(`${command.name} takes no ${foreign.rawName}${hint}; it takes ${known}`)
}

function parseWords(argv: readonly string[], options: OptionDeclarations): Words {
  try {
    return parseArgs({ args: [...argv], options: toParseOptions(options), allowPositionals: true })
  } catch (error) {
    throw usageError(error instanceof Error ? error.message : String(error), error)
  }
}

function toParseOptions(options: OptionDeclarations): ParseArgsOptionsConfig {
  const entries = Object.entries(options).map(([name, { type, short }]) => [
    name,
    { type: type === "flag" ? "boolean" : "string", ...(short === undefined ? {} : { short }) },
  ])
  return Object.fromEntries(entries)
}

function readOperands(command: Command, words: readonly string[]): CommandInput["operands"] {
  const declared = Object.entries(command.operands)
  const expected = `expected: ballast ${formatSynopsis(command)}`
  const takesMany = declared.at(-1)?.[1].many === true
  const extra = takesMany ? undefined : words[declared.length]
  if (extra !== undefined) throw usageError(`${expected}; found one word more: "${extra}"`)
  const values = declared.map(([name, { optional, values: allowed }], index) => {
    const repeats = takesMany && index === declared.length - 1
    const word = repeats ? words.slice(index).join("\n") || null : (words[index] ?? null)
    if (word === null && optional !== true) throw usageError(expected)
    if (word !== null && allowed !== undefined && !allowed.includes(word))
      throw usageError(
        `${expected}, where ${name.toUpperCase()} is ${joinWords(allowed)}; found "${word}"`,
      )
    return [name, word] as const
  })
  return Object.fromEntries(values)
}

function readOptions(command: Command, values: Words["values"]): CommandInput["options"] {
  return Object.fromEntries(
    Object.entries(command.options).map(([name, option]) => [
      name,
      readOption(name, option, values[name]),
    ]),
  )
}

function readOption(name: string, option: OptionDeclaration, value: unknown): OptionValue {
  const text = textOf(value)
  switch (option.type) {
    case "flag":
      return value === true
    case "text":
      return text
    case "choice":
      if (text === null) return option.default ?? null
      if (option.values.includes(text)) return text
      throw usageError(`--${name} takes ${joinWords(option.values)}, not "${text}"`)
    case "number": {
      if (text === null) return option.default ?? null
      const { min, max = Number.MAX_SAFE_INTEGER } = option
      const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
      if (number >= min && number <= max) return number
      throw usageError(
        `--${name} takes a whole number${formatBounds(min, option.max)}, not "${text}"`,
      )
    }
  }
}

function formatBounds(min: number, max: number | undefined): string {
  if (max !== undefined) return ` from ${min} to ${max}`
  return min === 0 ? "" : min === 1 ? " above zero" : ` of at least ${min}`
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null
}
