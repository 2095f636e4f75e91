import { AppError, type Disposition, type ErrorDetails } from "#lib/app-error.ts"
import { printableLine } from "#lib/printable.ts"
import { describePage } from "#nodes/describe-page.ts"
import { describeFailure, describeWay } from "#nodes/exchange.ts"
import type { Unasked } from "#nodes/exchange-in-pace.ts"
import { PLAIN_LIMIT } from "#nodes/request-limit.ts"

/**
 * `what` completes the sentence of the error; `write` says whether an unknown result may have
 * changed the service.
 */
export type Operation = { readonly what: string; readonly write: boolean }

/** `isForeign`: the body is not the interface's error, so a proxy may have written it. */
type FailedAnswer = {
  readonly status: number
  readonly retryAfterMs: number | null
  readonly isForeign?: boolean
  readonly text?: string
  /** Makes the text fit for errors. */
  readonly show?: (text: string) => string
}

/**
 * Translates an answer other than 2xx.
 *
 * A 4xx with the service's own error envelope reports that the service did nothing. One without the
 * envelope comes from a proxy: the service behind it may have acted, so a write is uncertain. 401
 * and 429 are unambiguous, because proxy and service alike send them before a request is handled.
 * 408, 425, 3xx and 5xx never show whether a write was executed.
 */
export function decideStatusError(
  operation: Operation,
  answer: FailedAnswer,
  serviceText: string | null,
): AppError {
  const { status } = answer
  const details = detailsOf(answer, serviceText)
  if (status === 401)
    return build(
      operation,
      "service.app_id",
      "hold",
      details,
      "it does not know the app id; check app_id and app_id_header",
    )
  if (status === 429)
    return build(
      operation,
      "service.rate_limited",
      "transient",
      details,
      "it asks for fewer requests",
    )
  const envelope =
    serviceText !== null && status >= 400 && status < 500 && status !== 408 && status !== 425
  if (envelope) return decideByText(operation, status, serviceText, details)
  if (serviceText !== null && !operation.write) {
    const known = KNOWN_TEXTS.find(({ pattern }) => pattern.test(serviceText))
    if (known) return build(operation, known.code, known.disposition, details, serviceText)
  }
  return lost(
    operation,
    "it answered " +
      `${status}${status < 400 ? " (a redirect is not followed; configure the final URL)" : ""}`,
    details,
  )
}

/** The service was not asked: it has refused requests a moment ago. */
export function unasked(operation: Operation, refusal: Unasked): AppError {
  const { limit, ...answer } = refusal
  const why = `it was not asked, because it is ${limit}`
  const details = { ...detailsOf(answer, limit), unasked: true }
  return build(operation, "service.rate_limited", "transient", details, why)
}

/** A 2xx with a body that does not match the interface. */
export function malformed(operation: Operation, why: string, details: ErrorDetails = {}): AppError {
  const disposition = operation.write ? "uncertain" : "transient"
  return build(operation, "service.malformed", disposition, details, why)
}

/**
 * A 2xx whose envelope reports an error. For a read its text decides; for a write it proves
 * nothing.
 */
export function decideEnvelopeError(operation: Operation, serviceText: string): AppError {
  const known = KNOWN_TEXTS.find(({ pattern }) => pattern.test(serviceText))
  const details = { serviceText: printableLine(serviceText.slice(0, 200)) }
  if (known && !operation.write)
    return build(operation, known.code, known.disposition, details, serviceText)
  const why = `the status of its answer is not Ok; it says: ${details.serviceText}`
  return malformed(operation, why, details)
}

/** An exchange without an answer. `timeoutMs` is the time-out that ended it, or `null`. */
export function decideNetworkError(
  error: unknown,
  operation: Operation,
  timeoutMs: number | null,
): AppError {
  if (error instanceof AppError) return error
  const cause =
    timeoutMs === null
      ? describeFailure(error)
      : `no complete answer within ${timeoutMs} ms${describeWay(error)}`
  const unsent = timeoutMs === null && neverSent(error)
  const details = { cause }
  if (unsent)
    return build(
      operation,
      "service.unavailable",
      "transient",
      details,
      `it cannot be reached: ${cause}; check its url`,
      error,
    )
  return lost(operation, cause, details, error)
}

/**
 * Permanent and temporary errors that the service reports by their text alone (field notes, Wire).
 */
const KNOWN_TEXTS: readonly { pattern: RegExp; code: string; disposition: Disposition }[] = [
  { pattern: /no order pair/i, code: "service.no_pair", disposition: "refused" },
  { pattern: /within the range/i, code: "service.amount_bounds", disposition: "refused" },
  { pattern: PLAIN_LIMIT, code: "service.rate_limited", disposition: "transient" },
  {
    pattern: /no quotes? available|insufficient liquidity/i,
    code: "service.no_liquidity",
    disposition: "transient",
  },
]

function decideByText(
  operation: Operation,
  status: number,
  serviceText: string,
  details: ErrorDetails,
): AppError {
  const known = KNOWN_TEXTS.find(({ pattern }) => pattern.test(serviceText))
  if (known) return build(operation, known.code, known.disposition, details, serviceText)
  const code = { 404: "service.not_found", 409: "service.duplicate" }[status] ?? "service.refused"
  return build(operation, code, "refused", details, serviceText)
}

function lost(operation: Operation, why: string, details: ErrorDetails, cause?: unknown): AppError {
  if (!operation.write)
    return build(operation, "service.unavailable", "transient", details, why, cause)
  const remedy = "read the service's state before repeating"
  const advice = `${why}; it may have happened all the same: ${remedy}`
  return build(operation, "service.uncertain", "uncertain", details, advice, cause)
}

function build(
  operation: Operation,
  code: string,
  disposition: Disposition,
  details: ErrorDetails,
  why: string,
  cause?: unknown,
): AppError {
  const message = `the swap service did not ${operation.what}: ${printableLine(why.slice(0, 200))}`
  return new AppError({
    code,
    disposition,
    message,
    details: { operation: operation.what, ...details },
    cause,
  })
}

function detailsOf(answer: FailedAnswer, serviceText: string | null): ErrorDetails {
  // A page is of a proxy or a firewall, and of no service.
  const { text = "", show = printableLine } = answer
  const page = describePage(text, show)
  return {
    status: answer.status,
    ...(answer.isForeign === true ? { foreign: true } : {}),
    ...(page === null ? {} : { page }),
    ...(answer.retryAfterMs === null ? {} : { retryAfterMs: answer.retryAfterMs }),
    ...(serviceText === null ? {} : { serviceText: printableLine(serviceText.slice(0, 200)) }),
  }
}

/**
 * Failures of name resolution, of the connection and of the TLS certificate: no byte of the request
 * was sent.
 */
function neverSent(error: unknown): boolean {
  if (error instanceof AggregateError)
    return error.errors.length > 0 && error.errors.every(neverSent)
  if (!(error instanceof Error)) return false
  const syscall = "syscall" in error ? error.syscall : null
  const code = "code" in error ? error.code : null
  if (syscall === "connect" || syscall === "getaddrinfo") return true
  return typeof code === "string" && UNSENT_CODES.some((start) => code.startsWith(start))
}

/** The first letters of each code. */
const UNSENT_CODES = [
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_INVALID_ARG",
  "CERT_",
  "DEPTH_ZERO_",
  "SELF_SIGNED_",
  "UNABLE_TO_",
  "ERR_TLS_CERT",
] as const
