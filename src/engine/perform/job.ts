import type { ChainPort } from "#chains/port.ts"
import type { Reason } from "#domain/reason.ts"
import type { AppError } from "#lib/app-error.ts"
import { present } from "#lib/assert.ts"
import type { OrderData, TransactionPurpose } from "#order/data.ts"
import { chainFor, type EngineContext } from "../context.ts"
import type { WorkResult } from "../stepper.ts"

/** One piece of work on one order. A performer does it and tells how it ended; errors it cannot answer it throws. */
export type Job = {
  readonly context: EngineContext
  readonly data: OrderData
  /** It was begun before, in this process or one that died: observe before repeating a write. */
  readonly repeated: boolean
  /** A pause, or observe mode: what is out is looked at, and nothing on the way to a new deposit is signed or sent. */
  readonly stopped: boolean
  /** Writes down, durably, that a write is about to leave the house. */
  readonly begin: () => void
  readonly nowMs: number
}

export type Performer = (job: Job) => Promise<WorkResult>

export function sourceChain(job: Job): ChainPort {
  return chainFor(job.context, job.data.request.from)
}

export function destinationChain(job: Job): ChainPort {
  return chainFor(job.context, job.data.request.to)
}

export function declined(reasons: readonly Reason[]): WorkResult {
  return { event: { type: "order.declined", reasons } }
}

export function deferred(reasons: readonly Reason[], waitMs?: number): WorkResult {
  return { event: { type: "work.deferred", reasons, ...(waitMs === undefined ? {} : { waitMs }) } }
}

/** Does a deposit of this order spend a token allowance? */
export function usesAllowance(job: Job): boolean {
  const { allowances } = sourceChain(job).traits
  if (allowances === "carried") return true
  return allowances === "separate" && job.context.settings.assets.get(job.data.request.from)?.token != null
}

/** Longer than this a move of ours that the wallet cannot pay for is not waited for in silence. */
const GAS_PATIENCE_MS = 10 * 60_000

/** `null` while it is still early; then a person must hear of it, and the order rests until the wallet can pay. */
export function heldForGas(job: Job, kind: TransactionPurpose, reasons: readonly Reason[]): WorkResult | null {
  if (job.nowMs - job.data.stateSince <= GAS_PATIENCE_MS) return null
  const { chain, account } = sourceChain(job)
  const message = `The ${kind} cannot be sent: top up the gas of ${account} on ${chain}, then \`ballast retry\` the order`
  return { event: { type: "order.held", reasons: [{ code: `${kind}.unaffordable`, message }, ...reasons] } }
}

/** What takes something back and is not taken itself for as long: a nonce before it may be missing, and another transaction in its place. */
export function heldForStuck(job: Job, kind: TransactionPurpose, reasons: readonly Reason[]): WorkResult | null {
  const hasOwnEnd = kind === "deposit" || kind === "approve"
  if (hasOwnEnd || job.nowMs - job.data.stateSince <= GAS_PATIENCE_MS) return null
  return {
    event: {
      type: "order.held",
      reasons: [
        stuckReason(kind, present(job.data.transactions[kind].signed.at(-1), "what was sent").txid),
        ...reasons,
      ],
    },
  }
}

/** Said aloud, because no time-out ends it: its nonce or inputs stay reserved until the chain has decided. */
export function stuckReason(kind: TransactionPurpose, txid: string): Reason {
  const message = `The ${kind} waits for a block, and cannot be helped: look for a missing nonce before it, or a fee cap that is too low`
  return { code: `${kind}.stuck`, message, txid }
}

/** What was looked at is to be looked at again; what would follow waits for the pause to be lifted. */
export function whileStopped(): WorkResult {
  return deferred([{ code: "paused", message: "Paused: nothing is sent; `ballast resume` lifts it" }])
}

/** The end of patience while nothing is at stake: the order ends with the reason that kept it waiting. */
export function outOfPatience(job: Job): WorkResult | null {
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

export function tooLate(job: Job): WorkResult {
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
