import { createHash } from "node:crypto"

/** The events of a run, in order. Two runs are the same if the hashes of their logs are equal. */
export type EventLog = {
  readonly add: (who: string, what: string, detail?: string) => void
  readonly hash: () => string
  readonly count: () => number
  /** The newest `limit` entries, up to 10 000, as a table for a terminal. */
  readonly format: (limit: number) => string
}

const GATHERED = 65_536
/** Far more lines than a terminal shows. */
const MOST_SHOWN = 10_000

export function createEventLog(now: () => number): EventLog {
  const startMs = now()
  /** The newest ones. */
  let lines: (readonly [string, string, string, string])[] = []
  let count = 0
  const hash = createHash("sha256")
  /** Not in the hash yet: a call of it for each line would take longer than the lines. */
  let text = ""
  const gather = (): void => {
    hash.update(text)
    text = ""
  }
  return {
    add: (who, what, detail = "") => {
      const time = `${((now() - startMs) / 1000).toFixed(1)} s`
      count++
      lines.push([time, who, what, detail])
      if (lines.length >= 2 * MOST_SHOWN) lines = lines.slice(-MOST_SHOWN)
      text += `${time}\t${who}\t${what}\t${detail}\n`
      if (text.length > GATHERED) gather()
    },
    hash: () => {
      gather()
      return hash.copy().digest("hex")
    },
    count: () => count,
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
