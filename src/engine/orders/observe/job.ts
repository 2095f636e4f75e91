import { chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { isWindowOver } from "#guards/deposit-window.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { OrderData, TransactionPurpose } from "#order/data.ts"
import { isAttested } from "#order/guards.ts"
import type { StateName } from "#order/states.ts"
import type { ChainPort } from "#ports/chain.ts"
import { chainFor, type WorkContext } from "../../context.ts"
import { findOrderStops } from "../../watches/pause.ts"
import type { LegSide } from "../../watches/unread-legs.ts"
import type { WorkResult } from "../stepper.ts"

/** One piece of work on one order, as a performer receives it. */
export type Job = {
  readonly context: WorkContext
  readonly data: OrderData
  /**
   * An earlier run began, in this process or in one that died: a performer observes before it
   * repeats a write.
   */
  readonly repeated: boolean
  /** The number of this work; absent outside the worker. */
  readonly workId?: number
  /** The order's state; absent outside the worker. */
  readonly state?: StateName
  /** Records durably that a write is about to be sent. Throws as `refuseIfGone`. */
  readonly begin: () => Promise<void>
  /** Tells the worker about a failed read that does not stop the work. */
  readonly noteUnread?: (error: unknown) => void
  /**
   * Everything that the work takes from the account is in the journal, so the next work of the lane
   * may start.
   */
  readonly leaveLane?: () => void
  readonly nowMs: number
}

export type Performer = (job: Job) => Promise<WorkResult>

/**
 * Throws `journal.stale_work` (aborted) when the order has moved on, or when the disk has refused
 * the step that this work follows from. What a performer decides or calls outside without a claim
 * comes right after it.
 */
export function refuseIfGone({
  context,
  data,
  workId,
}: Pick<Job, "context" | "data" | "workId">): void {
  if (workId === undefined || context.journal.hasWork(workId)) return
  throw new AppError({
    code: "journal.stale_work",
    disposition: "aborted",
    message: "The work no longer belongs to its order",
    details: { order: data.id },
  })
}

export function sourceChain(job: Job): ChainPort {
  return chainFor(job.context, job.data.request.from)
}

export function destinationChain(job: Job): ChainPort {
  return chainFor(job.context, job.data.request.to)
}

/** The chains of both legs; `null` for one that the configuration has lost. */
export function configuredChains({ context, data }: Pick<Job, "context" | "data">): {
  readonly source: ChainPort | null
  readonly destination: ChainPort | null
} {
  const { from, to } = data.request
  return {
    source: context.chains.get(chainOf(from)) ?? null,
    destination: context.chains.get(chainOf(to)) ?? null,
  }
}

/** The chain of one of the order's transactions: only a redemption is on the destination chain. */
export function chainOfPurpose(job: Job, kind: TransactionPurpose): ChainPort {
  return kind === "redeem" ? destinationChain(job) : sourceChain(job)
}

export function sideOfPurpose(kind: TransactionPurpose): LegSide {
  return kind === "redeem" ? "destination" : "source"
}

export function declineOrder(reasons: readonly Reason[]): WorkResult {
  return { event: { type: "order.declined", reasons } }
}

export function deferWork(reasons: readonly Reason[], waitMs?: number): WorkResult {
  return { event: { type: "work.deferred", reasons, ...(waitMs === undefined ? {} : { waitMs }) } }
}

/** Does a deposit of this order spend a token allowance? */
export function usesAllowance(job: Job): boolean {
  const { allowances } = sourceChain(job).traits
  if (allowances === "carried") return true
  return (
    allowances === "separate" &&
    job.context.settings.assets.get(job.data.request.from)?.token != null
  )
}

/** Does one of the reasons say that the HTLC already holds the order's deposit? */
export function saysDepositExists(job: Job, reasons: readonly Reason[]): boolean {
  const { refusalsOfExistingDeposit } = sourceChain(job).traits
  return reasons.some(({ code }) => refusalsOfExistingDeposit.includes(code))
}

/** Approval and deposit: a pause stops them, because they lead to a new deposit. */
export function leadsToDeposit(kind: TransactionPurpose): kind is "approve" | "deposit" {
  return kind === "approve" || kind === "deposit"
}

/**
 * Void, refund and revocation: until one of them lands, a deposit or an allowance is still at
 * stake, and the order cannot end.
 */
export function protectsFunds(kind: TransactionPurpose): boolean {
  return !leadsToDeposit(kind)
}

/**
 * Ballast alerts an operator about a transaction that waits longer than this for gas or for a
 * block.
 */
export const UNSENT_PATIENCE_MS = 10 * 60_000

/**
 * Holds an order after its wallet has lacked gas for `UNSENT_PATIENCE_MS`; `null` before that. The
 * order goes on after a retry; one that is owed a payout by itself.
 */
export function holdForMissingGas(
  job: Job,
  kind: TransactionPurpose,
  reasons: readonly Reason[],
): WorkResult | null {
  if (job.nowMs - job.data.stateSince <= UNSENT_PATIENCE_MS) return null
  const { chain, account } = chainOfPurpose(job, kind)
  const next =
    kind === "redeem" ? "Ballast then sends it by itself" : "then `ballast retry` the order"
  const message = `The ${kind} cannot be sent: top up the gas of ${account} on ${chain}, ${next}`
  return {
    event: { type: "order.held", reasons: [{ code: `${kind}.unaffordable`, message }, ...reasons] },
  }
}

/**
 * Holds an order after no node has accepted its void, refund or revocation for
 * `UNSENT_PATIENCE_MS`; `null` before that. A gap in the nonces or another transaction in its place
 * may be the cause. A deposit and an approval end by their own deadline.
 */
export function holdForStuckTransaction(
  job: Job,
  kind: TransactionPurpose,
  reasons: readonly Reason[],
): WorkResult | null {
  if (leadsToDeposit(kind) || job.nowMs - job.data.stateSince <= UNSENT_PATIENCE_MS) return null
  const { txid } = mustExist(job.data.transactions[kind].signed.at(-1), `the signed ${kind}`)
  return { event: { type: "order.held", reasons: [stuckReason(kind, txid), ...reasons] } }
}

/**
 * No time-out ends this wait: the nonce or inputs stay reserved until the chain decides, so an
 * operator must know.
 */
export function stuckReason(kind: TransactionPurpose, txid: string): Reason {
  const message =
    `The ${kind} waits for a block and its fee cannot be raised: check for a missing nonce ` +
    "before it, or for a fee cap that is too low"
  return { code: `${kind}.stuck`, message, txid }
}

/** The work waits while nothing new may leave for its order; `null`: it may. */
export function deferWhileStopped({ context, data }: Job): WorkResult | null {
  const stops = findOrderStops(context, data)
  return stops.length === 0 ? null : deferWork(stops)
}

/**
 * Declines an order after `policy.patienceMs`, with the reasons that kept it waiting; `null` before
 * that. Callers have nothing signed yet.
 *
 * `patienceSince` excludes the time that a person took to approve or to retry.
 */
export function declineAfterPatience(job: Job): WorkResult | null {
  const { patienceSince, policy, reasons } = job.data
  if (job.nowMs - patienceSince <= policy.patienceMs) return null
  const seconds = String(policy.patienceMs / 1000)
  return declineOrder([
    ...reasons,
    {
      code: "order.patience",
      message: `No verified deposit within ${seconds} s, so the order ends; nothing was signed`,
      seconds,
    },
  ])
}

/** The time to send a deposit is over. One with a voucher is owed, so it has no such time. */
export function isTooLate(job: Job): boolean {
  if (isAttested(job.data)) return false
  return isWindowOver(
    mustExist(job.data.sendUntilMs, "the deposit window"),
    job.nowMs,
    job.data.policy,
  )
}

/** The same at this moment: a process may have stood still since its work began. */
export function isTooLateNow(job: Job): boolean {
  return isTooLate({ ...job, nowMs: job.context.clock.now() })
}

export function declineAsTooLate(job: Job): WorkResult {
  const until = new Date(mustExist(job.data.sendUntilMs, "the deposit window")).toISOString()
  return declineOrder([
    ...job.data.reasons,
    {
      code: "deposit.too_late",
      message: `The time for depositing ended at ${until}; nothing was deposited`,
      until,
    },
  ])
}

export function reasonOf(error: AppError): Reason {
  const details = Object.entries(error.details).map(([key, value]) => [key, String(value)])
  return { ...Object.fromEntries(details), code: error.code, message: error.message }
}
