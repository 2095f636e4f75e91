import type { ChainPort } from "#chains/port.ts"
import type { Reason } from "#domain/reason.ts"
import type { AppError } from "#lib/app-error.ts"
import { present } from "#lib/assert.ts"
import type { OrderData } from "#order/data.ts"
import { chainFor, type EngineContext } from "../context.ts"
import type { Outcome } from "../stepper.ts"

/** One piece of work on one order. A performer does it and tells how it ended; errors it cannot answer it throws. */
export type Job = {
  readonly context: EngineContext
  readonly data: OrderData
  /** It was begun before, in this process or one that died: observe before repeating a write. */
  readonly repeated: boolean
  /** Writes down, durably, that a write is about to leave the house. */
  readonly begin: () => void
  readonly nowMs: number
}

export type Performer = (job: Job) => Promise<Outcome>

export function sourceChain(job: Job): ChainPort {
  return chainFor(job.context, job.data.request.from)
}

export function destinationChain(job: Job): ChainPort {
  return chainFor(job.context, job.data.request.to)
}

export function declined(reasons: readonly Reason[]): Outcome {
  return { fact: { type: "order.declined", reasons } }
}

export function deferred(reasons: readonly Reason[], waitMs?: number): Outcome {
  return { fact: { type: "work.deferred", reasons, ...(waitMs === undefined ? {} : { waitMs }) } }
}

/** The end of patience while nothing is at stake: the order ends with the reason that kept it waiting. */
export function outOfPatience(job: Job): Outcome | null {
  // The time that a person took to approve or to retry is not the service's fault.
  const { patienceSince, policy, reasons } = job.data
  if (job.nowMs - patienceSince <= policy.patienceMs) return null
  const seconds = String(policy.patienceMs / 1000)
  return declined([
    ...reasons,
    { code: "order.patience", message: `Gave up after ${seconds} s; nothing was signed`, seconds },
  ])
}

export function isTooLate(job: Job): boolean {
  return job.nowMs >= present(job.data.sendUntilMs, "the deposit window")
}

export function tooLate(job: Job): Outcome {
  const until = new Date(present(job.data.sendUntilMs, "the deposit window")).toISOString()
  return declined([
    ...job.data.reasons,
    { code: "deposit.too_late", message: `The time for depositing ended at ${until}; nothing was deposited`, until },
  ])
}

export function reasonOf(error: AppError): Reason {
  const numbers = Object.entries(error.details).map(([key, value]) => [key, String(value)])
  return { ...Object.fromEntries(numbers), code: error.code, message: error.message }
}
