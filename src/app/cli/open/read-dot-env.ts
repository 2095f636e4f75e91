import { parse } from "dotenv"

export type DotEnv = {
  readonly values: Readonly<Record<string, string>>
  /** Variables with an unquoted value that ends before a `#` that follows a space. */
  readonly cut: readonly string[]
}

/**
 * Reads the text of a `.env` file. Unlike `dotenv`, a `#` without a space before it belongs to an
 * unquoted value: passwords have such signs. After a space it begins a comment, as in a shell.
 */
export function readDotEnv(text: string): DotEnv {
  const values: Record<string, string> = { ...parse(text) }
  const cut: string[] = []
  for (const line of text.split(/\r?\n/)) {
    const [, name, written] = UNQUOTED.exec(line) ?? []
    const until = written?.indexOf("#") ?? -1
    if (name === undefined || written === undefined || until < 0) continue
    // Another value stands there if the line belongs to a quoted text of several lines, or a later
    // line sets the name again.
    if (values[name] !== written.slice(0, until).trim()) continue
    const comment = /\s#/.exec(written)
    values[name] = (comment === null ? written : written.slice(0, comment.index)).trim()
    if (comment !== null) cut.push(name)
  }
  return { values, cut }
}

const UNQUOTED = /^\s*(?:export\s+)?([\w.-]+)(?:\s*=\s*|:\s+)([^'"`\s#][^\r\n]*)$/
