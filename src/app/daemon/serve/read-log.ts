import type { KeptLines } from "#lib/log.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import type { LogQuery } from "#schema/requests.ts"

const NAMES = { 20: "debug", 30: "info", 40: "warn", 50: "error", 60: "fatal" } as const
/** The number of each level in a line (getpino.io, docs/api.md#levels). */
const NUMBERS = { debug: 20, info: 30, warn: 40, error: 50 } as const

type Entry = AnswerOf<"Log">["lines"][number]

/** The newest lines that the query wants, oldest first. A line that is no JSON is left out. */
export function readLog(kept: KeptLines, query: LogQuery): AnswerOf<"Log"> {
  const { after = 0, limit, level = "debug", order } = query
  const lines = kept.read(after).flatMap(({ seq, text }) => {
    const entry = toEntry(seq, text)
    if (entry === null || entry.number < NUMBERS[level]) return []
    return order === undefined || entry.line.order?.startsWith(order) === true ? [entry.line] : []
  })
  return { lines: lines.slice(-limit), newest: kept.newest() }
}

function toEntry(seq: number, text: string): { number: number; line: Entry } | null {
  const fields = readFields(text)
  const { level, time, msg, order, pid: _pid, hostname: _hostname, ...rest } = fields ?? {}
  if (typeof level !== "number" || typeof time !== "number") return null
  // CAST: any other number has no name.
  const name = NAMES[level as keyof typeof NAMES] ?? "info"
  const line = {
    seq,
    at: new Date(time).toISOString(),
    level: name,
    message: String(msg ?? ""),
    order: typeof order === "string" ? order : null,
    fields: rest,
  }
  return { number: level, line }
}

function readFields(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    // CAST: an object of JSON has text keys.
    return typeof value === "object" ? (value as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}
