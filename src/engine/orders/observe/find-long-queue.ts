import type { Reason } from "#domain/reason.ts"
import { hasTimeToTell, leftOf } from "#domain/time-to-redeem.ts"
import { mustExist } from "#lib/assert.ts"
import { readQueueMs } from "../pay/lane-turns.ts"
import { destinationChain, type Job } from "./job.ts"
import type { ProvenPayout } from "./prove-payout.ts"

/**
 * The reason against a secret whose redemption may come too late behind those of other told
 * secrets. Where the transactions of an account follow one another by their nonces, each takes a
 * turn at the nodes, and at slow nodes many turns take longer than a lock. The secret stays ours
 * until enough of them are over.
 *
 * It reads the journal alone, so that the decision follows in the same step.
 */
export function findLongQueue(job: Job, { lock, readMs }: ProvenPayout): readonly Reason[] {
  const { context, data } = job
  const { chain, nonces } = destinationChain(job)
  const left = leftOf(lock)
  if (nonces === undefined || left === null) return []
  const { timelock } = mustExist(data.serviceOrder, "the order read back").destination
  const queueMs = readQueueMs(context, chain, readMs)
  if (hasTimeToTell(data.policy, timelock, left, queueMs)) return []
  const message =
    `Ballast keeps its secret, because the redemptions on ${chain} before this one may take ` +
    "longer than the payout's lock leaves"
  return [
    {
      code: "secret.queue_long",
      message,
      queueSeconds: Math.ceil(queueMs / 1_000).toString(),
      leftUnits: left.toString(),
    },
  ]
}
