import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { isRateLimited, isTooLarge, postBatch, postRpc, type RpcCall } from "./post-rpc.ts"

/** Common providers take at least so many calls in one request. */
const MOST_CALLS = 20

/**
 * Sends the reads that begin in one turn of the event loop as one request to the endpoint, and asks
 * the same question once: many orders look at the same block. Each endpoint has its own batches, so
 * what one of them answers says nothing about another one.
 *
 * An endpoint that refuses a batch gets each call of it alone, and afterwards smaller batches, down
 * to single calls; each batch that it answers makes the next one larger by one call. A call that
 * changes the chain is never part of a batch.
 *
 * A limit of requests is another refusal: the calls that it concerns wait, all others keep their
 * answers, and until the limit has been quiet for a while one small batch follows another.
 *
 * An answer that is too large fails alone: the other calls of its batch are asked again, and it
 * stays apart from then on.
 */
export function createBatchedReads(
  { url, timeoutMs }: Pick<RpcCall, "url" | "timeoutMs">,
  clock: Clock,
): BatchedReads {
  const state: Batching = {
    url,
    timeoutMs,
    clock,
    waiting: new Map(),
    most: MOST_CALLS,
    round: 0,
    limitedUntilMs: 0,
    queue: [],
    isDraining: false,
    light: new Set(),
    heavy: new Set(),
  }
  const read = (method: string, params: unknown): Promise<unknown> =>
    readJoint(state, method, params)
  const advise: BatchedReads["advise"] = (method, params) => readAdvice(state, method, params)
  return Object.assign(read, { round: () => state.round, advise })
}

/**
 * `round`: the number of the batch that a read would join now. `advise` reads an object that the
 * service has named, such as the receipt of a hinted transaction: in a request of its own, with a
 * small limit of bytes and time, and never while the endpoint refuses requests.
 */
export type BatchedReads = ((method: string, params: unknown) => Promise<unknown>) & {
  readonly round: () => number
  readonly advise: (method: string, params: unknown) => Promise<unknown>
}

/** What one endpoint's batches know. */
type Batching = Pick<RpcCall, "url" | "timeoutMs"> & {
  readonly clock: Clock
  /** The questions of the next batch. */
  waiting: Map<string, Question>
  /** The most calls of a batch. */
  most: number
  round: number
  limitedUntilMs: number
  /** The questions that wait for the end of a limit. */
  queue: Question[]
  isDraining: boolean
  /** The parameters of calls whose answers are small, and of those whose answers are too large. */
  readonly light: Set<string>
  readonly heavy: Set<string>
}

function readJoint(state: Batching, method: string, params: unknown): Promise<unknown> {
  const call = { url: state.url, timeoutMs: state.timeoutMs, method, params }
  if (!isRead(method)) return postRpc(call)
  const key = JSON.stringify([method, params])
  const known = state.waiting.get(key)
  if (known !== undefined) return known.promise
  const question: Question = { call, ...Promise.withResolvers<unknown>() }
  if (state.waiting.size === 0) void flush(state)
  state.waiting.set(key, question)
  return question.promise
}

async function readAdvice(state: Batching, method: string, params: unknown): Promise<unknown> {
  const key = JSON.stringify(params)
  const call = {
    url: state.url,
    timeoutMs: Math.min(state.timeoutMs, ADVICE_MS),
    method,
    params,
    mostBytes: MOST_ADVICE_BYTES,
  }
  if (state.light.has(key)) return readJoint(state, method, params)
  if (state.heavy.has(key) || state.clock.now() < state.limitedUntilMs) return null
  try {
    const answer = await postRpc(call)
    if (isLight(answer)) note(state.light, key)
    return answer
  } catch (error) {
    if (isTooLarge(error)) note(state.heavy, key)
    throw error
  }
}

async function flush(state: Batching): Promise<void> {
  await state.clock.turn?.()
  const questions = [...state.waiting.values()]
  state.waiting = new Map()
  state.round++
  if (state.isDraining || state.clock.now() < state.limitedUntilMs) return enqueue(state, questions)
  const alone = questions.filter(({ call }) => isHeavy(state, call))
  const joint = questions.filter(({ call }) => !isHeavy(state, call))
  for (const question of alone) void sendAlone(state, question)
  for (let start = 0, size = state.most; start < joint.length; start += size)
    void sendBatch(state, joint.slice(start, start + size))
}

function isHeavy({ heavy }: Batching, { params }: RpcCall): boolean {
  return heavy.size > 0 && heavy.has(JSON.stringify(params))
}

