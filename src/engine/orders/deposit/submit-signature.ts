import { wasKeptHere } from "#domain/may-leave.ts"
import { AppError } from "#lib/app-error.ts"
import { present } from "#lib/assert.ts"
import { serviceFor } from "../../context.ts"
import { isOrderPausedNow } from "../../watches/pause.ts"
import { sourceQuery } from "../leg-queries.ts"
import {
  declineAsTooLate,
  deferUntilResumed,
  deferWork,
  isTooLate,
  isTooLateNow,
  type Performer,
  reasonOf,
  sourceChain,
} from "../observe/job.ts"
import type { WorkEntry } from "../work-entry.ts"

/**
 * Sends the gasless signature to the relay. The contract refuses a second initiation; even so a
 * repeat reads the chain first.
 */
export const submitSignature: Performer = async (job) => {
  const gasless = present(job.data.gasless, "the gasless signature")
  if (job.repeated || gasless.submissions > 0) {
    const { initiated } = await sourceChain(job).observeLeg(sourceQuery(job.data))
    if (initiated !== null) return { event: { type: "gasless.initiated", ...initiated } }
    // The relay may have the signature already, so the order cannot end as not deposited: it goes
    // on observing the source.
    if (isTooLate(job))
      return {
        event: {
          type: "gasless.submitted",
          answer: "in doubt, and too late to try again",
          refused: false,
        },
      }
  }
  if (isTooLate(job)) return declineAsTooLate(job)
  // An alarm of another order may have paused everything since the job began, or while the journal
  // was written.
  const mustWait = (): boolean => job.paused || isOrderPausedNow(job.context, job.data)
  if (mustWait()) return deferUntilResumed(job.context)
  await job.begin()
  const service = serviceFor(job.context, job.data)
  try {
    const orderId = present(job.data.created, "the created order").orderId
    const mayLeave = (): boolean => !mustWait() && !isTooLateNow(job)
    const { answer } = await service.submitSignature(orderId, gasless.signature, mayLeave)
    return { event: { type: "gasless.submitted", answer, refused: false } }
  } catch (error) {
    if (wasKeptHere(error))
      return mustWait() ? deferUntilResumed(job.context) : deferWork([reasonOf(error)])
    // After any error the relay may still have the signature: only the chain can show whether it
    // used it.
    const refused = error instanceof AppError && error.disposition === "refused"
    const answer = error instanceof AppError ? `${error.code}: ${error.message}` : String(error)
    return { event: { type: "gasless.submitted", answer, refused } }
  }
}

export const submitSignatureWork: WorkEntry<"submitSignature"> = {
  perform: submitSignature,
  lane: null,
  spends: true,
  whilePaused: (_work, { data, isFirstTry }) =>
    isFirstTry && data.gasless?.submissions === 0 ? "waits" : "runs",
  // The performer answers refusals of the relay itself. Any other refusal must not end the order:
  // the relay may have the signature.
  onRefused: () => "work.deferred",
  repeat:
    "Observes the chain first, then sends the same signature; the contract refuses a second " +
    "initiation.",
}
