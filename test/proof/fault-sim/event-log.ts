import { createHash } from "node:crypto"

/** The events of a run, in order. Two runs are the same if the hashes of their logs are equal. */
export type EventLog = {
  readonly add: (who: string, what: string, detail?: string) => void
  readonly hash: () => string
  readonly count: () => number
  /** The newest `limit` entries as a table for a terminal. */
  readonly format: (limit: number) => string
}

export function createEventLog(now: () => number): EventLog {
  const startMs = now()
  const lines: (readonly [string, string, string, string])[] = []
  const hash = createHash("sha256")
  return {
    add: (who, what, detail = "") => {
      const line = [`${((now() - startMs) / 1000).toFixed(1)} s`, who, what, detail] as const
      lines.push(line)
      hash.update(`${line.join("\t")}\n`)
    },
    hash: () => hash.copy().digest("hex"),
    count: () => lines.length,
    format: (limit) => {
      const rows = lines.slice(-limit)
      const width = (column: 0 | 1 | 2): number =>
        Math.max(...rows.map((row) => row[column].length), 0)
      const time = width(0)
      const who = width(1)
      const what = width(2)
      return rows
        .map(
          (row) =>
            `${row[0].padStart(time)}  ${row[1].padEnd(who)}  ${row[2].padEnd(what)}  ` +
            `${row[3].slice(0, 150)}`,
        )
        .join("\n")
    },
  }
}