async function sendBatch(state: Batching, questions: readonly Question[]): Promise<void> {
  if (questions.length === 1) return sendEach(state, questions)
  try {
    const answers = await postBatch(questions.map(({ call }) => call))
    state.most =
      answers === null
        ? Math.max(1, Math.floor(questions.length / 2))
        : Math.min(MOST_CALLS, state.most + 1)
    if (answers === null) return sendEach(state, questions)
    const refused = questions.filter((question, index) => {
      const answer = answers[index]
      if (answer?.ok) question.resolve(answer.result)
      else if (answer && !isRateLimited(answer.error)) question.reject(answer.error)
      return answer?.ok === false && isRateLimited(answer.error)
    })
    if (refused.length > 0) retreat(state, refused, questions.length, null)
  } catch (error) {
    if (isRateLimited(error)) retreat(state, questions, questions.length, error)
    else if (isTooLarge(error)) {
      // One of them is: its failure is not that of the others.
      await sendEach(state, questions)
    } else for (const { reject } of questions) reject(error)
  }
}

async function sendEach(state: Batching, questions: readonly Question[]): Promise<void> {
  if (!state.isDraining) await Promise.all(questions.map((question) => sendAlone(state, question)))
  else for (const question of questions) await sendAlone(state, question)
}

async function sendAlone(state: Batching, question: Question): Promise<void> {
  const { call, resolve, reject } = question
  try {
    resolve(await postRpc(call))
  } catch (error) {
    if (isTooLarge(error)) note(state.heavy, JSON.stringify(call.params))
    if (isRateLimited(error)) retreat(state, [question], 1, error)
    else reject(error)
  }
}

/** The refused calls wait, and the next batches are smaller. */
function retreat(
  state: Batching,
  questions: readonly Question[],
  size: number,
  error: unknown,
): void {
  state.most = Math.max(1, Math.floor(size / 2))
  const nowMs = state.clock.now()
  const asked = error instanceof AppError ? error.details["retryAfterMs"] : undefined
  const waitMs = typeof asked === "number" ? asked : PAUSE_MS
  state.limitedUntilMs = Math.max(state.limitedUntilMs, nowMs + waitMs + CALM_MS)
  const patient = questions.filter((question) => {
    question.sinceMs ??= nowMs
    const isLate = nowMs + waitMs - question.sinceMs > PATIENCE_TIMEOUTS * state.timeoutMs
    if (isLate) question.reject(error ?? limited(question.call))
    return !isLate
  })
  enqueue(state, patient, waitMs)
}

function enqueue(state: Batching, questions: readonly Question[], waitMs = 0): void {
  state.queue.push(...questions)
  if (state.isDraining || state.queue.length === 0) return
  state.isDraining = true
  void drain(state, waitMs)
}

/** One request after the other. */
async function drain(state: Batching, firstMs: number): Promise<void> {
  let waitMs = firstMs
  while (state.queue.length > 0) {
    if (waitMs > 0) await state.clock.sleep(waitMs)
    const size =
      state.queue[0] !== undefined && isHeavy(state, state.queue[0].call) ? 1 : state.most
    const next = state.queue.slice(0, size)
    state.queue = state.queue.slice(next.length)
    const before = state.limitedUntilMs
    await sendBatch(state, next)
    waitMs =
      state.limitedUntilMs > before
        ? Math.max(PAUSE_MS, state.limitedUntilMs - CALM_MS - state.clock.now())
        : 0
  }
  state.isDraining = false
}

/** `sinceMs`: its first refusal by a limit of requests. */
type Question = PromiseWithResolvers<unknown> & { readonly call: RpcCall; sinceMs?: number }

/** Limits of requests count by the second. */
const PAUSE_MS = 1_000
/** The limit counts as quiet after so long without a refusal. */
const CALM_MS = 30_000
/**
 * A question that was refused for as many time-outs of its endpoint fails, and its order asks again
 * later.
 */
const PATIENCE_TIMEOUTS = 3
/** Less than a read waits for a slow endpoint once the others have answered. */
const ADVICE_MS = 1_000
const MOST_ADVICE_BYTES = 1024 * 1024
/** A receipt of an ordinary swap has a tenth of it. */
const LIGHT_BYTES = 64 * 1024
const MOST_NOTES = 10_000

function isLight(answer: unknown): boolean {
  return answer !== null && JSON.stringify(answer).length <= LIGHT_BYTES
}

function note(notes: Set<string>, key: string): void {
  const [oldest] = notes
  if (notes.size >= MOST_NOTES && oldest !== undefined) notes.delete(oldest)
  notes.add(key)
}

function limited({ url, method }: RpcCall): AppError {
  return new AppError({
    code: "evm.unavailable",
    disposition: "transient",
    message:
      "The EVM endpoint refuses more requests for now; Ballast asks again. Add another " +
      "endpoint if this lasts",
    details: { host: new URL(url).host, method, status: 429 },
  })
}

/** All methods that Ballast uses beside sending. */
function isRead(method: string): boolean {
  return !/^eth_send/.test(method)
}
