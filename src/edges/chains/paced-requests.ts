import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"

/**
 * Sends the reads of one endpoint, and waits where the endpoint limits its requests.
 *
 * A refused read is asked again after `Retry-After`, or after a pause that doubles; reads that
 * begin meanwhile stand behind it. So a look of many reads keeps the answers that it has, and a
 * limit never leads to more requests. Until the limit has been quiet for a while, few requests are
 * out at once.
 *
 * After refusals for `patienceMs` in a row every waiting read fails with the refusal, and further
 * ones fail at once until it is time for one more try.
 */
export function createPacedRequests(options: PaceOptions): PacedRequests {
  const pace: Pace = {
    options,
    queue: [],
    isDraining: false,
    width: 1,
    refusals: 0,
    waitedMs: 0,
    isPaused: false,
    pausedUntilMs: 0,
    limitedUntilMs: 0,
    last: null,
  }
  const { clock } = options
  return {
    send: async (request) => {
      if (isSpent(pace) && clock.now() < pace.pausedUntilMs) throw pace.last
      if (pace.isDraining || clock.now() < pace.limitedUntilMs) return enqueue(pace, request)
      return attempt(pace, request, () => enqueue(pace, request))
    },
    sendOnce: async (request) => {
      if (pace.last !== null && clock.now() < pace.pausedUntilMs) throw pace.last
      return attempt(pace, request, (error) => Promise.reject(error))
    },
  }
}

type PaceOptions = { readonly clock: Clock; readonly patienceMs: number }

export type PacedRequests = {
  /** Waits for the endpoint's limit. */
  send<T>(request: () => Promise<T>): Promise<T>
  /** Throws the refusal instead of a wait, for a caller that has another endpoint. */
  sendOnce<T>(request: () => Promise<T>): Promise<T>
}

/** Whether an endpoint refused a request by its limit. The families mark such an error. */
export function isLimited(error: unknown): error is AppError {
  return error instanceof AppError && error.details["status"] === 429
}

/** How providers write of a limit of requests in the text of a node's error. */
export const LIMIT_TEXT = new RegExp(
  [
    "rate.?limit",
    "too many requests",
    "requests? per (second|minute)",
    "request limit",
    "throughput",
    "compute units per",
  ].join("|"),
  "i",
)

/**
 * A read that was refused for so many time-outs of its endpoint fails, and its order asks again
 * later.
 */
export const PATIENCE_TIMEOUTS = 3

/** The wait that a header `Retry-After` names in seconds; `null` for none. */
export function readRetryAfter(header: unknown): number | null {
  const text = String(header ?? "")
  return /^\d{1,6}$/.test(text) && Number(text) > 0 ? Number(text) * 1_000 : null
}

type Pace = {
  readonly options: PaceOptions
  /** The reads that wait, the oldest first. */
  queue: Waiting[]
  isDraining: boolean
  /** The most requests at once while the queue is worked off. */
  width: number
  /** Refusals since the last answer, and the waits that they led to. */
  refusals: number
  waitedMs: number
  /** After a refusal, until the queue goes on. */
  isPaused: boolean
  pausedUntilMs: number
  limitedUntilMs: number
  last: AppError | null
}

type Waiting = {
  readonly run: () => Promise<"answered" | "refused">
  readonly reject: (error: unknown) => void
}

/** Limits count by the second. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** A limit counts as quiet after so long without a refusal. */
const CALM_MS = 30_000
const MOST_WIDTH = 20

async function attempt<T>(
  pace: Pace,
  request: () => Promise<T>,
  onRefused: (error: AppError) => Promise<T>,
): Promise<T> {
  try {
    const answer = await request()
    noteAnswer(pace)
    return answer
  } catch (error) {
    if (!isLimited(error)) throw error
    noteRefusal(pace, error)
    return onRefused(error)
  }
}

/** An answer during a pause is that of an earlier request, and tells nothing about the limit. */
function noteAnswer(pace: Pace): void {
  if (pace.isPaused) return
  pace.refusals = 0
  pace.waitedMs = 0
  pace.last = null
}

/** Requests that were out together are refused together, and count as one refusal. */
function noteRefusal(pace: Pace, error: AppError): void {
  const nowMs = pace.options.clock.now()
  pace.last = error
  if (pace.isPaused && nowMs < pace.pausedUntilMs) return
  const asked = error.details["retryAfterMs"]
  const pauseMs = FIRST_PAUSE_MS * 2 ** Math.min(pace.refusals, 6)
  const waitMs = Math.min(
    LONGEST_PAUSE_MS,
    Math.max(pauseMs, typeof asked === "number" ? asked : 0),
  )
  pace.refusals += 1
  pace.waitedMs += waitMs
  pace.isPaused = true
  pace.pausedUntilMs = nowMs + waitMs
  pace.limitedUntilMs = pace.pausedUntilMs + CALM_MS
}

/** The endpoint has refused for longer than a read waits. */
function isSpent({ last, waitedMs, options }: Pace): boolean {
  return last !== null && waitedMs > options.patienceMs
}

function enqueue<T>(pace: Pace, request: () => Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const run: Waiting["run"] = async () => {
    try {
      const answer = await request()
      noteAnswer(pace)
      resolve(answer)
    } catch (error) {
      if (isLimited(error)) {
        noteRefusal(pace, error)
        return "refused"
      }
      reject(error)
    }
    return "answered"
  }
  pace.queue.push({ run, reject })
  if (!pace.isDraining) {
    pace.isDraining = true
    void drain(pace)
  }
  return promise
}

async function drain(pace: Pace): Promise<void> {
  const { clock } = pace.options
  while (pace.queue.length > 0) {
    if (isSpent(pace)) {
      for (const { reject } of pace.queue) reject(pace.last)
      pace.queue = []
      break
    }
    if (pace.isPaused) await clock.sleep(Math.max(0, pace.pausedUntilMs - clock.now()))
    pace.isPaused = false
    const next = pace.queue.splice(0, pace.width)
    const results = await Promise.all(next.map(({ run }) => run()))
    const refused = next.filter((_waiting, index) => results[index] === "refused")
    pace.queue.unshift(...refused)
    pace.width =
      refused.length > 0 ? Math.max(1, pace.width >> 1) : Math.min(MOST_WIDTH, pace.width + 1)
  }
  pace.isDraining = false
  pace.width = 1
}
