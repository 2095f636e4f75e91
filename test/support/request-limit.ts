import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import type { Clock } from "#lib/clock.ts"
import { listen, stopServer } from "./listen.ts"

/** A clock with sleeps that end at once and move its time. */
export function createJumpingClock(startMs = 1_000_000): Clock {
  let nowMs = startMs
  return {
    now: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms
    },
    turn: () => new Promise((resolve) => setImmediate(resolve)),
  }
}

/** Counts requests, and refuses those above so many a second. */
export function createRequestLimit(clock: Pick<Clock, "now">, perSecond: number): RequestLimit {
  let second = -1
  let left = 0
  const limit = {
    asked: 0,
    refused: 0,
    isRefused: (): boolean => {
      const now = Math.floor(clock.now() / 1_000)
      if (now !== second) left = perSecond
      second = now
      limit.asked += 1
      left -= 1
      if (left < 0) limit.refused += 1
      return left < 0
    },
  }
  return limit
}

export type RequestLimit = { asked: number; refused: number; isRefused(): boolean }

/** The calls of one request: a batch counts as so many. */
function countCalls(body: string): number {
  const sent: unknown = body.startsWith("[") ? JSON.parse(body) : body
  return Array.isArray(sent) ? sent.length : 1
}

/** Counts each call of a request, which is refused if one of them is. */
export function refuses(limit: RequestLimit, body: string): boolean {
  return Array.from({ length: countCalls(body) }, limit.isRefused).includes(true)
}

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }
type Answer = (method: string, params: readonly unknown[]) => unknown

/** A JSON-RPC node; a limited one answers 429. */
export async function startLimitedNode(
  limit: RequestLimit,
  answer: Answer,
): Promise<{ readonly url: string; stop(): void }> {
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming)
    if (refuses(limit, body)) return response.writeHead(429).end("slow down")
    // CAST: only our own client asks this node, with a call or a list of them.
    const sent = JSON.parse(body) as Call | readonly Call[]
    const answerOne = ({ id, method, params }: Call) => ({ id, result: answer(method, params) })
    return response.end(
      JSON.stringify(Array.isArray(sent) ? sent.map(answerOne) : answerOne(sent as Call)),
    )
  })
  const { url } = await listen(server)
  const stop = () => stopServer(server)
  return { url, stop }
}
