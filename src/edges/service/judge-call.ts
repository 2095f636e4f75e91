import { AppError } from "#lib/app-error.ts"

/** The calls to a service, named as its interface names them; `reveal` tells it our own secret. */
export type ServiceCall = "quote" | "create" | "get" | "list" | "initiate" | "reveal"

export type CallNote = {
  readonly call: ServiceCall
  /** The pair, or the order, that the call was about. */
  readonly about: string
  /** The failure of the service in its own words; `null` for an answer, also for a refusal. */
  readonly fault: string | null
}

/**
 * The failure that an error of a call shows, such as `HTTP 500 (boom)`; `null` where the service
 * answered, and `undefined` where the error says nothing about the service.
 *
 * A refusal in the interface's error body is an answer; but that of a new order refuses what the
 * service has just quoted, for a reason that the interface does not know. Pure.
 */
export function faultOfCall(error: unknown, call?: ServiceCall): string | null | undefined {
  if (!(error instanceof AppError) || !error.code.startsWith("service.")) return undefined
  if (error.disposition === "aborted") return undefined
  const { status, serviceText, cause, foreign, page } = error.details
  const said = page ?? serviceText
  const isBrokenWord = call === "create" && error.code === "service.refused"
  const isFailure = isUnanswered(error) || foreign === true || isBrokenWord
  if (typeof status === "number" && (isFaultyStatus(status) || (isFailure && !isGood(status))))
    return `HTTP ${status}${typeof said === "string" ? ` (${said})` : ""}`
  // A limit that is told under HTTP 200 or 400 keeps us off as one of 429 does.
  if (error.code === "service.rate_limited" && typeof said === "string") return `a limit (${said})`
  if (!isUnanswered(error)) return null
  return typeof cause === "string"
    ? cause
    : error.message.replace(/^the swap service did not [^:]*: /, "")
}

/**
 * These mean failure in any body: no service answers a request of ours with them while it works for
 * us.
 */
function isFaultyStatus(status: number): boolean {
  return FAULTY.includes(status) || status >= 500
}

/** No question asks for these, or its target is gone; a refused login and haste count too. */
const FAULTY: readonly number[] = [401, 402, 403, 405, 406, 408, 410, 415, 421, 425, 426, 429, 451]

function isGood(status: number): boolean {
  return status >= 200 && status < 300
}

/** The service gave no answer that the interface knows. */
function isUnanswered({ code }: AppError): boolean {
  return [
    "service.unavailable",
    "service.uncertain",
    "service.malformed",
    "service.app_id",
  ].includes(code)
}
