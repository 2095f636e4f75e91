import { addCall, type CallHour, keepDay } from "#domain/call-hours.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { describeFailure } from "./exchange.ts"

/** The reads of one method, which have failed since their last answer. */
type ReadFault = {
  readonly method: string
  /** The newest failure in the node's own words. */
  readonly fault: string
  readonly sinceMs: number
  readonly lastMs: number
  readonly times: number
}

/**
 * What the reads of one endpoint show that no look at its newest block does: a node without the
 * state of the accounts goes on to show heads.
 */
export type ReadFaults = {
  readonly follow: <T>(method: string, asked: Promise<T>) => Promise<T>
  /** The method with the most failures; `null` where reads are answered. */
  readonly worst: () => ReadFault | null
  /** Counts each call to the endpoint, also those that no method names. */
  readonly count: (error: unknown) => void
  /** The calls of the last day by the hour. */
  readonly hours: () => readonly CallHour[]
  /** Takes over what an earlier process counted. */
  readonly restore: (hours: readonly CallHour[]) => void
}

/** A failure that is not asked again for so long tells nothing about now. */
const FRESH_MS = 5 * 60_000

export function createReadFaults(clock: Pick<Clock, "now">): ReadFaults {
  const faults = new Map<string, ReadFault>()
  let counted: readonly CallHour[] = []
  const note = (method: string, error: unknown): void => {
    if (!isOfNode(error)) return
    const lastMs = clock.now()
    const { sinceMs, times } = faults.get(method) ?? { sinceMs: lastMs, times: 0 }
    faults.set(method, { method, fault: wordsOf(error), sinceMs, lastMs, times: times + 1 })
  }
  return {
    count: (error) => {
      counted = addCall(counted, clock.now(), isAnswer(error) ? null : wordsOf(error))
    },
    hours: () => keepDay(counted, clock.now()),
    restore: (hours) => {
      counted = hours
    },
    follow: (method, asked) => {
      asked.then(
        () => faults.delete(method),
        (error) => note(method, error),
      )
      return asked
    },
    worst: () => {
      const fresh = [...faults.values()].filter(({ lastMs }) => clock.now() - lastMs < FRESH_MS)
      return fresh.toSorted((a, b) => b.times - a.times)[0] ?? null
    },
  }
}

/**
 * Neither a limit of requests, which has an alarm of its own, nor an answer about the call: a
 * revert, or a method or parameters that a node does not have (JSON-RPC 2.0, §5.1).
 */
function isOfNode(error: unknown): boolean {
  if (!(error instanceof AppError)) return false
  const { rpcCode, status } = error.details
  if (status === 429) return false
  return (
    error.disposition === "transient" &&
    !(typeof rpcCode === "number" && (rpcCode > 0 || NO_SUCH_CALL.includes(rpcCode)))
  )
}

/** A limit is no fault of a method, and yet no answer. */
function isAnswer(error: unknown): boolean {
  if (error === null) return true
  return error instanceof AppError && error.details["status"] !== 429 && !isOfNode(error)
}

const NO_SUCH_CALL: readonly number[] = [-32_600, -32_601, -32_602]

function wordsOf(error: unknown): string {
  const { status, found } = error instanceof AppError ? error.details : {}
  if (typeof found === "string") return found
  return typeof status === "number" ? `HTTP ${status}` : describeFailure(error)
}
