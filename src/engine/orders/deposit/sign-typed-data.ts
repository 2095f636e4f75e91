import { mustExist } from "#lib/assert.ts"
import {
  declineAsTooLate,
  declineOrder,
  deferWhileStopped,
  deferWork,
  isTooLate,
  type Job,
  type Performer,
  sourceChain,
} from "../observe/job.ts"
import { gaslessDigest } from "../pay/gasless-digest.ts"
import type { WorkResult } from "../stepper.ts"
import { declinesWhenRefused, type WorkEntry, waitsWhilePaused } from "../work-entry.ts"
import { findChangedContracts } from "./check-contracts.ts"

/**
 * Signs the typed data of a gasless deposit. An order has one such signature, claimed in the
 * journal before the key is used.
 */
export const signTypedData: Performer = async (job) => {
  if (isTooLate(job)) return declineAsTooLate(job)
  const changed = await findChangedContracts(job)
  if (changed.length > 0) return declineOrder(changed)
  const obstacle = await findObstacle(job)
  if (obstacle !== null) return obstacle
  // A pause may have come while the contracts were read.
  const stopped = deferWhileStopped(job)
  if (stopped !== null) return stopped
  const deposit = mustExist(job.data.deposit, "the verified deposit")
  const chain = sourceChain(job)
  job.context.journal.claimSignature({
    orderId: job.data.id,
    purpose: "gasless",
    chain: chain.chain,
    account: chain.account,
    attempt: 0,
    digest: gaslessDigest(deposit),
    resources: [],
    plan: null,
    ...(job.workId === undefined ? {} : { cause: job.workId }),
    atMs: job.nowMs,
  })
  const signed = await chain.signTypedData(deposit, { order: job.data.id, deposit })
  return { event: { type: "gasless.signed", ...signed } }
}

/**
 * The result for a relay's transaction that would not deposit now; `null` for one that may be
 * signed. The order deposits directly where the configuration allows it: no signature has left.
 */
async function findObstacle(job: Job): Promise<WorkResult | null> {
  const deposit = mustExist(job.data.deposit, "the verified deposit")
  const found = await sourceChain(job).relayed?.findObstacles(deposit)
  if (found === undefined || found.reasons.length === 0) return null
  const { reasons, isLasting } = found
  if (job.data.policy.way === "auto") return { event: { type: "gasless.fell_through", reasons } }
  return isLasting ? declineOrder(reasons) : deferWork(reasons)
}

export const signTypedDataWork: WorkEntry<"signTypedData"> = {
  perform: signTypedData,
  lane: null,
  spends: true,
  whilePaused: waitsWhilePaused,
  onRefused: declinesWhenRefused,
  repeat: "One claim per order; signs the same content again.",
}
