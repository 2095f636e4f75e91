import { type Logger as PinoLogger, pino } from "pino"
import { type LogTrouble, openLogWriter } from "./log-writer.ts"
import { printableFields } from "./printable.ts"

/**
 * Log lines have one fixed sentence and fields; `order` is a field of every line about an order.
 * `error` = money or operator, `info` = a state changed.
 */
export type Logger = Pick<PinoLogger, "debug" | "info" | "warn" | "error" | "child" | "level">

/** `readTrouble`: `null` while the log takes its lines. */
type Log = { readonly log: Logger; readonly readTrouble: () => LogTrouble | null }

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
  if (!pretty) {
    const writer = openLogWriter(destination)
    return { log: pino(base, writer), readTrouble: writer.readTrouble }
  }
  const transport = {
    target: "pino-pretty",
    options: { destination, translateTime: "HH:MM:ss", ignore: "pid,hostname" },
  }
  return { log: pino({ ...base, transport }), readTrouble: () => null }
}

export const silentLogger: Logger = pino({ level: "silent" })

function mapValues(
  fields: Record<string, unknown>,
  map: (value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, map(value)]))
}
