import { fstatSync, openSync, writeSync } from "node:fs"
import { systemClock } from "./clock.ts"

/** The log takes no lines since `sinceMs`; so many of them are lost. */
export type LogTrouble = {
  readonly sinceMs: number
  readonly lost: number
  /** Of the system, such as `ENOSPC`; `EAGAIN` where the reader of a pipe stands still. */
  readonly error: string
}

type LogWriter = {
  /** Never throws, and never waits: lines that the log does not take are kept, up to a size. */
  readonly write: (line: string) => void
  /** `null` while the log takes its lines. */
  readonly readTrouble: () => LogTrouble | null
}

/** The oldest lines wait here while the log takes none; later ones are counted and lost. */
const KEPT_BYTES = 1024 * 1024
const RETRY_MS = 200
/** A reader that is only slow gets the last lines of a process that ends. */
const LAST_TRIES = 10

/**
 * Writes lines to a descriptor or a file without ever waiting for it: neither a full disk nor a
 * reader that stands still may stop a process that guards money.
 */
export function openLogWriter(destination: 1 | 2 | string): LogWriter {
  const descriptor = typeof destination === "string" ? openSync(destination, "a") : destination
  if (typeof destination === "number") becomeNonBlocking(destination)
  const waiting: Buffer[] = []
  let keptBytes = 0
  let trouble: LogTrouble | null = null
  let isRetrying = false

  function push(bytes: Buffer): void {
    keptBytes += bytes.length
    waiting.push(bytes)
  }

  /** Writes as much as the log takes now. */
  function drain(): void {
    try {
      for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
        const written = writeSync(descriptor, first)
        keptBytes -= written
        if (written < first.length) waiting[0] = first.subarray(written)
        else waiting.shift()
      }
      endTrouble()
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : String(error)
      trouble = {
        sinceMs: trouble?.sinceMs ?? systemClock.now(),
        lost: trouble?.lost ?? 0,
        error: code,
      }
      retryLater()
    }
  }

  function retryLater(): void {
    if (isRetrying) return
    isRetrying = true
    const retry = setTimeout(() => {
      isRetrying = false
      drain()
    }, RETRY_MS)
    retry.unref()
  }

  function endTrouble(): void {
    const { lost = 0, sinceMs = 0 } = trouble ?? {}
    trouble = null
    if (lost === 0) return
    const line = { level: 40, time: systemClock.now(), lost, sinceMs, msg: "Log lines are lost" }
    push(Buffer.from(`${JSON.stringify(line)}\n`))
    drain()
  }

  // A file took its lines at once.
  if (typeof destination === "number") drainAtExit(() => waiting.length > 0, drain)
  return {
    write: (line) => {
      const bytes = Buffer.from(line)
      if (trouble !== null && keptBytes + bytes.length > KEPT_BYTES) {
        trouble = { ...trouble, lost: trouble.lost + 1 }
        return
      }
      push(bytes)
      if (trouble === null) drain()
    },
    readTrouble: () => trouble,
  }
}

function drainAtExit(isWaiting: () => boolean, drain: () => void): void {
  process.once("exit", () => {
    for (let tries = 0; isWaiting() && tries < LAST_TRIES; tries++) {
      if (tries > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS / 4)
      drain()
    }
  })
}

/**
 * Opening the stream of a pipe or a socket makes its descriptor non-blocking (libuv, uv_pipe_open),
 * in all threads. A write then says EAGAIN where it would wait.
 */
function becomeNonBlocking(descriptor: 1 | 2): void {
  const at = fstatSync(descriptor)
  if (at.isFIFO() || at.isSocket())
    void (descriptor === 1 ? process.stdout : process.stderr).writable
}
