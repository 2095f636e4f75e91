import { transient } from "#lib/app-error.ts"
import type { HttpAnswer } from "./exchange.ts"
import { isLimited, type Pace } from "./pace.ts"
import { isLimitAnswer } from "./request-limit.ts"

/** The endpoint was not asked, because it has refused requests a moment ago. */
export type Unasked = {
  readonly unasked: true
  /** Of the refusal. */
  readonly status: number
  readonly retryAfterMs: number | null
  /** `rate limited until 2026-…` */
  readonly limit: string
}

/**
 * Sends one exchange in the pace of its endpoint, which learns from the answer. An endpoint that
 * refuses requests is not asked, if its pause is longer than `mostWaitMs`.
 */
export async function exchangeInPace(
  pace: Pace,
  send: () => Promise<HttpAnswer>,
  mostWaitMs = 0,
): Promise<HttpAnswer | Unasked> {
  const seen: HttpAnswer[] = []
  try {
    await pace.sendOnce(async () => {
      const answer = await send()
      seen.push(answer)
      const { retryAfterMs } = answer
      const status = isLimitAnswer(answer) ? 429 : answer.status
      const asked = retryAfterMs === null ? {} : { retryAfterMs }
      const refusal = transient("node.rate_limited", `HTTP ${status}`, { status, ...asked })
      if (isLimited(refusal)) throw refusal
    }, mostWaitMs)
  } catch (error) {
    if (!isLimited(error)) throw error
    const { status, retryAfterMs = null } = error.details
    if (seen.length === 0)
      return {
        unasked: true,
        status: Number(status),
        retryAfterMs: retryAfterMs === null ? null : Number(retryAfterMs),
        limit: pace.limit() ?? "rate limited",
      }
  }
  const [answer] = seen
  if (answer === undefined) throw new Error("a sent exchange has an answer")
  return answer
}
