import type { LegObservation } from "#chains/port.ts"
import { AppError } from "#lib/app-error.ts"
import { present } from "#lib/assert.ts"
import { sourceQuery } from "../leg-queries.ts"
import { deferred, isTooLate, type Job, type Performer, sourceChain, tooLate } from "./job.ts"

/** How long a relay may take before the direct way is considered (`auto`), or the same signature is handed over again. */
const RELAY_PATIENCE_MS = 20_000
const RESUBMIT_AFTER_MS = 8_000

/** Same deposit → same signature. One typed-data signature per order, claimed in the journal before the key is touched. */
export const signTypedData: Performer = async (job) => {
  if (isTooLate(job)) return tooLate(job)
  const deposit = present(job.data.deposit, "the verified deposit")
  const digest = `${deposit.chain}/${deposit.htlc}/${deposit.secretHash}`
  job.context.journal.claimSignature({
    orderId: job.data.id,
    purpose: "gasless",
    attempt: 0,
    digest,
    claims: [],
    atMs: job.nowMs,
  })
  const signed = await sourceChain(job).signTypedData(deposit)
  return { fact: { type: "gasless.signed", ...signed } }
}

/** Safe to repeat with the same signature, because the contract refuses a second initiation; even so the chain is read first. */
export const submitSignature: Performer = async (job) => {
  const gasless = present(job.data.gasless, "the gasless signature")
  if (job.repeated || gasless.submissions > 0) {
    const { initiated } = await observeSource(job)
    if (initiated !== null) return { fact: { type: "gasless.initiated", ...initiated } }
    // It may have left the house before, so the order cannot end as not deposited: what becomes of it is watched.
    if (isTooLate(job))
      return { fact: { type: "gasless.submitted", answer: "in doubt, and too late to try again", refused: false } }
  }
  if (isTooLate(job)) return tooLate(job)
  job.begin()
  try {
    const orderId = present(job.data.created, "the created order").orderId
    const { answer } = await job.context.service.submitSignature(orderId, gasless.signature)
    return { fact: { type: "gasless.submitted", answer, refused: false } }
  } catch (error) {
    // Whatever the answer was, the signature has left the house: only the chain can tell what became of it.
    const refused = error instanceof AppError && error.disposition === "refused"
    const answer = error instanceof AppError ? `${error.code}: ${error.message}` : String(error)
    return { fact: { type: "gasless.submitted", answer, refused } }
  }
}

/** Plain read: has the signature been used? If not, in time: submit again, or (`auto`) go the direct way, which the contract makes exclusive. */
export const observeInitiation: Performer = async (job) => {
  const gasless = present(job.data.gasless, "the gasless signature")
  const { initiated } = await observeSource(job)
  if (initiated !== null) return { fact: { type: "gasless.initiated", ...initiated } }
  const reason = { code: "gasless.waiting", message: "The signature is handed over; no initiation on chain yet" }
  const waitedMs = job.nowMs - gasless.signedAt
  if (isTooLate(job)) {
    const message =
      "The relay has the signature, the time for depositing is over, and nothing shows that it was not used"
    return { fact: { type: "order.held", reasons: [{ code: "gasless.in_doubt", message }] } }
  }
  if (job.data.policy.way === "auto" && (gasless.refused || waitedMs > RELAY_PATIENCE_MS)) {
    const message =
      "The relay did not initiate; the contract excludes a second initiation, so the deposit is made directly"
    return { fact: { type: "gasless.fell_through", reasons: [{ code: "gasless.fell_through", message }] } }
  }
  if (job.nowMs - job.data.stateSince > RESUBMIT_AFTER_MS)
    return { fact: { type: "gasless.missing", reasons: [reason] } }
  return deferred([reason])
}

async function observeSource(job: Job): Promise<LegObservation> {
  return sourceChain(job).observeLeg(sourceQuery(job.data))
}
