import type { Clock } from "#lib/clock.ts"
import { postBatch, postRpc, type RpcCall } from "./post-rpc.ts"

/** Common providers take at least so many calls in one request. */
const MOST_CALLS = 20

/**
 * Sends the reads that begin in one turn of the event loop as one request to the endpoint, and asks the same question once: many orders look at
 * the same block. Each endpoint has its own batches, so what one of them answers says nothing about another one.
 *
 * An endpoint that refuses a batch gets each call of it alone, and afterwards smaller batches, down to single calls; each batch that it answers
 * makes the next one larger by one call. A call that changes the chain is never part of a batch.
 */
export function createBatchedReads({ url, timeoutMs }: Pick<RpcCall, "url" | "timeoutMs">, clock: Clock): BatchedReads {
  let waiting = new Map<string, Question>()
  let most = MOST_CALLS
  let round = 0

  async function flush(): Promise<void> {
    await clock.turn?.()
    const questions = [...waiting.values()]
    waiting = new Map()
    round++
    for (let start = 0, size = most; start < questions.length; start += size)
      void sendBatch(questions.slice(start, start + size))
  }

  async function sendBatch(questions: readonly Question[]): Promise<void> {
    if (questions.length === 1) return sendEach(questions)
    try {
      const answers = await postBatch(questions.map(({ call }) => call))
      most = answers === null ? Math.max(1, Math.floor(questions.length / 2)) : Math.min(MOST_CALLS, most + 1)
      if (answers === null) return sendEach(questions)
      answers.forEach((answer, index) => {
        if (answer.ok) questions[index]?.resolve(answer.result)
        else questions[index]?.reject(answer.error)
      })
    } catch (error) {
      for (const { reject } of questions) reject(error)
    }
  }

  function sendEach(questions: readonly Question[]): void {
    for (const { call, resolve, reject } of questions) postRpc(call).then(resolve, reject)
  }

  const read = (method: string, params: unknown): Promise<unknown> => {
    const call = { url, timeoutMs, method, params }
    if (!isRead(method)) return postRpc(call)
    const key = JSON.stringify([method, params])
    const known = waiting.get(key)
    if (known !== undefined) return known.promise
    const question: Question = { call, ...Promise.withResolvers<unknown>() }
    if (waiting.size === 0) void flush()
    waiting.set(key, question)
    return question.promise
  }
  return Object.assign(read, { round: () => round })
}

/** `round`: the number of the batch that a read would join now. */
export type BatchedReads = ((method: string, params: unknown) => Promise<unknown>) & { readonly round: () => number }

type Question = PromiseWithResolvers<unknown> & { readonly call: RpcCall }

/** All methods that Ballast uses beside sending. */
function isRead(method: string): boolean {
  return !/^eth_send/.test(method)
}
