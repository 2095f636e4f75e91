import type { ChainPort } from "#chains/port.ts"
import type { MoveObservation } from "#domain/move.ts"
import type { MinedMove, MoveKind, MoveTrack } from "#order/data.ts"
import type { Outcome } from "../stepper.ts"
import { isTooLate, type Job, type Performer, sourceChain } from "./job.ts"

export type Seen = MoveObservation & { readonly txid: string }

/** Plain read: what our own nodes say of a sent move, all its attempts together. */
export function observeMove(kind: MoveKind): Performer {
  return async (job) => {
    const chain = sourceChain(job)
    if (kind === "void") {
      const deposit = await observeAttempts(chain, job.data.moves.deposit)
      if (deposit.status === "mined") return { fact: { type: "deposit.unsettled" } }
    }
    const seen = await observeAttempts(chain, job.data.moves[kind])
    if (kind === "approve" && isTooLate(job) && (seen.status === "pending" || seen.status === "unseen"))
      return { fact: { type: "move.late" } }
    if (seen.status !== "pending") return tellSeen(job, kind, seen)
    // Bitcoin's deadline asks for a deposit to be seen, which it is; elsewhere a late deposit would only wait for its refund.
    if (kind === "deposit" && chain.family !== "bitcoin" && isTooLate(job)) return { fact: { type: "move.late" } }
    return isStuck(job, kind) ? { fact: { type: "move.stuck" } } : toFact(seen)
  }
}

/** Newest attempt first: a mined one decides; as long as one may still land, none is excluded. */
export async function observeAttempts(chain: ChainPort, track: MoveTrack): Promise<Seen> {
  const seen: Seen[] = []
  for (const move of track.signed.toReversed()) {
    const observation = { ...(await chain.observeMove(move)), txid: move.txid }
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
export async function tellSeen(job: Job, kind: MoveKind, seen: Seen): Promise<Outcome> {
  const outcome = toFact(seen)
  const { fact } = outcome
  const isOver = fact.type === "move.excluded" || (fact.type === "move.mined" && fact.final)
  const rival = kind === "revoke" ? "approve" : kind === "deposit" ? "void" : null
  if (!isOver || rival === null) return outcome
  const { signed } = job.data.moves[rival]
  const isKnown = signed.some(({ txid }) => job.data.mined.some((move) => move.txid === txid && move.final))
  if (isKnown || signed.length === 0) return outcome
  const landed = landedMove(rival, await observeAttempts(sourceChain(job), job.data.moves[rival]))
  return landed === null ? outcome : { fact: { ...fact, landed } }
}

export function landedMove(kind: MoveKind, seen: Seen): MinedMove | null {
  if (seen.status !== "mined") return null
  const { txid, ok, height, final, feeUnits } = seen
  return { kind, txid, ok, height, final, feeUnits, heldUnits: 0n }
}

function toFact(seen: Seen): Outcome {
  switch (seen.status) {
    case "mined": {
      const { txid, ok, height, final, feeUnits, heldUnits = 0n } = seen
      return { fact: { type: "move.mined", txid, ok, height, final, feeUnits, heldUnits } }
    }
    case "pending":
      return { fact: { type: "move.pending" } }
    case "unseen":
      return { fact: { type: "move.unseen" } }
    case "excluded":
      return { fact: seen.final ? { type: "move.excluded", by: seen.by } : { type: "move.pending" } }
  }
}

/** A bump is a new signature: while stopped a deposit waits for its block with the fee that it has. */
function isStuck({ data, nowMs, stopped }: Job, kind: MoveKind): boolean {
  const { sentAt, signed } = data.moves[kind]
  if (stopped && (kind === "approve" || kind === "deposit")) return false
  return sentAt !== null && nowMs - sentAt > data.policy.stuckAfterMs * signed.length
}
