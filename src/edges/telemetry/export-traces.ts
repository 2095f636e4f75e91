import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import type { Journal } from "#ports/journal.ts"
import type { Span } from "./describe-trace.ts"
import type { Collector } from "./find-collector.ts"
import { formatOtlp } from "./format-otlp.ts"
import { postSpans } from "./post-spans.ts"
import { createSpanReader } from "./read-spans.ts"

export type TraceExport = {
  /** Resolves after the signal, with a last attempt of at most a few seconds. */
  readonly run: (signal: AbortSignal) => Promise<void>
  readonly counts: () => TraceCounts
}
type TraceCounts = { readonly sent: number; readonly dropped: number; readonly waiting: number }

type Parts = {
  readonly journal: Pick<
    Journal,
    "listChangedSince" | "listOrders" | "listEvents" | "readFlag" | "noteFlag" | "durable"
  >
  readonly clock: Clock
  readonly log: Logger
  readonly collector: Collector
  readonly resource: Readonly<Record<string, string>>
  /** The error of a collector that took no spans; `null` once it takes some. */
  readonly note?: (error: string | null) => void
}

/**
 * More waiting spans than this mean that the collector is gone; the newest are dropped and counted.
 */
export const MOST_WAITING = 5_000
const MOST_SENT_AT_ONCE = 200
const EVERY_MS = 1_000
const TIMEOUT_MS = 5_000
/** A collector that has taken nothing yet gets an empty batch this often. */
const GREET_EVERY_MS = 10_000
/** A batch is tried this often, with a longer pause each time. */
const TRIES = 3
const LAST_ATTEMPT_MS = 3_000
/** The time of the newest change of which every finished span was sent. */
export const CURSOR_FLAG = "telemetry/cursor"

/**
 * Sends the spans of the orders to a collector. It reads the journal and changes no order: a
 * collector that is slow, dead or hostile delays nothing else. After a restart it begins at the
 * last sent change, so a span may arrive twice, with the same id.
 */
export function createTraceExport(parts: Parts): TraceExport {
  const { journal, clock, log } = parts
  const reader = createSpanReader(
    journal,
    clock,
    Number(journal.readFlag(CURSOR_FLAG) ?? clock.now()),
  )
  const { greet, note } = createGreeting(parts)
  const post = createPost(parts, note)
  const waiting: Span[] = []
  let sent = 0
  let dropped = 0

  function collect(): void {
    for (const span of reader.read()) {
      if (waiting.length < MOST_WAITING) waiting.push(span)
      else dropped += 1
    }
  }

  async function send(signal: AbortSignal): Promise<void> {
    const cursor = String(reader.readUntilMs())
    while (waiting.length > 0 && !signal.aborted) {
      // Nothing of a change leaves the process before the change is on disk.
      await journal.durable()
      const batch = waiting.slice(0, MOST_SENT_AT_ONCE)
      const isSent = await post(batch, signal)
      if (!isSent && signal.aborted) return
      waiting.splice(0, batch.length)
      if (isSent) sent += batch.length
      else dropped += batch.length
    }
    if (waiting.length === 0 && journal.readFlag(CURSOR_FLAG) !== cursor)
      journal.noteFlag(CURSOR_FLAG, cursor)
  }

  /** A failure here is one of the traces, and never one of the daemon. */
  async function guarded(act: () => void | Promise<void>): Promise<void> {
    try {
      await act()
    } catch (error) {
      log.error({ err: error }, "The traces could not be read or sent")
    }
  }

  return {
    counts: () => ({ sent, dropped, waiting: waiting.length }),
    run: async (signal) => {
      const giveUp = new AbortController()
      let sending: Promise<void> | null = null
      while (!signal.aborted) {
        await guarded(collect)
        sending ??= guarded(() => send(giveUp.signal)).finally(() => {
          sending = null
        })
        if (waiting.length === 0) void greet(signal)
        await clock.sleep(EVERY_MS, signal)
      }
      AbortSignal.timeout(LAST_ATTEMPT_MS).addEventListener("abort", () => giveUp.abort())
      await sending
      await guarded(collect)
      await guarded(() => send(giveUp.signal))
    },
  }
}

/** The error of a post; `null` of one that the collector took. */
type Note = (error: string | null) => void
/** Without an order nothing else would show that the collector takes no spans. */
function createGreeting({ clock, collector, resource, note = () => undefined }: Parts) {
  let askedMs = clock.now()
  let isTaken = false
  const noteTaken: Note = (error) => {
    isTaken = error === null
    note(error)
  }
  async function greet(signal: AbortSignal): Promise<void> {
    if (isTaken || clock.now() - askedMs < GREET_EVERY_MS) return
    askedMs = clock.now()
    const within = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
    const error = await postSpans(collector, formatOtlp([], resource), within)
    if (!signal.aborted) noteTaken(error)
  }
  return { greet, note: noteTaken }
}

type Post = (batch: readonly Span[], signal: AbortSignal) => Promise<boolean>

/**
 * Sends one batch with few tries. A collector that fails is logged once, until it takes spans
 * again.
 */
function createPost({ clock, log, collector, resource }: Parts, note: Note): Post {
  let failing = false
  return async (batch, signal) => {
    const body = formatOtlp(batch, resource)
    for (let attempt = 1; attempt <= TRIES && !signal.aborted; attempt++) {
      const error = await postSpans(
        collector,
        body,
        AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      )
      if (!signal.aborted) note(error)
      if (error === null) {
        if (failing) log.info({}, "The collector of traces takes spans again")
        failing = false
        return true
      }
      if (!failing && !signal.aborted) log.warn({ error }, "The collector of traces took no spans")
      failing = true
      if (attempt < TRIES) await clock.sleep(EVERY_MS * 2 ** attempt, signal)
    }
    return false
  }
}
