/** A line of the log, with its number since the start of the process. */
export type KeptLine = { readonly seq: number; readonly text: string }

/** The newest lines of this process's log, for a reader that cannot see where they go. */
export type KeptLines = {
  readonly write: (line: string) => void
  /** The lines after `after` (0: all), oldest first, of those that `keeps` wants. */
  readonly read: (after: number, keeps?: (line: KeptLine) => boolean) => readonly KeptLine[]
  readonly newest: () => number
}

const MOST_LINES = 2_000
/** The stack of an error fits in. A longer line is no JSON any more, and is left out. */
const MOST_CHARACTERS = 16_384

export function createKeptLines(most = MOST_LINES): KeptLines {
  const lines: KeptLine[] = []
  let newest = 0
  return {
    write: (line) => {
      newest++
      if (line.length > MOST_CHARACTERS) return
      lines.push({ seq: newest, text: line.trimEnd() })
      // Removing the first element moves all others, so it is done for many at once.
      if (lines.length >= 2 * most) lines.splice(0, most)
    },
    read: (after, keeps = () => true) =>
      lines.slice(-most).filter((line) => line.seq > after && keeps(line)),
    newest: () => newest,
  }
}
