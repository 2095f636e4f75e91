import { type Dispatcher, request } from "undici"
import { leaveOnlyIf, type MayLeave } from "#domain/may-leave.ts"
import type { Clock } from "#lib/clock.ts"
import { hideKeys } from "#lib/hide-keys.ts"
import { trimEndOf } from "#lib/trim-end.ts"
import { decideNetworkError, malformed, type Operation } from "./service-error.ts"
import { createSpacing } from "./spacing.ts"
import { encodeWireJson } from "./wire-json.ts"

type HttpOptions = {
  readonly baseUrl: string
  readonly pathPrefix: string
  readonly appId: string
  readonly appIdHeader: string
  readonly timeoutMs: number
  readonly maxRequestsPerSecond: number
  readonly clock: Clock
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
export type HttpAnswer = {
  readonly status: number
  readonly text: string
  readonly retryAfterMs: number | null
  /** The `Date` header, or `null` without one. */
  readonly date: string | null
  /**
   * Makes a text of the service fit for errors: printable, and without the access keys of its URL.
   */
  readonly show: (text: string) => string
}

export type Exchange = (request: HttpRequest) => Promise<HttpAnswer>

/** Every answer of this interface is far smaller; a larger one is an attack or a mistake. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024

/**
 * One HTTP exchange: spaced, within one time-out from the first byte to the last, with a bounded
 * body. It returns redirects as answers and does not ask for compressed bodies. Throws
 * `service.unavailable` (transient) when the service cannot have acted, `service.uncertain` when it
 * may have executed a write, and `engine.kept_here` (transient) where the request's `mayLeave` says
 * no.
 */
export function createExchange(options: HttpOptions): Exchange {
  const takeTurn = createSpacing(options.maxRequestsPerSecond, options.clock)
  return async (asked) => {
    await takeTurn()
    if (asked.mayLeave !== undefined) leaveOnlyIf(asked.mayLeave)
    const timeout = new AbortController()
    const done = new AbortController()
    options.clock.sleep(options.timeoutMs, done.signal).then(() => {
      if (!done.signal.aborted) timeout.abort()
    })
    try {
      return await send(asked, options, timeout.signal)
    } catch (error) {
      throw decideNetworkError(
        error,
        asked.operation,
        timeout.signal.aborted ? options.timeoutMs : null,
      )
    } finally {
      done.abort()
    }
  }
}

async function send(
  asked: HttpRequest,
  options: HttpOptions,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const response = await request(formatUrl(asked, options), {
    method: asked.method,
    headers: formatHeaders(asked, options),
    body: asked.body === undefined ? null : encodeWireJson(asked.body),
    signal,
    ...(options.dispatcher ? { dispatcher: options.dispatcher } : {}),
  })
  const text = await readBody(response.body, asked.operation)
  const retryAfterMs = parseRetryAfter(response.headers["retry-after"], options.clock)
  const { date } = response.headers
  return {
    status: response.statusCode,
    text,
    retryAfterMs,
    date: typeof date === "string" ? date : null,
    show: (found) => hideKeys(options.baseUrl, found),
  }
}

function formatUrl({ path, query }: HttpRequest, { baseUrl, pathPrefix }: HttpOptions): string {
  const parameters = new URLSearchParams(query).toString()
  const search = parameters === "" ? "" : `?${parameters}`
  return `${trimEndOf(baseUrl, "/")}${pathPrefix}${path}${search}`
}

function formatHeaders(
  asked: HttpRequest,
  { appId, appIdHeader }: HttpOptions,
): Record<string, string> {
  return {
    accept: "application/json",
    // undici's request does not decompress, and the Brotli decoder of some Node releases has a
    // flaw.
    "accept-encoding": "identity",
    ...(asked.body === undefined ? {} : { "content-type": "application/json" }),
    ...(appId === "" ? {} : { [appIdHeader]: appId }),
  }
}

async function readBody(body: AsyncIterable<Uint8Array>, operation: Operation): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_BODY_BYTES)
      throw malformed(operation, `its body is larger than ${MAX_BODY_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

/** Seconds or an HTTP date (RFC 9110 §10.2.3), limited to one hour. */
function parseRetryAfter(
  header: string | readonly string[] | undefined,
  clock: Clock,
): number | null {
  if (typeof header !== "string") return null
  const waitMs = /^\d{1,9}$/.test(header)
    ? Number(header) * 1_000
    : Date.parse(header) - clock.now()
  return Number.isFinite(waitMs) ? Math.min(Math.max(waitMs, 0), 3_600_000) : null
}
