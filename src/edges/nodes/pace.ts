import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"

/**
 * Sends the reads of one endpoint, and waits where the endpoint limits its requests.
 *
 * A refused read is asked again after `Retry-After`, or after a pause that doubles; reads that
 * begin meanwhile stand behind it. So a look of many reads keeps the answers that it has, and a
 * limit never leads to more requests. Until the limit has been quiet for a while, few calls are
 * out at once, and those of a batch count one by one.
 *
 * After refusals for `patienceMs` in a row every waiting read fails with the refusal, and further
 * ones fail at once until it is time for one more try.
 */
export function createPace(options: PaceOptions): Pace {
  const state: State = {
    ...options,
    queue: [],
    isDraining: false,
    width: 1,
    refusals: 0,
    waitedMs: 0,
    pausedUntilMs: 0,
    limitedUntilMs: 0,
    freeMs: 0,
    last: null,
  }
  const { clock } = options
  return {
    send: (request) => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      submit(state, singles, [{ request, resolve, reject }])
      // CAST: `request` resolves it.
      return promise as ReturnType<typeof request>
    },
    sendOnce: async (request) => {
      if (state.last !== null && clock.now() < state.pausedUntilMs) throw state.last
      await takeTurn(state, 1)
      try {
        const answer = await request()
        noteAnswer(state)
        return answer
      } catch (error) {
        if (isLimited(error)) noteRefusal(state, error)
        throw error
      }
    },
    submit: (source, items) => submit(state, source, items),
    isLimited: () => clock.now() < state.limitedUntilMs,
    refusedUntilMs: () => (clock.now() < state.pausedUntilMs ? state.pausedUntilMs : null),
  }
}

type PaceOptions = {
  readonly clock: Clock
  readonly patienceMs: number
  /** The endpoint's known limit; absent or `null`: it is learnt. */
  readonly perSecond?: number | null
}

export type Pace = {
  /** Waits for the endpoint's limit. */
  send<T>(request: () => Promise<T>): Promise<T>
  /** Throws the refusal instead of a wait, for a caller that has another endpoint. */
  sendOnce<T>(request: () => Promise<T>): Promise<T>
  /** As `send`, for calls that may share a request. */
  submit<Item extends Waiting>(source: Source<Item>, items: readonly Item[]): void
  /** The endpoint has refused requests a moment ago. */
  isLimited(): boolean
  /** Until then nothing is sent; `null` for no such time. */
  refusedUntilMs(): number | null
}

/** Sends calls together, up to `most` of them, and tells which were refused by a limit. */
export type Source<Item extends Waiting> = {
  most(): number
  send(items: readonly Item[]): Promise<Sent<Item>>
}

export type Sent<Item> = { readonly refused: readonly Item[]; readonly error: AppError | null }

type Waiting = { readonly reject: (error: unknown) => void }

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

type State = PaceOptions & {
  /** The calls that wait, the oldest first. */
  queue: { readonly source: Source<Waiting>; readonly item: Waiting }[]
  isDraining: boolean
  /** The most calls at once while the queue is worked off. */
  width: number
  /** Refusals since the last answer, and the waits that they led to. */
  refusals: number
  waitedMs: number
  pausedUntilMs: number
  limitedUntilMs: number
  /** The time at which the calls that are sent have used up `perSecond`. */
  freeMs: number
  last: AppError | null
}

/** Limits count by the second. */
const FIRST_PAUSE_MS = 1_000
/** Of our own pauses; an endpoint may ask for longer ones. */
const LONGEST_PAUSE_MS = 60_000
/** A limit counts as quiet after so long without a refusal. */
const CALM_MS = 30_000
const MOST_WIDTH = 20

type Single = Waiting & {
  readonly request: () => Promise<unknown>
  readonly resolve: (answer: unknown) => void
}

const singles: Source<Single> = {
  most: () => 1,
  send: async (items) => {
    for (const item of items) {
      try {
        item.resolve(await item.request())
      } catch (error) {
        if (isLimited(error)) return { refused: [item], error }
        item.reject(error)
      }
    }
    return { refused: [], error: null }
  },
}

