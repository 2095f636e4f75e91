import { addCall, type CallHour, keepDay } from "#domain/call-hours.ts"
import { FAILING_CALLS } from "#health/judge-service.ts"
import type { CallReading } from "#health/readings.ts"
import type { QuoteRequest } from "#ports/service.ts"
import type { CallNote } from "#service/judge-call.ts"

/**
 * The real calls to each service whose last result was a failure. A reload and a new client keep
 * it.
 */
export type ServiceCalls = {
  readonly note: (service: string, note: CallNote, asked: QuoteRequest | null) => void
  /** Takes over what an earlier process knew. */
  readonly restore: (
    service: string,
    calls: readonly CallReading[],
    hours: readonly CallHour[],
  ) => void
  readonly list: (service: string) => readonly CallReading[]
  /** All calls of the last 24 hours by the hour, oldest first. */
  readonly hours: (service: string) => readonly CallHour[]
  /**
   * The questions for quotes that failed last: the watch asks them again, because a rule may ask
   * the next time in hours.
   */
  readonly failedQuotes: (service: string) => readonly QuoteRequest[]
  /**
   * The service's ids of the orders that could not be read last: an order that has ended meanwhile
   * is never read again by itself.
   */
  readonly failedOrders: (service: string) => readonly string[]
}

/**
 * A call that cannot be asked again without an effect is forgotten after this time without a new
 * failure.
 */
const KEPT_MS = 15 * 60_000
/**
 * The most failed calls of a service that are kept, and the most questions that are asked again at
 * once.
 */
const MOST_KEPT = 100
const MOST_ASKED = 5

export function createServiceCalls(nowMs: () => number): ServiceCalls {
  const failed = new Map<string, Map<string, CallReading>>()
  const counted = new Map<string, readonly CallHour[]>()
  const hours = (service: string): readonly CallHour[] =>
    keepDay(counted.get(service) ?? [], nowMs())
  const callsOf = (service: string): Map<string, CallReading> => {
    const calls = failed.get(service) ?? new Map<string, CallReading>()
    failed.set(service, calls)
    return calls
  }
  const list = (service: string): readonly CallReading[] => {
    const now = nowMs()
    return [...callsOf(service).values()].filter(({ lastMs }) => now - lastMs < KEPT_MS)
  }
  return {
    list,
    hours,
    restore: (service, calls, known) => {
      counted.set(service, known)
      for (const one of calls) callsOf(service).set(keyOf(one), one)
    },
    note: (service, { call, about, fault }, asked) => {
      const words = fault === null ? null : `${FAILING_CALLS[call]} with ${fault}`
      counted.set(service, addCall(hours(service), nowMs(), words))
      const calls = callsOf(service)
      const key = keyOf({ call, about })
      const known = list(service).find((one) => keyOf(one) === key)
      // A new entry stands last, so the first is the one without news for longest.
      calls.delete(key)
      if (fault === null) return
      const lastMs = nowMs()
      const sinceMs = known?.sinceMs ?? lastMs
      const reading = { call, about, fault, sinceMs, lastMs, times: (known?.times ?? 0) + 1 }
      calls.set(key, asked === null ? reading : { ...reading, asked })
      const [oldest] = calls.keys()
      if (calls.size > MOST_KEPT && oldest !== undefined) calls.delete(oldest)
    },
    failedQuotes: (service) =>
      list(service)
        .flatMap(({ asked }) => asked ?? [])
        .slice(0, MOST_ASKED),
    failedOrders: (service) =>
      list(service)
        .flatMap(({ call, about }) => (call === "get" ? [about] : []))
        .slice(0, MOST_ASKED),
  }
}

function keyOf({ call, about }: Pick<CallReading, "call" | "about">): string {
  return `${call} ${about}`
}
