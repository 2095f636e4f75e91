import type { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { rankNow } from "#ports/urgency.ts"
import type { Address } from "./address.ts"
import { isTooLarge } from "./exchange.ts"
import { postBatch, postCall, type RpcCall, type RpcDialect } from "./json-rpc.ts"
import { isLimited, type Pace, type Sent, type Source } from "./pace.ts"

/**
 * JSON-RPC of one endpoint.
 *
 * `read` waits for the endpoint's limit. It asks the same question once: many orders look at the
 * same block. With batches it sends the reads that begin in one turn of the event loop as one
 * request. An endpoint that refuses a batch gets each call of it alone, and afterwards smaller
 * batches, down to single calls; each batch that it answers makes the next one larger by one call.
 * A limit of requests is another refusal: the calls that it concerns wait, and all others keep
 * their answers. An answer that is too large fails alone: the other calls of its batch are asked
 * again, and it stays apart from then on.
 */
export function createRpcClient(options: RpcOptions): RpcClient {
  const { dialect, pace } = options
  const state: Batching = {
    ...options,
    most: options.batches ? MOST_CALLS : 1,
    round: 0,
    light: new Set(),
    heavy: new Set(),
  }
  const once: Call = (method, params) => postCall(dialect, callOf(state, { method, params }))
  const join = gatherReads(options.clock, submitBy(state, pace.submit), (key) => pace.join(key))
  const joinOnce = gatherReads(options.clock, submitBy(state, pace.submitOnce))
  const advice = { timeoutMs: Math.min(options.timeoutMs, ADVICE_MS), mostBytes: MOST_ADVICE_BYTES }
  const joinAdvice = gatherReads(options.clock, submitBy(state, pace.submitOnce, advice))
  const read: Call = (method, params) => {
    const asked = join(method, params)
    if (method === options.advised) asked.then((answer) => noteSize(state, params, answer), ignore)
    return asked
  }
  return {
    write: (method, params) => pace.sendWrite(() => once(method, params)),
    readOnce: joinOnce,
    read,
    advise: (method, params) => readAdvice(state, read, joinAdvice, { method, params }),
    round: () => state.round,
  }
}

type RpcOptions = {
  readonly address: Address
  readonly dialect: RpcDialect
  readonly timeoutMs: number
  readonly clock: Clock
  readonly pace: Pace
  readonly batches: boolean
  /** A method of advice: an answer to an ordinary read of it tells its size too. */
  readonly advised?: string
}

type Call = (method: string, params: unknown) => Promise<unknown>

export type RpcClient = {
  /** For a call that changes the chain: before every read, and never held for long. */
  readonly write: Call
  /** Throws the refusal of a limit, for a caller that has another endpoint. */
  readonly readOnce: Call
  readonly read: Call
  /**
   * Reads an object that the service has named, such as the receipt of a hinted transaction: in a
   * request without other reads, with a small limit of bytes and time, and never while the endpoint
   * refuses requests.
   */
  readonly advise: Call
  /** The number of the batch that a read would join now. */
  readonly round: () => number
}

/** Common providers take at least so many calls in one request. */
const MOST_CALLS = 20
/** Less than a read waits for a slow endpoint once the others have answered. */
const ADVICE_MS = 1_000
const MOST_ADVICE_BYTES = 1024 * 1024
/** A receipt of an ordinary swap has a tenth of it. */
const LIGHT_BYTES = 64 * 1024
const MOST_NOTES = 10_000

/** What one endpoint's batches know. */
type Batching = RpcOptions & {
  /** The most calls of a batch. */
  most: number
  round: number
  /** The parameters of calls whose answers are small, and of those whose answers are too large. */
  readonly light: Set<string>
  readonly heavy: Set<string>
}

/** `rank`: that of the most urgent reader that waits for it. */
export type Question<P = unknown> = PromiseWithResolvers<unknown> & {
  readonly method: string
  readonly params: P
  readonly key: string
  rank: number
}

/**
 * Gives the questions that begin in one turn of the event loop to `submit`; the same one is asked
 * once. `known`: the answer to one that was submitted before and still waits.
 */
export function gatherReads<P>(
  clock: Pick<Clock, "turn">,
  submit: (questions: readonly Question<P>[]) => void,
  known: (key: string) => Promise<unknown> | null = () => null,
): (method: string, params: P) => Promise<unknown> {
  const waiting = new Map<string, Question<P>>()
  const flush = async (): Promise<void> => {
    await clock.turn?.()
    const questions = [...waiting.values()]
    waiting.clear()
    submit(questions)
  }
  return (method, params) => {
    const key = JSON.stringify([method, params])
    const rank = rankNow()
    const other = waiting.get(key)
    if (other !== undefined) {
      other.rank = Math.min(other.rank, rank)
      return other.promise
    }
    const queued = known(key)
    if (queued !== null) return queued
    const question = { method, params, key, rank, ...Promise.withResolvers<unknown>() }
    if (waiting.size === 0) void flush()
    waiting.set(key, question)
    return question.promise
  }
}

/** Other limits than those of an ordinary read. */
type Bounds = Partial<Pick<RpcCall, "timeoutMs" | "mostBytes">>

function callOf(
  { address, timeoutMs }: Batching,
  { method, params }: Pick<Question, "method" | "params">,
  bounds: Bounds = {},
): RpcCall {
  return { address, timeoutMs, method, params, ...bounds }
}

async function readAdvice(
  state: Batching,
  read: Call,
  join: Call,
  { method, params }: Pick<Question, "method" | "params">,
): Promise<unknown> {
  const key = JSON.stringify(params)
  if (state.light.has(key)) return read(method, params)
  if (state.heavy.has(key) || state.pace.limit() !== null) return null
  const answer = await join(method, params)
  noteSize(state, params, answer)
  return answer
}

type Submit = (source: Source<Question>, questions: readonly Question[]) => void

function submitBy(
  state: Batching,
  submit: Submit,
  bounds?: Bounds,
): (questions: readonly Question[]) => void {
  const isHeavy = ({ params }: Question): boolean =>
    state.heavy.size > 0 && state.heavy.has(JSON.stringify(params))
  return (questions) => {
    for (const { method, promise } of questions) void state.pace.reads.follow(method, promise)
    // Advice is no part of a batch that a read can join.
    if (bounds === undefined) state.round++
    submit(
      sourceOf(state, () => 1, bounds),
      questions.filter(isHeavy),
    )
    submit(
      sourceOf(state, () => state.most, bounds),
      questions.filter((question) => !isHeavy(question)),
    )
  }
}

function sourceOf(state: Batching, most: () => number, bounds?: Bounds): Source<Question> {
  return {
    most,
    send: (questions) => (questions.length === 1 ? sendEach : sendBatch)(state, questions, bounds),
  }
}

async function sendBatch(
  state: Batching,
  questions: readonly Question[],
  bounds?: Bounds,
): Promise<Sent<Question>> {
  try {
    const answers = await postBatch(
      state.dialect,
      questions.map((question) => callOf(state, question, bounds)),
    )
    state.most =
      answers === null
        ? Math.max(1, Math.floor(questions.length / 2))
        : Math.min(MOST_CALLS, state.most + 1)
    if (answers === null) return sendEach(state, questions, bounds)
    const refused: Question[] = []
    let limit: AppError | null = null
    for (const [index, question] of questions.entries()) {
      const answer = answers[index]
      if (answer?.ok) question.resolve(answer.result)
      else if (isLimited(answer?.error)) {
        refused.push(question)
        limit = answer.error
      } else question.reject(answer?.error)
    }
    return { refused, error: limit }
  } catch (error) {
    if (isLimited(error)) return { refused: questions, error }
    // One of them is: its failure is not that of the others.
    if (isTooLarge(error)) return sendEach(state, questions, bounds)
    for (const { reject } of questions) reject(error)
    return { refused: [], error: null }
  }
}

async function sendEach(
  state: Batching,
  questions: readonly Question[],
  bounds?: Bounds,
): Promise<Sent<Question>> {
  const refused: Question[] = []
  let limit: AppError | null = null
  const send = async (question: Question): Promise<void> => {
    try {
      question.resolve(await postCall(state.dialect, callOf(state, question, bounds)))
    } catch (error) {
      if (isTooLarge(error)) note(state.heavy, JSON.stringify(question.params))
      if (!isLimited(error)) return question.reject(error)
      refused.push(question)
      limit = error
    }
  }
  await Promise.all(questions.map(send))
  return { refused, error: limit }
}

function noteSize(state: Batching, params: unknown, answer: unknown): void {
  if (answer !== null && JSON.stringify(answer).length <= LIGHT_BYTES)
    note(state.light, JSON.stringify(params))
}

function ignore(): void {
  // The reader of the answer meets its failure.
}

function note(notes: Set<string>, key: string): void {
  const [oldest] = notes
  if (notes.size >= MOST_NOTES && oldest !== undefined) notes.delete(oldest)
  notes.add(key)
}
