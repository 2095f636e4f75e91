import { AppError } from "#lib/app-error.ts"
import type { Clocked, Remembering } from "../../context.ts"
import type { LateRead } from "../../memory.ts"

/**
 * The longest wait for one of several independent reads, so that a silent place does not delay the
 * work that needs only the others.
 */
const READ_WAIT_MS = 5_000
/** An answer that came after the wait serves the next caller, unless it is older than this. */
const LATE_ANSWER_MS = 60_000
/** Ports end their calls themselves; a call that has not ended after this time is given up. */
const GIVEN_UP_MS = 10 * 60_000

/**
 * Waits `READ_WAIT_MS` for an answer. A later answer is kept for the next call with the same `key`,
 * so a place that always answers late is still read, and no key has two reads at the same time.
 * Throws `read.late` (transient) after the wait, and the errors of `read`.
 */
export async function readInTime<T>(
  context: Clocked & Remembering,
  key: string,
  read: () => Promise<T>,
): Promise<T> {
  return (await readDatedInTime(context, key, read)).value
}

/**
 * As `readInTime`, with a wait of its own. The answer is about the chain at some moment between
 * `sinceMs`, when its read began, and `answeredMs`.
 */
export async function readDatedInTime<T>(
  context: Clocked & Remembering,
  key: string,
  read: () => Promise<T>,
  waitMs: number = READ_WAIT_MS,
): Promise<Dated<T>> {
  const reads = context.memory.lateReads
  const known = reads.get(key)
  const nowMs = context.clock.now()
  const joined = known !== undefined && isFresh(known, nowMs) ? known : null
  // CAST: one key belongs to one kind of answer.
  const reading = joined === null ? begin() : (joined.answer as Promise<T>)
  const answered = new AbortController()
  const late = context.clock.sleep(waitMs, answered.signal).then(() => null)
  try {
    const first = await Promise.race([reading.then((value) => ({ value })), late])
    if (first === null) throw isLate(key, waitMs)
    reads.delete(key)
    const answeredMs = joined?.endedMs ?? context.clock.now()
    return { value: first.value, sinceMs: joined?.startedMs ?? nowMs, answeredMs }
  } catch (error) {
    if (!(error instanceof AppError && error.code === "read.late")) reads.delete(key)
    throw error
  } finally {
    answered.abort("answered")
  }

  function begin(): Promise<T> {
    const answer = read()
    for (const [other, one] of reads) if (!isFresh(one, nowMs)) reads.delete(other)
    const entry: LateRead = { answer, startedMs: nowMs, endedMs: null }
    const end = (): void => {
      entry.endedMs = context.clock.now()
    }
    answer.then(end, end)
    reads.set(key, entry)
    return answer
  }
}

/** An answer, and the times between which it was read. */
export type Dated<T> = {
  readonly value: T
  readonly sinceMs: number
  readonly answeredMs: number
}

function isFresh({ startedMs, endedMs }: LateRead, nowMs: number): boolean {
  const isRunning = endedMs === null
  return Math.abs(nowMs - (endedMs ?? startedMs)) <= (isRunning ? GIVEN_UP_MS : LATE_ANSWER_MS)
}

function isLate(key: string, waitMs: number): AppError {
  const message =
    `No answer within ${waitMs / 1000} s; the read goes on, and its answer counts when ` +
    "it comes"
  return new AppError({
    code: "read.late",
    disposition: "transient",
    message,
    details: { read: key },
  })
}
