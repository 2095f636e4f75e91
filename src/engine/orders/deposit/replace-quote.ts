import type { Reason } from "#domain/reason.ts"
import type { Job } from "../observe/job.ts"
import type { WorkResult } from "../stepper.ts"

/** The order asks for another quote, under a new nonce. */
export function replaceQuote(job: Job, reason: Reason): WorkResult {
  return { event: { type: "quote.outdated", reasons: [reason], nonce: job.context.newNonce() } }
}
