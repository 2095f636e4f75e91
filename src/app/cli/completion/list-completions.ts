import type {
  Command,
  OperandDeclaration,
  OptionDeclaration,
  OptionDeclarations,
} from "../define-command.ts"
import { GLOBAL_OPTIONS } from "../global-options.ts"

/** The completion of a value: fixed words, file names, folder names, or nothing. */
export type ValueCompletion = readonly string[] | "file" | "folder" | null

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
      const completion =
        option.value === "FILE" ? "file" : option.value === "FOLDER" ? "folder" : null
      return { placeholder: option.value, completion }
    }
  }
}
