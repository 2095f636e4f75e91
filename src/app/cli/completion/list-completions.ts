import type {
  Command,
  OperandDeclaration,
  OptionDeclaration,
  OptionDeclarations,
} from "../define-command.ts"
import { GLOBAL_OPTIONS } from "../global-options.ts"

/** The completion of a value: fixed words, names of files or folders, ids, or nothing. */
export type ValueCompletion = readonly string[] | "file" | "folder" | keyof typeof ID_LISTS | null

/** The commands that list ids, one a line. */
export const ID_LISTS = {
  order: "ballast orders --ids --limit 100",
  rule: "ballast rules --ids",
} as const

export function isIdList(completion: ValueCompletion): completion is keyof typeof ID_LISTS {
  return completion === "order" || completion === "rule"
}

export type OptionCompletion = {
  readonly name: string
  readonly short: string | null
  readonly summary: string
  /** `null` for a flag. */
  readonly value: { readonly placeholder: string; readonly completion: ValueCompletion } | null
}

/**
 * The options of a command, then the global ones; `null` for the options that may stand before the
 * command.
 */
export function listOptions(command: Command | null): readonly OptionCompletion[] {
  const options: OptionDeclarations = { ...command?.options, ...GLOBAL_OPTIONS }
  return Object.entries(options).map(([name, option]) => ({
    name,
    short: option.short ?? null,
    summary: option.summary,
    value: completeValue(option),
  }))
}

export function completeOperand(
  operand: OperandDeclaration,
  commands: readonly Command[],
): ValueCompletion {
  if (operand.complete === "command") return commands.map(({ name }) => name)
  return operand.complete ?? operand.values ?? null
}

function completeValue(option: OptionDeclaration): OptionCompletion["value"] {
  switch (option.type) {
    case "flag":
      return null
    case "choice":
      return { placeholder: "value", completion: option.values }
    case "number":
      return { placeholder: "N", completion: null }
    case "text": {
      return { placeholder: option.value, completion: PLACEHOLDERS[option.value] ?? null }
    }
  }
}

const PLACEHOLDERS: Readonly<Record<string, ValueCompletion>> = {
  FILE: "file",
  FOLDER: "folder",
  RULE: "rule",
}
