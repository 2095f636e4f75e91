import { type Logger as PinoLogger, pino } from "pino"
import { type LogTrouble, openLogWriter } from "./log-writer.ts"
import { printableFields } from "./printable.ts"

/**
 * Log lines have one fixed sentence and fields; `order` is a field of every line about an order.
 * `error` = money or operator, `info` = a state changed.
 */
export type Logger = Pick<PinoLogger, "debug" | "info" | "warn" | "error" | "child" | "level">

/** `readTrouble`: `null` while the log takes its lines. */
type Log = {
  readonly log: Logger
  readonly readTrouble: () => LogTrouble | null
  readonly kept: KeptLines
}

type LogOptions = {
  readonly level: string
  readonly pretty: boolean
  readonly destination: 1 | 2 | string
}

/**
 * Human-readable when a terminal is attached, JSON lines otherwise. `destination` is a descriptor
 * or a file; 2 leaves standard output to the command's answer.
 */
export function createLogger(options: LogOptions): Logger {
  return openLog(options).log
}

/** As `createLogger`, for a process that tells elsewhere that its log takes no lines. */
export function openLog({ level, pretty, destination }: LogOptions): Log {
  const serializers = {
    err: (error: Error) => printableFields({ ...pino.stdSerializers.err(error) }),
  }
  const base = {
    level,
    serializers,
    formatters: { log: (fields: Record<string, unknown>) => mapValues(fields, printableFields) },
  }
  const kept = createKeptLines()
  const both = (first: { write(line: string): void }): { write(line: string): void } => ({
    write: (line) => {
      kept.write(line)
      first.write(line)
    },
  })
  if (!pretty) {
    const writer = openLogWriter(destination)
    return { log: pino(base, both(writer)), readTrouble: writer.readTrouble, kept }
  }
  const screen = pino.transport({
    target: "pino-pretty",
    options: { destination, translateTime: "HH:MM:ss", ignore: "pid,hostname" },
  })
  return { log: pino(base, both(screen)), readTrouble: () => null, kept }
}

export const silentLogger: Logger = pino({ level: "silent" })

function mapValues(
  fields: Record<string, unknown>,
  map: (value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, map(value)]))
}

/** A line of the log, with its number since the start of the process. */
type KeptLine = { readonly seq: number; readonly text: string }

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
