import type { Reason } from "#domain/reason.ts"
import { type Remedy, remedyOfError } from "./error-remedies.ts"
import { formatSpan, readableAt } from "./format-span.ts"
import { findBreaks, formatSeconds, isSlowFor } from "./judge-nodes.ts"
import type { CallReading, ServiceReading } from "./readings.ts"

/**
 * `silent`: no answer, or that of a gateway. `failing`: it answers, and its answers are failures.
 */
export type JudgedService = {
  readonly state: "good" | "slow" | "silent" | "failing"
  /** The alarm of this state; `null` where it has none. */
  readonly alarm: Reason | null
  /**
   * The failing calls, such as `quotes fail with HTTP 500 since 2026-03-04 09:30 UTC (12 times)`,
   * and that the service is slow besides; empty without a failing call.
   */
  readonly failures: readonly string[]
  /** The failures themselves, such as `HTTP 500`. */
  readonly faults: readonly string[]
}

/**
 * Judges a service by its real calls and by its sign of life; the only place that does. A failure
 * counts when it has lasted for `silentAfterMs`. Pure.
 */
export function judgeServiceHealth(
  service: ServiceReading,
  silentAfterMs: number,
  nowMs: number,
): JudgedService {
  const { name, host, answeredMs, sinceMs, error, calls = [] } = service
  const isLasting = (since: number): boolean => nowMs - since >= silentAfterMs
  const isUnanswered = (error !== null || answeredMs === null) && isLasting(sinceMs)
  const isSilent = isUnanswered && !isOwnFailure(error)
  const failing = groupCalls(calls.filter((one) => isLasting(one.sinceMs) && isProven(one)))
  const life =
    isUnanswered && !isSilent
      ? [{ what: "the sign of life fails", sinceMs, times: null, fault: error ?? "" }]
      : []
  const breaks = isUnanswered ? null : findBreaks(service, nowMs)
  const broken =
    breaks === null
      ? []
      : [{ what: "it fails again and again, with answers in between,", ...breaks }]
  const isSlow = error === null && isSlowFor(service, silentAfterMs, nowMs)
  const pace = `slow: ${formatSeconds(service.tookMs)} for one answer`
  const found = [...failing, ...life, ...broken]
  const failed = found.map(describe)
  const failures = failed.length > 0 && isSlow ? [...failed, `it is ${pace}`] : failed
  const faults = found.map(({ fault }) => fault)
  const named = { service: name, endpoint: host }
  if (isSilent) {
    const last = answeredMs === null ? "no answer yet" : new Date(answeredMs).toISOString()
    const message = `The service ${name} at ${host} does not answer (${error ?? "no answer yet"})`
    const alarm = {
      code: "service.away",
      message: [message, ...failures].join("; "),
      ...named,
      last,
    }
    return { state: "silent", alarm, failures, faults: [error ?? "", ...faults] }
  }
  if (failures.length > 0) {
    const message = `The service ${name} at ${host} fails: ${failures.join("; ")}`
    return {
      state: "failing",
      alarm: { code: "service.failing", message, ...named },
      failures,
      faults,
    }
  }
  if (!isSlow) return { state: "good", alarm: null, failures, faults }
  const message = `The service ${name} is ${pace}`
  return { state: "slow", alarm: { code: "service.slow", message, ...named }, failures, faults }
}

/** A service may refuse an order for the order's sake: only a row of refusals is its failure. */
function isProven({ call, fault, times }: CallReading): boolean {
  return call !== "create" || times >= MOST_REFUSED || !/^HTTP 4(?!0[138]|2[59])/.test(fault)
}

const MOST_REFUSED = 3

/** A single answer of a service that takes this long is slow. */
export const SLOW_SERVICE_MS = 4_000

/**
 * The service itself answered with this status, or with a limit; 502, 503 and 504 come from a
 * gateway whose service is away.
 */
function isOwnFailure(error: string | null): boolean {
  return /^(HTTP (?!50[234])\d{3}\b|a limit \()/.test(error ?? "")
}

/** A failing call in words. */
export const FAILING_CALLS: Readonly<Record<CallReading["call"], string>> = {
  quote: "quotes fail",
  create: "new orders fail",
  get: "reads of orders fail",
  list: "lists of orders fail",
  initiate: "gasless initiations fail",
  reveal: "told secrets fail",
}

type Failing = {
  readonly what: string
  readonly sinceMs: number
  readonly times: number | null
  readonly fault: string
}

/** One entry for all pairs or orders of a call, with the words of the newest failure. */
function groupCalls(calls: readonly CallReading[]): readonly Failing[] {
  return [...Map.groupBy(calls, ({ call }) => call)].map(([call, group]) => {
    const [newest] = group.toSorted((a, b) => b.lastMs - a.lastMs)
    return {
      what: FAILING_CALLS[call],
      sinceMs: Math.min(...group.map((one) => one.sinceMs)),
      times: group.reduce((sum, one) => sum + one.times, 0),
      fault: newest?.fault ?? "",
    }
  })
}

function describe({ what, sinceMs, times, fault }: Failing): string {
  const count = times === null ? "" : ` (${times === 1 ? "once" : `${times} times`})`
  const said = /^its? /.test(fault) ? `: ${fault},` : ` with ${fault}`
  return `${what}${said} since ${readableAt(sinceMs)}${count}`
}

/** The next step after failures. */
export function remedyOf(faults: readonly string[]): Remedy {
  const [told] = faults.flatMap((fault) => remedyOfError(fault, "service") ?? [])
  return (
    told ?? { todo: "Check the url of the service and the network.", command: "ballast doctor" }
  )
}

/** For how long a service has given no answer, for a sentence. */
export function describeSilence({ name, sinceMs, error }: ServiceReading, nowMs: number): string {
  return (
    `The service ${name} has not answered for ` +
    `${formatSpan(nowMs - sinceMs)}${error === null ? "" : ` (${error})`}`
  )
}
