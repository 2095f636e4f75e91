import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { rankNow } from "#ports/urgency.ts"
import { createReadFaults, type ReadFaults } from "./read-faults.ts"

/**
 * Sends the reads of one endpoint, and waits where the endpoint limits its requests.
 *
 * A refused read is asked again after `Retry-After`, or after a pause as long as the endpoint has
 * refused in a row, and at least a second; reads that begin meanwhile wait with it, the most urgent
 * first. So a look of many reads keeps the answers that it has, and a limit never leads to more
 * requests. Until the limit has been quiet for a while, few calls are out at once, and those of a
 * batch count one by one. An endpoint that answers a later call than the refused one refuses by
 * chance, and is asked on.
 *
 * After refusals for `patienceMs` in a row every waiting read fails with the refusal, and further
 * ones fail at once until it is time for one more try.
 *
 * A write goes before every read and counts with them. No limit holds it for longer than
 * `HELD_MS`, and its refusal is its answer: the order sends it again.
 */
export function createPace(options: PaceOptions): Pace {
  const state: State = {
    ...options,
    reads: createReadFaults(options.clock),
    queue: [],
    keys: new Map(),
    isDraining: false,
    out: 0,
    answered: null,
    goOn: null,
    turn: 0,
    width: 1,
    refusals: 0,
    waitedMs: 0,
    pausedUntilMs: 0,
    isAsked: false,
    sent: 0,
    refused: 0,
    limitedUntilMs: 0,
    freeMs: 0,
    seenMs: 0,
    last: null,
  }
  const { clock } = options
  return {
    send: <T>(request: () => Promise<T>, key: string | null = null) => {
      const known = key === null ? null : join(state, key)
      // CAST: questions with one key have one form of answer.
      return known === null ? sendSingle(state, request, false, key) : (known as Promise<T>)
    },
    join: (key) => join(state, key),
    sendOnce: async (request, mostWaitMs = 0) => {
      noteTime(state, clock.now())
      if (state.last !== null && clock.now() + mostWaitMs < state.pausedUntilMs)
        throw refusalNow(state)
      return sendSingle(state, request, true, null)
    },
    submit: (source, items) => submit(state, source, items),
    submitOnce: (source, items) => {
      noteTime(state, clock.now())
      if (state.last === null || clock.now() >= state.pausedUntilMs)
        submit(state, onceOf(source), items)
      else for (const { reject } of items) reject(refusalNow(state))
    },
    sendWrite: (request) => sendWrite(state, request),
    limit: () => describeLimit(state),
    reads: state.reads,
  }
}

type PaceOptions = {
  readonly clock: Clock
  readonly patienceMs: number
  /** The endpoint's known limit; absent or `null`: it is learnt. */
  readonly perSecond?: number | null
  /** The most calls at once under `perSecond`; absent: a second's worth. */
  readonly burst?: number
}

export type Pace = {
  /** Waits for the endpoint's limit. `key`: see `join`. */
  send<T>(request: () => Promise<T>, key?: string | null): Promise<T>
  /**
   * The answer to the question with this key that waits for its turn, which is the same as an
   * answer to one that is asked now; `null` where none waits.
   */
  join(key: string): Promise<unknown> | null
  /**
   * Throws the refusal instead of a wait longer than `mostWaitMs`, for a caller that has another
   * endpoint or time for its own repeats. The refusal names the rest of the pause.
   */
  sendOnce<T>(request: () => Promise<T>, mostWaitMs?: number): Promise<T>
  /** For a call that changes the chain: never held for longer than `HELD_MS`. */
  sendWrite<T>(request: () => Promise<T>): Promise<T>
  /** As `send`, for calls that may share a request. */
  submit<Item extends Waiting>(source: Source<Item>, items: readonly Item[]): void
  /** As `sendOnce` without a wait, for calls that may share a request. */
  submitOnce<Item extends Waiting>(source: Source<Item>, items: readonly Item[]): void
  /** In words, while the endpoint has refused requests a moment ago; else `null`. */
  limit(): string | null
  /** The reads that its endpoint does not answer. */
  readonly reads: ReadFaults
}

/** Sends calls together, up to `most` of them, and tells which were refused by a limit. */
export type Source<Item extends Waiting> = {
  most(): number
  send(items: readonly Item[]): Promise<Sent<Item>>
}

export type Sent<Item> = { readonly refused: readonly Item[]; readonly error: AppError | null }

/** `rank`: how urgent it is (`#ports/urgency.ts`), by the most urgent of those that have joined. */
type Waiting = {
  rank: number
  readonly key: string | null
  readonly promise: Promise<unknown>
  readonly reject: (error: unknown) => void
}

