import type { ChainPort, LegObservation } from "#ports/chain.ts"
import { type LegSide, noteLegRead, noteLegUnread } from "../../watches/unread-legs.ts"
import { destinationQuery, sourceQuery } from "../leg-queries.ts"
import { destinationChain, type Job, sourceChain } from "./job.ts"
import { estimateLock, type PayoutLock } from "./payout-lock.ts"
import { readInTime } from "./read-in-time.ts"

/**
 * Reads one leg of the order in `READ_WAIT_MS`; `null` when it cannot be read. The engine remembers
 * since when, and the callers go on with the facts that were known before.
 */
export function readLegOrNull(job: Job, side: LegSide): Promise<LegObservation | null> {
  return readOrNull(job, side, `${job.data.id} ${side}`, () => observeSide(job, side))
}

/**
 * As `readLegOrNull`, without an answer to an earlier question. A payout must be exactly the
 * verified one.
 */
export function readFreshOrNull(job: Job, side: LegSide): Promise<LegObservation | null> {
  const key = `${job.data.id} ${side} ${job.nowMs}`
  return readOrNull(job, side, key, () => observeSide(job, side, side === "destination"))
}

async function readOrNull(
  job: Job,
  side: LegSide,
  key: string,
  read: () => Promise<LegObservation>,
): Promise<LegObservation | null> {
  const { context, data } = job
  try {
    const leg = await readInTime(context, key, read)
    noteLegRead(context, data.id, side)
    return leg
  } catch (error) {
    noteLegUnread(context, data, side, error)
    job.noteUnread?.(error)
    context.log.warn(
      { order: data.id, side, err: error },
      "A leg could not be read; the other reads still count",
    )
    return null
  }
}

/** The chain's height; `null` when it cannot be read. */
export async function readHeadOrNull(job: Job, side: LegSide): Promise<bigint | null> {
  const { context, data } = job
  const chain = chainOfSide(job, side)
  try {
    return await readInTime(context, `${data.id} ${side} head`, () => chain.fetchHeight())
  } catch (error) {
    context.log.warn(
      { order: data.id, side, err: error },
      "The height of a chain could not be read",
    )
    return null
  }
}

/**
 * The payout and its lock. Without the payout the lock is estimated, so that no failed read delays
 * a redemption.
 */
export async function readPayoutLock(
  job: Job,
): Promise<{ readonly payout: LegObservation | null; readonly lock: PayoutLock }> {
  const payout = await readFreshOrNull(job, "destination")
  if (payout !== null && payout.refundableAt !== null) return { payout, lock: payout }
  return {
    payout,
    lock: estimateLock(
      job.data,
      payout?.height ?? (await readHeadOrNull(job, "destination")),
      job.nowMs,
    ),
  }
}

/** Asynchronous, because a query of an incomplete order throws. */
async function observeSide(job: Job, side: LegSide, isExact = false): Promise<LegObservation> {
  const chain = chainOfSide(job, side)
  const query = side === "source" ? sourceQuery(job.data) : destinationQuery(job.data, chain.traits)
  return chain.observeLeg(isExact ? { ...query, isExact } : query)
}

function chainOfSide(job: Job, side: LegSide): ChainPort {
  return side === "source" ? sourceChain(job) : destinationChain(job)
}
