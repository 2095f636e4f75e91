import { transient } from "#lib/app-error.ts"
import { type Clock, systemClock } from "#lib/clock.ts"
import { type Address, hideSecrets, hostOf } from "./address.ts"
import type { AskHttp } from "./ask-node.ts"
import { describePage, describeRefusal } from "./describe-page.ts"
import { describeFailure, exchange } from "./exchange.ts"
import { isLimited } from "./pace.ts"
import { createPaces } from "./paces.ts"
import {
  findToldLimit,
  isLimitAnswer,
  LIMIT_TEXT,
  readWrittenPause,
  sayLimit,
} from "./request-limit.ts"

/**
 * One exchange per call, without a retry, in the pace that the endpoint's other readers have
 * learnt: while it refuses requests it is not asked. Errors say why in words. `more`: the bounds
 * and headers of another reader.
 */
export function createAsk(
  timeoutMs: number,
  clock: Clock = systemClock,
  paces = createPaces(clock),
  more: Partial<Parameters<typeof exchange>[0]> = {},
): AskHttp {
  return async (address, body) => {
    const pace = paces(address, timeoutMs)
    try {
      return await pace.sendOnce(() => askOnce(address, body, { timeoutMs, ...more }))
    } catch (error) {
      const why = (isLimited(error) ? pace.limit() : null) ?? describeFailure(error)
      throw new Error(hideSecrets(address, why), { cause: error })
    }
  }
}

/** The same questions, and how long the slowest one of them took so far. */
export function timeAsk(
  ask: AskHttp,
  { now }: Pick<Clock, "now">,
): { readonly ask: AskHttp; readonly slowestMs: () => number } {
  let slowestMs = 0
  return {
    slowestMs: () => slowestMs,
    ask: async (address, body) => {
      const askedMs = now()
      const answer = await ask(address, body)
      slowestMs = Math.max(slowestMs, now() - askedMs)
      return answer
    },
  }
}

/** A block with the hashes of its transactions has far less. */
const MOST_BYTES = 4 * 1024 * 1024
const MOST_VALUES = 32_768

async function askOnce(
  address: Address,
  asked: unknown,
  more: { readonly timeoutMs: number },
): Promise<string> {
  const body = asked === undefined ? {} : { body: JSON.stringify(asked) }
  const bounds = { mostBytes: MOST_BYTES, mostValues: MOST_VALUES }
  const answer = await exchange({ address, ...bounds, ...more, ...body })
  const { text } = answer
  const hide = (found: string): string => hideSecrets(address, found)
  const told = asked === undefined ? null : findToldLimit(text)
  const status = told !== null || isLimitAnswer(answer, LIMIT_TEXT) ? 429 : answer.status
  const retryAfterMs = answer.retryAfterMs ?? (told === null ? null : readWrittenPause(told))
  const details = {
    host: hostOf(address),
    status,
    said: sayLimit(text, hide),
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  }
  const failure = transient("node.rate_limited", `HTTP ${status}`, details)
  if (isLimited(failure)) throw failure
  const page = describePage(text, hide)
  const words = page ?? describeRefusal(text, hide)
  if (status >= 300) throw new Error(`HTTP ${status}${words === null ? "" : ` (${words})`}`)
  if (page !== null) throw new Error(`the answer is ${page}, not JSON`)
  if (text.trim() === "") throw new Error(`the answer is empty (HTTP ${status})`)
  return text
}
