import { type DestinationStream, type Logger as PinoLogger, pino } from "pino"
import { printableFields } from "./printable.ts"

/**
 * Log lines have one fixed sentence and fields; `order` is a field of every line about an order.
 * `error` = money or operator, `info` = a state changed.
 */
export type Logger = Pick<PinoLogger, "debug" | "info" | "warn" | "error" | "child" | "level">

/**
 * Human-readable when a terminal is attached, JSON lines otherwise. `destination` is a descriptor
 * or a file; 2 leaves standard output to the command's answer.
 */
export function createLogger(options: {
  level: string
  pretty: boolean
  destination: 1 | 2 | string
}): Logger {
  const serializers = {
    err: (error: Error) => printableFields({ ...pino.stdSerializers.err(error) }),
  }
  const base = {
    level: options.level,
    serializers,
    formatters: { log: (fields: Record<string, unknown>) => mapValues(fields, printableFields) },
  }
  if (!options.pretty) return pino(base, openDestination(options.destination))
  const transport = {
    target: "pino-pretty",
    options: {
      destination: options.destination,
      translateTime: "HH:MM:ss",
      ignore: "pid,hostname",
    },
  }
  return pino({ ...base, transport })
}

/** The newest lines wait here while the log takes none; later ones are lost. */
const KEPT_BYTES = 1024 * 1024

/** A log that cannot be written, because its disk is full, ends no process that guards money. */
function openDestination(dest: 1 | 2 | string): DestinationStream {
  const stream = pino.destination({ dest, sync: true, maxLength: KEPT_BYTES })
  // The stream tries its oldest line again with each later one.
  stream.on("error", () => undefined)
  return stream
}

export const silentLogger: Logger = pino({ level: "silent" })

function mapValues(
  fields: Record<string, unknown>,
  map: (value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, map(value)]))
}
