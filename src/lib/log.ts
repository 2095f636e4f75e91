import { type Logger as PinoLogger, pino } from "pino"
import { printableFields } from "./printable.ts"

/** Log lines have one fixed sentence and fields; `order` is a field of every line about an order. `error` = money or operator, `info` = a state changed. */
export type Logger = Pick<PinoLogger, "debug" | "info" | "warn" | "error" | "child" | "level">

/** Human-readable when a terminal is attached, JSON lines otherwise. `destination` is a descriptor or a file; 2 leaves standard output to the command's answer. */
export function createLogger(options: { level: string; pretty: boolean; destination: 1 | 2 | string }): Logger {
  const serializers = { err: (error: Error) => printableFields({ ...pino.stdSerializers.err(error) }) }
  const base = {
    level: options.level,
    serializers,
    formatters: { log: (fields: Record<string, unknown>) => mapValues(fields, printableFields) },
  }
  if (!options.pretty) return pino(base, pino.destination({ dest: options.destination, sync: true }))
  const transport = {
    target: "pino-pretty",
    options: { destination: options.destination, translateTime: "HH:MM:ss", ignore: "pid,hostname" },
  }
  return pino({ ...base, transport })
}

export const silentLogger: Logger = pino({ level: "silent" })

function mapValues(fields: Record<string, unknown>, map: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, map(value)]))
}