/**
 * Whether an endpoint refused a request by its limit, or for a time that it names (RFC 9110
 * §15.6.4). The families mark such an error.
 */
export function isLimited(error: unknown): error is AppError {
  if (!(error instanceof AppError)) return false
  const { status, retryAfterMs } = error.details
  return status === 429 || (status === UNAVAILABLE && typeof retryAfterMs === "number")
}

const UNAVAILABLE = 503

/** The last refusal, with the rest of the pause that its endpoint asked for. */
function refusalNow({ clock, last, pausedUntilMs }: State): AppError | null {
  const asked = last?.details["retryAfterMs"]
  if (last === null || typeof asked !== "number") return last
  const { code, disposition, message, details } = last
  const retryAfterMs = Math.max(0, Math.min(asked, pausedUntilMs - clock.now()))
  return new AppError({
    code,
    disposition,
    message,
    details: { ...details, retryAfterMs },
    cause: last,
  })
}

function describeLimit({ clock, limitedUntilMs, pausedUntilMs, last }: State): string | null {
  const nowMs = clock.now()
  if (nowMs >= limitedUntilMs) return null
  const what = last?.details["status"] === UNAVAILABLE ? "unavailable (HTTP 503)" : "rate limited"
  const until = nowMs < pausedUntilMs ? ` until ${new Date(pausedUntilMs).toISOString()}` : ""
  const said = last?.details["said"] ?? ""
  return `${what}${until}${said === "" ? "" : `: ${said}`}`
}

/**
 * A read that was refused for so many time-outs of its endpoint fails, and its order asks again
 * later.
 */
export const PATIENCE_TIMEOUTS = 3

type State = PaceOptions & {
  readonly reads: ReadFaults
  /** The calls that wait, the most urgent first, and of these the oldest. */
  queue: Entry[]
  /** Those of them that others may join. */
  readonly keys: Map<string, Waiting>
  isDraining: boolean
  /** The calls that are out while the queue is worked off, and the most of them at once. */
  out: number
  width: number
  /** Counts the calls that left the queue. */
  turn: number
  /** Ends a pause before its time. */
  goOn: (() => void) | null
  /** Wakes the queue when calls have come back. */
  answered: (() => void) | null
  /** Refusals since the last answer, and the waits that they led to. */
  refusals: number
  waitedMs: number
  pausedUntilMs: number
  /** The endpoint has asked for this pause. */
  isAsked: boolean
  limitedUntilMs: number
  /** Counts the requests, and the last one of them that was refused. */
  sent: number
  refused: number
  /** The time at which the calls that are sent have used up `perSecond`. */
  freeMs: number
  seenMs: number
  last: AppError | null
}

/** Less than a block of most chains: a deadline is never missed by it. */
export const HELD_MS = 1_000

/** Limits count by the second. */
const FIRST_PAUSE_MS = 1_000
/** Of our own pauses and of 503; a limit may ask for longer ones. */
const LONGEST_PAUSE_MS = 60_000
/** A limit counts as quiet after so long without a refusal. */
const CALM_MS = 30_000
const MOST_WIDTH = 20
/** The second call shows whether the refusal of the first one is a limit. */
const LEAST_WIDTH = 2

type Entry = {
  readonly source: Source<Waiting>
  readonly item: Waiting
  readonly atMs: number
}

/** `isOnce`: a refusal is its answer. */
type Single = Waiting & {
  readonly isOnce: boolean
  readonly request: () => Promise<unknown>
  readonly resolve: (answer: unknown) => void
}

function sendSingle<T>(
  state: State,
  request: () => Promise<T>,
  isOnce: boolean,
  key: string | null,
): Promise<T> {
  const single: Single = {
    ...Promise.withResolvers<unknown>(),
    rank: rankNow(),
    key,
    isOnce,
    request,
  }
  submit(state, singles, [single])
  // CAST: `request` resolves it.
  return single.promise as Promise<T>
}

function join({ keys, queue }: State, key: string): Promise<unknown> | null {
  const known = keys.get(key)
  if (known === undefined) return null
  known.rank = Math.min(known.rank, rankNow())
  queue.sort(byRank)
  return known.promise
}

function byRank(a: Entry, b: Entry): number {
  return a.item.rank - b.item.rank
}

