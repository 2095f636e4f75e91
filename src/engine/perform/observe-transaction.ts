import type { ChainPort } from "#chains/port.ts"
import type { TransactionObservation } from "#domain/transaction.ts"
import type { MinedTransaction, TransactionPurpose, TransactionTrack } from "#order/data.ts"
import type { WorkResult } from "../stepper.ts"
import { isTooLate, type Job, type Performer, sourceChain } from "./job.ts"

export type Seen = TransactionObservation & { readonly txid: string }

/** Plain read: what our own nodes say of a sent move, all its attempts together. */
export function observeTransaction(kind: TransactionPurpose): Performer {
  return async (job) => {
    const chain = sourceChain(job)
    if (kind === "void") {
      const deposit = await observeAttempts(chain, job.data.transactions.deposit)
      if (deposit.status === "mined") return { event: { type: "deposit.unsettled" } }
    }
    const seen = await observeAttempts(chain, job.data.transactions[kind])
    if (kind === "approve" && isTooLate(job) && (seen.status === "pending" || seen.status === "unseen"))
      return { event: { type: "transaction.late" } }
    if (seen.status !== "pending") return tellSeen(job, kind, seen)
    // Where the deadline asks for the deposit to be seen, it is met; elsewhere a late deposit would only wait for its refund.
    if (kind === "deposit" && chain.traits.deadlineAsksFor === "mined" && isTooLate(job))
      return { event: { type: "transaction.late" } }
    return isStuck(job, kind) ? { event: { type: "transaction.stuck" } } : toFact(seen)
  }
}

/** Newest attempt first: a mined one decides; as long as one may still land, none is excluded. */
export async function observeAttempts(chain: ChainPort, track: TransactionTrack): Promise<Seen> {
  const seen: Seen[] = []
  for (const transaction of track.signed.toReversed()) {
    const observation = { ...(await chain.observeTransaction(transaction)), txid: transaction.txid }
    if (observation.status === "mined") return observation
    seen.push(observation)
  }
  const order = ["pending", "unseen", "excluded"]
  const [first] = seen.sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
  return first ?? { status: "unseen", txid: "" }
}

/**
 * What stood against this move, an approval that was being taken back or the void of a deposit, may have landed after all: nobody looks at it
 * again, and what it cost is told with the end of this one.
 */
export async function tellSeen(job: Job, kind: TransactionPurpose, seen: Seen): Promise<WorkResult> {
  const outcome = toFact(seen)
  const { event } = outcome
  const isOver = event.type === "transaction.excluded" || (event.type === "transaction.mined" && event.final)
  const rival = kind === "revoke" ? "approve" : kind === "deposit" ? "void" : null
  if (!isOver || rival === null) return outcome
  const { signed } = job.data.transactions[rival]
  const isKnown = signed.some(({ txid }) =>
    job.data.mined.some((transaction) => transaction.txid === txid && transaction.final),
  )
  if (isKnown || signed.length === 0) return outcome
  const landed = landedTransaction(rival, await observeAttempts(sourceChain(job), job.data.transactions[rival]))
  return landed === null ? outcome : { event: { ...event, landed } }
}

export function landedTransaction(kind: TransactionPurpose, seen: Seen): MinedTransaction | null {
  if (seen.status !== "mined") return null
  const { txid, ok, height, final, feeUnits } = seen
  return { purpose: kind, txid, ok, height, final, feeUnits, heldUnits: 0n }
}

function toFact(seen: Seen): WorkResult {
  switch (seen.status) {
    case "mined": {
      const { txid, ok, height, final, feeUnits, heldUnits = 0n } = seen
      return { event: { type: "transaction.mined", txid, ok, height, final, feeUnits, heldUnits } }
    }
    case "pending":
      return { event: { type: "transaction.pending" } }
    case "unseen":
      return { event: { type: "transaction.unseen" } }
    case "excluded":
      return { event: seen.final ? { type: "transaction.excluded", by: seen.by } : { type: "transaction.pending" } }
  }
}

/** A bump is a new signature: while stopped a deposit waits for its block with the fee that it has. */
function isStuck({ data, nowMs, stopped }: Job, kind: TransactionPurpose): boolean {
  const { sentAt, signed } = data.transactions[kind]
  if (stopped && (kind === "approve" || kind === "deposit")) return false
  return sentAt !== null && nowMs - sentAt > data.policy.stuckAfterMs * signed.length
}
