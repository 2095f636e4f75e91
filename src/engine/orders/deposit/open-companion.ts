import { type MayLeave, wasKeptHere } from "#domain/may-leave.ts"
import type { TransactionPurpose } from "#order/data.ts"
import type { ChainPort } from "#ports/chain.ts"
import { staysInPause } from "../is-unsent.ts"
import type { Job } from "../observe/job.ts"
import { observeAttempts } from "../observe/observe-transaction.ts"
import { type Companion, findCompanion } from "./companion.ts"

/** The companion while no block has its nonce, as our own node shows it; else `null`. */
export async function findOpenCompanion(
  job: Job,
  chain: ChainPort,
  kind: TransactionPurpose,
): Promise<Open | null> {
  const companion = findCompanion(job.data, kind)
  if (companion === null) return null
  const seen = await observeAttempts(chain, job.data, companion.purpose)
  if (seen.status !== "pending" && seen.status !== "unseen") return null
  return {
    ...companion,
    isSent: seen.status === "pending" && seen.txid === companion.transaction.txid,
  }
}

/** `isSent`: a mempool shows the newest bytes. */
type Open = Companion & { readonly isSent: boolean }

/**
 * Our node keeps a transaction that waits for the nonce before it, and does not show the newest
 * bytes with that nonce.
 */
export async function isCompanionUnsent(
  job: Job,
  chain: ChainPort,
  kind: TransactionPurpose,
): Promise<boolean> {
  const companion = await findOpenCompanion(job, chain, kind)
  return companion !== null && !companion.isSent
}

/**
 * Sends the companion's bytes, unless our node shows them. `isFirst`: no node can have them, so
 * none is asked. Returns the companion that belongs to the order's next event.
 *
 * Without its approval a deposit would only wait, so a failure is thrown. Where the void of an
 * approval is not accepted, the approval was, and the void of the deposit can be mined all the
 * same.
 *
 * Where the void has the approval itself before it, a block had that nonce when the void was
 * planned. So a node is asked first, and a pause keeps an approval here that never left: its nonce
 * is a gap then.
 */
export async function sendCompanion(
  job: Job,
  chain: ChainPort,
  kind: TransactionPurpose,
  { isFirst, mayLeave }: { readonly isFirst: boolean; readonly mayLeave: MayLeave },
): Promise<Companion | null> {
  const companion = findCompanion(job.data, kind)
  if (companion === null) return null
  const { purpose, transaction } = companion
  const isOld = kind === "void" && purpose === "approve"
  const open = isFirst && !isOld ? { isSent: false } : await findOpenCompanion(job, chain, kind)
  if (open === null) return isOld ? null : companion
  if (open.isSent) return companion
  try {
    await chain.broadcastTransaction(transaction, () => mayLeave() && !staysInPause(job, purpose))
  } catch (error) {
    if (kind === "deposit") throw error
    if (wasKeptHere(error)) return null
    const { id: order } = job.data
    job.context.log.warn(
      { order, purpose, err: error },
      "The nonce before a void could not be used",
    )
  }
  return companion
}
