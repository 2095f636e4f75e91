import type { Clock } from "#lib/clock.ts"
import type { Part, Tone } from "./format/tone.ts"

/**
 * Declares one command of `ballast`. Parser, help, README table and shell completion all read this
 * declaration.
 *
 * Keep its imports light: help imports every declaration. `run` imports the action with
 * `await import(…)`, and it gets its operands and options with the types that the declaration
 * implies.
 */
export function defineCommand<
  const Operands extends OperandDeclarations = Record<never, never>,
  const Options extends OptionDeclarations = Record<never, never>,
>(declaration: CommandDeclaration<Operands, Options>): Command {
  // CAST: the parser builds operands and options from this declaration, so `run` gets the values
  // that it expects.
  return {
    operands: {},
    options: {},
    examples: [],
    exitCodes: {},
    ...declaration,
  } as unknown as Command
}

type CommandDeclaration<
  Operands extends OperandDeclarations,
  Options extends OptionDeclarations,
> = {
  readonly name: string
  /** One short phrase in the imperative, without a full stop. */
  readonly summary: string
  /** Further sentences for `ballast NAME --help`. */
  readonly details?: string
  /** In their order on the command line; optional ones come last. */
  readonly operands?: Operands
  readonly options?: Options
  /** Arguments after `ballast NAME`. */
  readonly examples?: readonly string[]
  /** The meaning of an exit code where this command is more exact than the general list. */
  readonly exitCodes?: Readonly<Record<number, string>>
  /**
   * It runs until it is stopped, often under a supervisor. It never ends with 76: its next start
   * looks what happened, so a supervisor starts it again.
   */
  readonly isService?: true
  /** Returns the exit code. */
  readonly run: (
    context: CommandContext,
    input: { readonly operands: OperandValues<Operands>; readonly options: OptionValues<Options> },
  ) => Promise<number>
}

/** A declaration without its own types: the form that the registry lists. */
export type Command = Required<
  Omit<CommandDeclaration<OperandDeclarations, OptionDeclarations>, "details" | "isService" | "run">
> & {
  /** The heading in the list of commands. */
  readonly group?: string
  readonly details?: string
  readonly isService?: true
  readonly run: (context: CommandContext, input: CommandInput) => Promise<number>
}

export type CommandInput = {
  readonly operands: Readonly<Record<string, string | null>>
  readonly options: Readonly<Record<string, OptionValue>>
}

/**
 * The global options and the parts of the process, as arguments: no command reads them by itself.
 */
export type CommandContext = {
  /** `--config`, or `null` without it. */
  readonly config: string | null
  /** `--sandbox`: the sandbox's own configuration. */
  readonly sandbox: boolean
  readonly json: boolean
  readonly env: NodeJS.ProcessEnv
  readonly clock: Clock
  /**
   * Writes one text and a newline to standard output, on a terminal within its width and in the
   * colour of the tone.
   */
  readonly print: (text: string, tone?: Tone) => void
  /** Writes one line to standard error if that is a terminal. */
  readonly tell: (text: string) => void
  /** Writes one line to standard error. */
  readonly warn: (text: string) => void
  /** Whether standard output is a terminal. */
  readonly terminal: boolean
  /**
   * Shows the present step of longer work on standard error if that is a terminal, in the place of
   * the one before; `null` removes it.
   */
  readonly progress: (text: string | null) => void
  /** Standard input and output are terminals, so a person can be asked. */
  readonly interactive: boolean
  /** Asks the person a question, and returns the typed line. */
  readonly ask: (question: string) => Promise<string>
  /**
   * Shows the texts in the place of those that it showed before; a part that does not fit into the
   * height is left out.
   */
  readonly redraw: (parts: readonly Part[]) => void
  /** The width of that terminal; `null` without one. */
  readonly columns: number | null
  /** All commands, for help and completion. */
  readonly commands: readonly Command[]
}

/** Help shows an operand as its key in capitals: `from` is FROM. */
type OperandDeclarations = Readonly<Record<string, OperandDeclaration>>
export type OperandDeclaration = {
  readonly summary: string
  readonly optional?: true
  /** The allowed values; another one is a usage error. */
  readonly values?: readonly string[]
  /** Completion offers file names, names of commands, ids of orders, or ids of rules. */
  readonly complete?: "file" | "command" | "order" | "rule"
  /** The last operand may repeat: `run` gets its words with a newline between them. */
  readonly many?: true
}

export type OptionDeclarations = Readonly<Record<string, OptionDeclaration>>
export type OptionDeclaration = FlagOption | TextOption | ChoiceOption | NumberOption
export type OptionValue = boolean | string | number | null

type CommonOption = { readonly summary: string; readonly short?: string }
type FlagOption = CommonOption & { readonly type: "flag" }
/**
 * `value` is the placeholder in help; completion offers file names for `FILE` and folders for
 * `FOLDER`.
 */
type TextOption = CommonOption & { readonly type: "text"; readonly value: string }
type ChoiceOption = CommonOption & {
  readonly type: "choice"
  readonly values: readonly string[]
  readonly default?: string
}
/** A whole number from `min` to `max`. */
type NumberOption = CommonOption & {
  readonly type: "number"
  readonly min: number
  readonly max?: number
  readonly default?: number
}

type OperandValues<Operands> = {
  readonly [Name in keyof Operands]: Operands[Name] extends { readonly optional: true }
    ? ValueOf<Operands[Name]> | null
    : ValueOf<Operands[Name]>
}

/** An option that the command line leaves out is `false`, its default, or `null`. */
type OptionValues<Options> = {
  readonly [Name in keyof Options]: Options[Name] extends FlagOption
    ? boolean
    : Options[Name] extends NumberOption
      ? number | MissingValue<Options[Name]>
      : ValueOf<Options[Name]> | MissingValue<Options[Name]>
}

type ValueOf<Declared> = Declared extends { readonly values: readonly (infer Value)[] }
  ? Value
  : string
type MissingValue<Declared> = Declared extends { readonly default: string | number } ? never : null
