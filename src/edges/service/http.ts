import { leaveOnlyIf, type MayLeave } from "#domain/may-leave.ts"
import type { Clock } from "#lib/clock.ts"
import { hideKeys } from "#lib/hide-keys.ts"
import { AnswerTooLarge } from "#lib/read-body.ts"
import { under } from "#nodes/address.ts"
import {
  type HttpAnswer as Answer,
  type Dispatcher,
  exchange,
  NoWholeAnswer,
} from "#nodes/exchange.ts"
import { exchangeInPace } from "#nodes/exchange-in-pace.ts"
import { createPaces, type Paces } from "#nodes/paces.ts"
import { GiantJson } from "#nodes/scan-json.ts"
import { decideNetworkError, malformed, type Operation, unasked } from "./service-error.ts"
import { encodeWireJson } from "./wire-json.ts"

type HttpOptions = {
  readonly baseUrl: string
  /** Of each request. */
  readonly headers?: Readonly<Record<string, string>>
  readonly pathPrefix: string
  readonly appId: string
  readonly appIdHeader: string
  readonly timeoutMs: number
  readonly maxRequestsPerSecond: number
  readonly clock: Clock
  /** What other callers of the service learn of its limit; absent: its own. */
  readonly paces?: Paces
  readonly dispatcher?: Dispatcher
}

export type HttpRequest = {
  readonly operation: Operation
  readonly method: "GET" | "POST" | "PATCH"
  /** After the prefix, with a slash; parameters are escaped here. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** JSON; a bigint becomes a number with all its digits. */
  readonly body?: unknown
  /** Asked after the request's turn has come. */
  readonly mayLeave?: MayLeave
}

/** An answer with any status. `retryAfterMs` is `null` when the service asked for no pause. */
export type HttpAnswer = Pick<Answer, "status" | "text" | "retryAfterMs" | "date"> & {
  /**
   * Makes a text of the service fit for errors: printable, and without the access keys of its URL.
   */
  readonly show: (text: string) => string
  /** The time of the exchange itself, without its wait for a turn of our own limits. */
  readonly tookMs: number
}

export type Exchange = (request: HttpRequest) => Promise<HttpAnswer>

/** Every answer of this interface is far smaller; a larger one is an attack or a mistake. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024
/** A page of orders or a list of quotes has less than half of it. */
const MOST_VALUES = 32_768

/**
 * One HTTP exchange: in the pace of the service, within one time-out from the first byte to the
 * last, with a bounded body. It returns redirects as answers. Throws `service.unavailable`
 * (transient) when the service cannot have acted, `service.uncertain` when it may have executed a
 * write, and `engine.kept_here` (transient) where the request's `mayLeave` says no.
 *
 * A service that refuses requests by their number, or for a time that it names, is asked nothing
 * before the end of the pause: a caller that would wait for longer than `MOST_WAIT_MS` gets the
 * refusal with the rest of the pause, `service.rate_limited` (transient). The most urgent call goes
 * first.
 */
export function createExchange(options: HttpOptions): Exchange {
  const { baseUrl, appId, headers = {}, clock, timeoutMs, maxRequestsPerSecond } = options
  const { paces = createPaces(clock) } = options
  const pace = paces({ url: baseUrl, headers, maxRequestsPerSecond }, timeoutMs, 1)
  const show = (found: string): string =>
    hideKeys(baseUrl, found, [appId, ...Object.values(headers)])
  const send = async (asked: HttpRequest): Promise<HttpAnswer> => {
    let sentMs = clock.now()
    const sent = await exchangeInPace(
      pace,
      () => {
        if (asked.mayLeave !== undefined) leaveOnlyIf(asked.mayLeave)
        sentMs = clock.now()
        return sendNow(asked, options)
      },
      MOST_WAIT_MS,
    )
    if ("unasked" in sent) throw unasked(asked.operation, sent)
    const { status, text, retryAfterMs, date } = sent
    return { status, text, retryAfterMs, date, show, tookMs: clock.now() - sentMs }
  }
  return async (asked) => {
    try {
      return await send(asked)
    } catch (error) {
      if (error instanceof GiantJson) throw malformed(asked.operation, `it has ${error.message}`)
      if (error instanceof AnswerTooLarge)
        throw malformed(asked.operation, `its body is larger than ${MAX_BODY_BYTES} bytes`)
      const isLate = error instanceof NoWholeAnswer
      throw decideNetworkError(error, asked.operation, isLate ? options.timeoutMs : null)
    }
  }
}

/** As long as a read waits for its own repeat. */
const MOST_WAIT_MS = 2_000

function sendNow(asked: HttpRequest, options: HttpOptions): Promise<Answer> {
  const { method, path, query, body } = asked
  const { baseUrl, pathPrefix, appId, appIdHeader, timeoutMs, clock, dispatcher } = options
  const parameters = new URLSearchParams(query).toString()
  const search = parameters === "" ? "" : `?${parameters}`
  return exchange({
    address: under(baseUrl, `${pathPrefix}${path}${search}`),
    method,
    headers: {
      accept: "application/json",
      ...options.headers,
      ...(appId === "" ? {} : { [appIdHeader]: appId }),
    },
    ...(body === undefined ? {} : { body: encodeWireJson(body) }),
    timeoutMs,
    clock,
    mostBytes: MAX_BODY_BYTES,
    mostValues: MOST_VALUES,
    ...(dispatcher ? { dispatcher } : {}),
  })
}
