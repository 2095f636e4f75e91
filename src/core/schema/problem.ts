import { AppError } from "#lib/app-error.ts"

/** A position in the configuration: keys and list indices from the root. */
export type Path = readonly (string | number)[]

/**
 * One mistake in the configuration. `line` and `column` count from 1; `message` names the expected
 * and the found value.
 */
export type Problem = {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly path: string
  readonly message: string
  /** The file may be right: the cause is elsewhere, and has a code of its own. */
  readonly code?: string
}

/**
 * Collects a problem during the checks. `at` is the faulty part: the key, or by default the value.
 */
export type Report = (path: Path, message: string, at?: "key" | "value", code?: string) => void

/**
 * All problems in one `config.invalid` (fatal), one `file:line:col: path: message` per line, in the
 * order of the file. Problems that all have the same code of their own keep it.
 */
export function configError(problems: readonly Problem[]): AppError {
  const code = problems[0]?.code
  if (code !== undefined && problems.every((problem) => problem.code === code)) {
    const message = [...new Set(problems.map((problem) => problem.message))].join("\n")
    return new AppError({
      code,
      disposition: "fatal",
      message,
      details: { problems: problems.length },
    })
  }
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

/** `rules[0].amount`. It hides a key that may be a misplaced secret. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, segment) => {
    if (typeof segment === "number") return `${text}[${segment}]`
    return text === "" ? showKey(segment) : `${text}.${showKey(segment)}`
  }, "")
}

/**
 * A key in a form that a message may show. In flow style `{key 0xdead…}` is one long key, which may
 * contain a secret.
 */
export function showKey(key: string): string {
  return /^[A-Za-z0-9_:.-]{1,40}$/.test(key) ? key : "(a key that is not shown)"
}