function submit<Item extends Waiting>(
  state: State,
  source: Source<Item>,
  items: readonly Item[],
): void {
  const nowMs = state.clock.now()
  if (isSpent(state) && nowMs < state.pausedUntilMs)
    for (const { reject } of items) reject(state.last)
  else if (state.isDraining || nowMs < state.limitedUntilMs) enqueue(state, source, items)
  else
    for (const part of chunksOf(state, source, items))
      void run(state, source, part).then((refused) => {
        if (refused.length === 0) return
        if (!state.isDraining) state.width = Math.max(1, part.length >> 1)
        enqueue(state, source, refused)
      })
}

function chunksOf<Item extends Waiting>(
  { perSecond }: State,
  source: Source<Item>,
  items: readonly Item[],
): (readonly Item[])[] {
  const most = Math.min(source.most(), perSecond ?? source.most())
  return Array.from({ length: Math.ceil(items.length / most) }, (_, index) =>
    items.slice(index * most, (index + 1) * most),
  )
}

async function run<Item extends Waiting>(
  state: State,
  source: Source<Item>,
  items: readonly Item[],
): Promise<readonly Item[]> {
  await takeTurn(state, items.length)
  const { refused, error } = await source.send(items)
  if (refused.length < items.length) noteAnswer(state)
  if (error !== null) noteRefusal(state, error)
  return refused
}

/** Lets so many calls through as `perSecond` allows, after at most a second's worth at once. */
async function takeTurn(state: State, calls: number): Promise<void> {
  const { clock, perSecond = null } = state
  if (perSecond === null) return
  const nowMs = clock.now()
  state.freeMs = Math.max(state.freeMs, nowMs - 1_000) + (calls * 1_000) / perSecond
  if (state.freeMs > nowMs) await clock.sleep(state.freeMs - nowMs)
}

/** An answer during a pause is that of an earlier request, and tells nothing about the limit. */
function noteAnswer(state: State): void {
  if (state.clock.now() < state.pausedUntilMs) return
  state.refusals = 0
  state.waitedMs = 0
  state.last = null
}

/** Requests that were out together are refused together, and count as one refusal. */
function noteRefusal(state: State, error: AppError): void {
  const nowMs = state.clock.now()
  state.last = error
  if (nowMs < state.pausedUntilMs) return
  const asked = error.details["retryAfterMs"]
  const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(state.refusals, 6))
  const waitMs = Math.max(pauseMs, typeof asked === "number" ? asked : 0)
  state.refusals += 1
  state.waitedMs += waitMs
  state.pausedUntilMs = nowMs + waitMs
  state.limitedUntilMs = state.pausedUntilMs + CALM_MS
}

/** The endpoint has refused for longer than a read waits. */
function isSpent({ last, waitedMs, patienceMs }: State): boolean {
  return last !== null && waitedMs > patienceMs
}

function enqueue<Item extends Waiting>(
  state: State,
  source: Source<Item>,
  items: readonly Item[],
): void {
  // CAST: a source gets its own items back.
  const entries = items.map((item) => ({ source: source as Source<Waiting>, item }))
  state.queue.push(...entries)
  if (state.isDraining) return
  state.isDraining = true
  void drain(state)
}

async function drain(state: State): Promise<void> {
  const { clock } = state
  while (state.queue.length > 0) {
    const nowMs = clock.now()
    if (isSpent(state) && nowMs < state.pausedUntilMs) {
      for (const { item } of state.queue) item.reject(state.last)
      state.queue = []
      break
    }
    if (nowMs < state.pausedUntilMs) {
      await clock.sleep(state.pausedUntilMs - nowMs)
      // However long the sleep was: a refusal from here on is another one.
      state.pausedUntilMs = Math.min(state.pausedUntilMs, clock.now())
    }
    const next = state.queue.splice(0, state.width)
    const bySource = Map.groupBy(next, ({ source }) => source)
    const rounds = await Promise.all(
      [...bySource].flatMap(([source, entries]) =>
        chunksOf(
          state,
          source,
          entries.map(({ item }) => item),
        ).map(async (part) => (await run(state, source, part)).map((item) => ({ source, item }))),
      ),
    )
    const refused = rounds.flat()
    state.queue.unshift(...refused)
    state.width =
      refused.length > 0 ? Math.max(1, next.length >> 1) : Math.min(MOST_WIDTH, state.width + 1)
  }
  state.isDraining = false
}
