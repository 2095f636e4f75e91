import { type MayLeave, wasKeptHere } from "#domain/may-leave.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import { serviceFor } from "../../context.ts"
import { sourceQuery } from "../leg-queries.ts"
import {
  declineAsTooLate,
  deferWhileStopped,
  isTooLate,
  isTooLateNow,
  type Job,
  type Performer,
  sourceChain,
} from "../observe/job.ts"
import { leaveOnce } from "../outgoing-calls.ts"
import type { WorkResult } from "../stepper.ts"
import type { WorkEntry } from "../work-entry.ts"

/**
 * Sends the gasless signature to the relay. The contract refuses a second initiation; even so a
 * repeat reads the chain first.
 */
export const submitSignature: Performer = async (job) => {
  const gasless = mustExist(job.data.gasless, "the gasless signature")
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
  const judgement = { answerStop: () => deferWhileStopped(job), isOld: () => isTooLateNow(job) }
  return leaveOnce(job, judgement, (mayLeave) => handOver(job, gasless.signature, mayLeave))
}

async function handOver(
  { context, data }: Job,
  signature: string,
  mayLeave: MayLeave,
): Promise<WorkResult> {
  const { orderId } = mustExist(data.created, "the created order")
  const service = serviceFor(context, data)
  try {
    const { answer } = await service.submitSignature(orderId, signature, mayLeave)
    return { event: { type: "gasless.submitted", answer, refused: false } }
  } catch (error) {
    if (wasKeptHere(error)) throw error
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
