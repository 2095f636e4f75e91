import type { VerifiedDeposit } from "#domain/deposit.ts"
import { present } from "#lib/assert.ts"
import { declinesWhenRefused, type WorkEntry, waitsWhilePaused } from "../work-entry.ts"
import { findChangedContracts } from "./check-contracts.ts"
import { declineAsTooLate, declineOrder, isTooLate, type Performer, sourceChain } from "./job.ts"

/** Signs the typed data of a gasless deposit. An order has one such signature, claimed in the journal before the key is used. */
export const signTypedData: Performer = async (job) => {
  if (isTooLate(job)) return declineAsTooLate(job)
  const changed = await findChangedContracts(job)
  if (changed.length > 0) return declineOrder(changed)
  const deposit = present(job.data.deposit, "the verified deposit")
  job.context.journal.claimSignature({
    orderId: job.data.id,
    purpose: "gasless",
    attempt: 0,
    digest: gaslessDigest(deposit),
    resources: [],
    atMs: job.nowMs,
  })
  const signed = await sourceChain(job).signTypedData(deposit)
  return { event: { type: "gasless.signed", ...signed } }
}

export const signTypedDataWork: WorkEntry<"signTypedData"> = {
  perform: signTypedData,
  lane: null,
  spends: true,
  whilePaused: waitsWhilePaused,
  onRefused: declinesWhenRefused,
  repeat: "One claim per order; signs the same content again.",
}

/** The name under which the journal claims the gasless signature of this deposit. */
export function gaslessDigest({ chain, htlc, secretHash }: VerifiedDeposit): string {
  return `${chain}/${htlc}/${secretHash}`
}