/** Its place is taken before its wait, so that no read takes it. */
async function sendWrite<T>(state: State, request: () => Promise<T>): Promise<T> {
  const { clock } = state
  const nowMs = clock.now()
  const freeInMs = spend(state, 1)
  const waitMs = Math.min(HELD_MS, Math.max(freeInMs, state.pausedUntilMs - nowMs))
  state.out += 1
  if (waitMs > 0) await clock.sleep(waitMs)
  const place = ++state.sent
  try {
    const answer = await request()
    noteAnswer(state, place)
    state.reads.count(null)
    return answer
  } catch (error) {
    state.reads.count(error)
    if (isLimited(error)) noteRefusal(state, error, place)
    else noteAnswer(state, place)
    throw error
  } finally {
    state.out -= 1
    state.answered?.()
  }
}

const singles: Source<Single> = {
  most: () => 1,
  send: async (items) => {
    for (const item of items) {
      try {
        item.resolve(await item.request())
      } catch (error) {
        if (!isLimited(error)) item.reject(error)
        else if (!item.isOnce) return { refused: [item], error }
        else {
          item.reject(error)
          return { refused: [], error }
        }
      }
    }
    return { refused: [], error: null }
  },
}

/** A refusal is the answer. */
function onceOf<Item extends Waiting>({ most, send }: Source<Item>): Source<Item> {
  return {
    most,
    send: async (items) => {
      const { refused, error } = await send(items)
      for (const { reject } of refused) reject(error)
      return { refused: [], error }
    },
  }
}

function submit<Item extends Waiting>(
  state: State,
  source: Source<Item>,
  items: readonly Item[],
): void {
  const atMs = state.clock.now()
  noteTime(state, atMs)
  for (const { promise } of items) promise.then(() => state.reads.count(null), state.reads.count)
  // CAST: a source gets its own items back.
  const entries = items.map((item) => ({ source: source as Source<Waiting>, item, atMs }))
  if (isSpent(state) && atMs < state.pausedUntilMs)
    for (const { reject } of items) reject(refusalNow(state))
  else if (state.isDraining || atMs < state.limitedUntilMs || roomOf(state) < items.length)
    enqueue(state, entries)
  else void sendOut(state, entries)
}

/** How many calls `perSecond` allows now, after at most `burst` at once. */
function roomOf(state: State): number {
  const { clock, perSecond = null } = state
  if (perSecond === null) return Number.POSITIVE_INFINITY
  const sinceMs = Math.min(burstMsOf(state), clock.now() - state.freeMs)
  return Math.floor((sinceMs * perSecond) / 1_000 + ROUNDING)
}

/** Takes these calls from what `perSecond` allows. Returns how long it is exceeded by them. */
function spend(state: State, calls: number): number {
  const { clock, perSecond = null } = state
  if (perSecond === null) return 0
  const nowMs = clock.now()
  noteTime(state, nowMs)
  state.freeMs = Math.max(state.freeMs, nowMs - burstMsOf(state)) + (calls * 1_000) / perSecond
  return Math.max(0, Math.ceil(state.freeMs - nowMs))
}

function burstMsOf({ perSecond, burst }: State): number {
  return burst === undefined ? 1_000 : (burst * 1_000) / (perSecond ?? 1)
}

/**
 * Writes may use it up ahead; else a time after now was written before the clock was set back. A
 * pause goes back with the clock.
 */
function noteTime(state: State, nowMs: number): void {
  const backMs = state.seenMs - nowMs
  state.seenMs = nowMs
  if (backMs <= 0) return
  state.freeMs = Math.min(state.freeMs, nowMs)
  state.pausedUntilMs -= backMs
  state.limitedUntilMs -= backMs
}

/** Against the error of adding parts of a millisecond. */
const ROUNDING = 1e-6

/** Sends these calls, those of one source together, and lets the refused ones wait. */
async function sendOut(state: State, entries: readonly Entry[]): Promise<void> {
  const { perSecond = null } = state
  spend(state, entries.length)
  const sent = [...Map.groupBy(entries, ({ source }) => source)].flatMap(([source, own]) =>
    chunksOf(own, Math.min(source.most(), perSecond ?? source.most())).map((part) =>
      sendPart(state, source, part),
    ),
  )
  state.out += entries.length
  await Promise.all(sent)
}

async function sendPart(
  state: State,
  source: Source<Waiting>,
  entries: readonly Entry[],
): Promise<void> {
  const items = entries.map(({ item }) => item)
  const place = ++state.sent
  const { refused, error } = await source.send(items)
  state.out -= items.length
  if (refused.length < items.length) noteAnswer(state, place)
  if (error === null) state.width = Math.min(MOST_WIDTH, state.width + items.length / state.width)
  else {
    noteRefusal(state, error, place)
    state.width = Math.max(LEAST_WIDTH, items.length >> 1)
  }
  const back = new Set(refused)
  enqueue(
    state,
    entries.filter(({ item }) => back.has(item)),
  )
  state.answered?.()
}

