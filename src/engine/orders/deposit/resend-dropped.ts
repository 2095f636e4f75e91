import { type MayLeave, wasKeptHere } from "#domain/may-leave.ts"
import type { ChainPort } from "#ports/chain.ts"
import { staysInPause } from "../is-unsent.ts"
import type { Job } from "../observe/job.ts"
import { observeAttempts } from "../observe/observe-transaction.ts"

/**
 * Sends a transaction again that was in a block until a reorganisation dropped it: without its
 * nonce no later transaction of the account can be mined. Nodes that know the bytes ignore them.
 */
export async function resendDropped(
  job: Job,
  chain: ChainPort,
  purpose: "approve" | "deposit",
  mayLeave: MayLeave = () => true,
): Promise<void> {
  const { context, data } = job
  const last = data.transactions[purpose].signed.at(-1)
  if (last === undefined || (await observeAttempts(chain, data, purpose)).status !== "unseen")
    return
  try {
    await chain.broadcastTransaction(last, () => mayLeave() && !staysInPause(job, purpose))
  } catch (error) {
    if (wasKeptHere(error)) return
    context.log.warn(
      { order: data.id, purpose, err: error },
      "A transaction that a reorganisation dropped could not be sent again",
    )
  }
}
