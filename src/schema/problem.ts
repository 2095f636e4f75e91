import { AppError } from "#lib/app-error.ts"

/** Where in the configuration: keys and list indices from the root. */
export type Path = readonly (string | number)[]

/** One thing wrong with the configuration. `line` and `column` count from 1; `message` says what was expected and what was found. */
export type Problem = {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly path: string
  readonly message: string
}

/** Takes a problem during the checks. `at` says whether the key or the value is to blame (the value unless told). */
export type Report = (path: Path, message: string, at?: "key" | "value") => void

/** All problems in one `config.invalid` (fatal), one `file:line:col: path: message` per line, in the order of the file. */
export function configError(problems: readonly Problem[]): AppError {
  const sorted = [...problems].sort((a, b) => a.line - b.line || a.column - b.column)
  const lines = [...new Set(sorted.map(formatProblem))]
  const count = lines.length === 1 ? "one problem" : `${lines.length} problems`
  return new AppError({
    code: "config.invalid",
    disposition: "fatal",
    message: `the configuration has ${count}; correct the file\n${lines.join("\n")}`,
    details: { problems: lines.length },
  })
}

export function formatProblem(problem: Problem): string {
  return `${formatPlace(problem)}: ${problem.message}`
}

/** `file:line:column: path`. */
export function formatPlace({ file, line, column, path }: Omit<Problem, "message">): string {
  return `${file}:${line}:${column}${path === "" ? "" : `: ${path}`}`
}

/** `rules[0].amount`; keys that could be something secret, put there by a slip, are not repeated. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, segment) => {
    if (typeof segment === "number") return `${text}[${segment}]`
    return text === "" ? showKey(segment) : `${text}.${showKey(segment)}`
  }, "")
}

/** A key as it may be shown: `{key 0xdead…}` in flow style is a key without a value, and must not print what follows. */
export function showKey(key: string): string {
  return /^[A-Za-z0-9_:.-]{1,40}$/.test(key) ? key : "(a key that is not shown)"
}
