import { sumBps } from "#domain/affiliate-fee.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import { present } from "#lib/assert.ts"
import type { WorkResult } from "../stepper.ts"
import { deferred, type Job, outOfPatience, type Performer, reasonOf, sourceChain } from "./job.ts"

/** A quote has no documented expiry; after this long a new one is asked for. */
const QUOTE_MAX_AGE_MS = 60_000
/** A service that refuses an order at a fresh quote may have moved its price; more often than this it means no. */
const MAX_REFUSALS = 3

/**
 * Not idempotent, so never repeated as it was: after a lost answer a new order is asked for under a new nonce. An unfunded duplicate
 * is harmless (field notes), because only the one answer that lies in the journal can ever be funded. For the same reason the beginning
 * is not written down first: a crash in between leads to the same request, which a service refuses by its nonce, or to a duplicate.
 */
export const createOrder: Performer = async (job) => {
  const ended = outOfPatience(job)
  if (ended) return ended
  const { context, data } = job
  // By a clock that was set back nobody can tell how old the quote is: then it counts as old.
  const waitedMs = job.nowMs < data.stateSince ? Number.POSITIVE_INFINITY : job.nowMs - data.stateSince
  const restMs = waitMs(data.creations) - waitedMs
  if (job.repeated && restMs > 0) return deferred(data.reasons, restMs)
  if (job.repeated)
    return outdated(job, [{ code: "create.unknown", message: "The answer to an order request was lost; asking anew" }])
  if (waitedMs > QUOTE_MAX_AGE_MS) return outdated(job, [{ code: "quote.old", message: "The quote grew old" }])
  const quote = present(data.quote, "the accepted quote")
  const { from, to, sourceUnits, sourceOwner, destinationOwner } = data.request
  const affiliateFees = data.policy.affiliateFees ?? []
  const affiliateBps = sumBps(affiliateFees)
  if ((quote.affiliateBps ?? 0) !== affiliateBps)
    return outdated(job, [{ code: "affiliate.sum", message: "The quote is for other affiliate fees; asking anew" }])
  const request = {
    quote,
    sourceOwner,
    destinationOwner,
    sourceExtras: sourceChain(job).sourceExtras,
    affiliateFees,
    nonce: data.nonce,
  }
  try {
    const created = await context.service.submitOrder(request)
    const { destinationUnits } = quote
    const terms = { from, to, sourceUnits, destinationUnits, sourceOwner, destinationOwner }
    return { event: { type: "order.created", created, terms, affiliateBps } }
  } catch (error) {
    if (error instanceof AppError && error.disposition === "refused" && data.creations < MAX_REFUSALS) {
      return { event: { type: "work.deferred", reasons: [reasonOf(error)], waitMs: waitMs(data.creations) } }
    }
    throw error
  }
}

function outdated(job: Job, reasons: readonly Reason[]): WorkResult {
  return { event: { type: "quote.outdated", reasons, nonce: job.context.newNonce() } }
}

export function waitMs(creations: number): number {
  return Math.min(60_000, 500 * 2 ** creations)
}