function chunksOf<T>(all: readonly T[], most: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / most) }, (_, index) =>
    all.slice(index * most, (index + 1) * most),
  )
}

/**
 * An answer to an earlier request than the refused one tells nothing about the limit. One to a
 * later request shows that the endpoint refuses by chance, and that a wait for it helps nothing.
 */
function noteAnswer(state: State, place: number): void {
  if (state.clock.now() < state.pausedUntilMs) {
    if (place < state.refused || state.isAsked) return
    state.pausedUntilMs = state.clock.now()
    state.goOn?.()
  }
  state.refusals = 0
  state.waitedMs = 0
  state.last = null
}

/** Requests that were out together are refused together, and count as one refusal. */
function noteRefusal(state: State, error: AppError, place: number): void {
  const nowMs = state.clock.now()
  const { retryAfterMs: asked, status } = error.details
  state.last = error
  state.refused = Math.max(state.refused, place)
  if (nowMs < state.pausedUntilMs) return
  state.isAsked = typeof asked === "number"
  const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, state.refusals - 1))
  // A node may be back long before the end that its gateway names.
  const mostMs = status === UNAVAILABLE ? LONGEST_PAUSE_MS : Number.POSITIVE_INFINITY
  const waitMs = Math.max(pauseMs, typeof asked === "number" ? Math.min(asked, mostMs) : 0)
  state.refusals += 1
  state.waitedMs += waitMs
  state.pausedUntilMs = nowMs + waitMs
  state.limitedUntilMs = state.pausedUntilMs + CALM_MS
}

/** The endpoint has refused for longer than a read waits. */
function isSpent({ last, waitedMs, patienceMs }: State): boolean {
  return last !== null && waitedMs > patienceMs
}

function enqueue(state: State, entries: readonly Entry[]): void {
  if (entries.length === 0) return
  state.queue.push(...entries)
  state.queue.sort(byRank)
  for (const { item } of entries) if (item.key !== null) state.keys.set(item.key, item)
  if (state.isDraining) return
  state.isDraining = true
  void drain(state)
}

async function drain(state: State): Promise<void> {
  const { clock, perSecond = null } = state
  while (state.queue.length > 0) {
    const nowMs = clock.now()
    noteTime(state, nowMs)
    const width = Math.floor(state.width) - state.out
    const room = roomOf(state)
    if (isSpent(state) && nowMs < state.pausedUntilMs) {
      for (const { item } of state.queue) item.reject(refusalNow(state))
      state.queue = []
      state.keys.clear()
    } else if (nowMs < state.pausedUntilMs) {
      const shortened = new AbortController()
      state.goOn = () => shortened.abort()
      await clock.sleep(state.pausedUntilMs - nowMs, shortened.signal)
      state.goOn = null
      // However long the sleep was: a refusal from here on is another one.
      state.pausedUntilMs = Math.min(state.pausedUntilMs, clock.now())
    } else if (room < 1) {
      const intervalMs = 1_000 / (perSecond ?? 1)
      const { freeMs } = state
      await clock.sleep(Math.ceil(freeMs + intervalMs - nowMs))
      // However long the sleep was, unless a write took its place meanwhile.
      if (freeMs === state.freeMs) state.freeMs = Math.min(freeMs, clock.now() - intervalMs)
    } else if (width < 1 && nowMs < state.limitedUntilMs) await nextAnswer(state)
    else {
      const isLimit = nowMs < state.limitedUntilMs
      void sendOut(state, takeNext(state, Math.min(room, isLimit ? width : MOST_WIDTH)))
    }
  }
  state.isDraining = false
}

/**
 * The most urgent calls. Every fourth is the one that waits the longest, if it has waited long: no
 * question waits for ever, and no crowd takes more than this part from more urgent ones.
 */
function takeNext(state: State, most: number): readonly Entry[] {
  return Array.from({ length: Math.min(most, state.queue.length) }, () => {
    const oldest = state.queue.reduce((first, entry) => (entry.atMs <= first.atMs ? entry : first))
    state.turn = (state.turn + 1) % OLDEST_EACH
    const isItsTurn = state.turn === 0 && state.clock.now() - oldest.atMs > LONG_WAIT_MS
    const [next = oldest] = state.queue.splice(isItsTurn ? state.queue.indexOf(oldest) : 0, 1)
    if (next.item.key !== null) state.keys.delete(next.item.key)
    return next
  })
}

const OLDEST_EACH = 4
const LONG_WAIT_MS = 5_000

async function nextAnswer(state: State): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  state.answered = resolve
  await promise
  state.answered = null
}
