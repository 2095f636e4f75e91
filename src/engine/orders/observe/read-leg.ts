import type { PayoutLock } from "#domain/time-to-redeem.ts"
import { wasRefundSigned } from "#order/data.ts"
import type { LegObservation, LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import { noteHeight } from "../../watches/first-heights.ts"
import { isLegUnread, type LegSide, noteLegRead, noteLegUnread } from "../../watches/unread-legs.ts"
import { destinationQuery, sourceQuery } from "../leg-queries.ts"
import { configuredChains, destinationChain, type Job, sourceChain } from "./job.ts"
import { estimateLock, growLock } from "./payout-lock.ts"
import { type Dated, readDatedInTime, readInTime } from "./read-in-time.ts"

/**
 * Reads one leg of the order in `READ_WAIT_MS`; `null` when it cannot be read. The engine remembers
 * since when, and the callers go on with the facts that were known before.
 */
export async function readLegOrNull(job: Job, side: LegSide): Promise<LegObservation | null> {
  const dated = await readOrNull(job, side, `${job.data.id} ${side}`, () => observeSide(job, side))
  return dated?.value ?? null
}

/**
 * The payout as `readLegOrNull` reads it, where an empty answer concludes something
 * (`provesAbsence`).
 */
export async function readAbsenceOrNull(job: Job): Promise<LegObservation | null> {
  const read = () => observeSide(job, "destination", { provesAbsence: true })
  return (await readOrNull(job, "destination", `${job.data.id} absence`, read))?.value ?? null
}

/**
 * As `readLegOrNull`, for our redemption: a payout must be exactly the verified one, and the answer
 * names its age. At a node with a limit of requests a look takes longer than the wait. The next try
 * joins it, so that it ends at all, and counts with `sinceMs`.
 */
export function readDatedOrNull(job: Job, side: LegSide): Promise<DatedLeg | null> {
  return readOrNull(job, side, exactKey(job, side), () =>
    observeSide(job, side, side === "destination" ? EXACT : {}),
  )
}

/** As `readDatedOrNull`, where nothing goes on without the payout. Throws what the read throws. */
export async function readExactPayout(job: Job): Promise<DatedLeg> {
  const read = () => observeSide(job, "destination", EXACT)
  const key = exactKey(job, "destination")
  const dated = await readDatedInTime(job.context, key, read, PROOF_WAIT_MS)
  noteLegRead(job.context, job.data.id, "destination")
  return dated
}

/** A secret that is not told yet can wait for a slow look. */
const PROOF_WAIT_MS = 60_000

function exactKey({ data }: Job, side: LegSide): string {
  return `${data.id} ${side} exact`
}

type DatedLeg = Dated<LegObservation>

async function readOrNull(
  job: Job,
  side: LegSide,
  key: string,
  read: () => Promise<LegObservation>,
): Promise<DatedLeg | null> {
  const { context, data } = job
  try {
    const leg = await readDatedInTime(context, key, read)
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

/**
 * Whether the deposit has left its HTLC by the chain's state alone, where its leg could not be
 * read: strangers can make a history too long for a whole lock. Our secret protects nothing then.
 * `false` without such a state, and where it cannot be read.
 */
export async function isDepositGone(job: Job): Promise<boolean> {
  const { context, data } = job
  const { ownSecret, seen } = data
  const { closing } = configuredChains(job).source ?? {}
  const opened = seen.sourceInitiated
  // A secret that is told, or lost with its payout, needs no such look.
  const { status, isTold, isShown } = ownSecret ?? { status: "lost" }
  const isOpen = status !== "lost" && isTold !== true && isShown !== true
  if (closing === undefined || !isOpen || opened?.final !== true) return false
  if (wasRefundSigned(data)) return false
  try {
    return await readInTime(context, `${data.id} source closed`, () =>
      closing.isClosed(sourceQuery(data), opened.height),
    )
  } catch (error) {
    context.log.warn(
      { order: data.id, err: error },
      "Whether the deposit has left its HTLC could not be read",
    )
    return false
  }
}

/** The chain's height; `null` when it cannot be read. */
export async function readHeadOrNull(job: Job, side: LegSide): Promise<bigint | null> {
  const { context, data } = job
  try {
    return await readInTime(context, `${data.id} ${side} head`, () =>
      chainOfSide(job, side).fetchHeight(),
    )
  } catch (error) {
    context.log.warn(
      { order: data.id, side, err: error },
      "The height of a chain could not be read",
    )
    return null
  }
}

/**
 * The payout and its lock as they are now. The chain has grown since an older look began, and
 * without the payout the lock is estimated, so that no slow or failed read delays a redemption.
 */
export async function readPayoutLock(
  job: Job,
): Promise<{ readonly payout: LegObservation | null; readonly lock: PayoutLock }> {
  const readHead = () => readHeadOrNull(job, "destination")
  // A silent node is waited for once, and not for each of the two reads.
  const isSilent = isLegUnread(job.context, job.data.id, "destination")
  const beside = isSilent ? readHead() : null
  const dated = await readDatedOrNull(job, "destination")
  const payout = dated?.value ?? null
  if (dated !== null && payout !== null && payout.refundableAt !== null) {
    const ageMs = Math.abs(job.context.clock.now() - dated.sinceMs)
    return { payout, lock: growLock(job.data, payout, ageMs) }
  }
  return {
    payout,
    lock: estimateLock(job.data, payout?.height ?? (await (beside ?? readHead())), job.nowMs),
  }
}

type Care = Pick<LegQuery, "isExact" | "provesAbsence">

const EXACT: Care = { isExact: true }

/** Asynchronous, because a query of an incomplete order throws. */
async function observeSide(job: Job, side: LegSide, care: Care = {}): Promise<LegObservation> {
  const chain = chainOfSide(job, side)
  const query = side === "source" ? sourceQuery(job.data) : destinationQuery(job.data, chain.traits)
  const leg = await chain.observeLeg({ ...query, ...care })
  noteHeight(job.context, chain.chain, leg.height)
  return leg
}

function chainOfSide(job: Job, side: LegSide): ChainPort {
  return side === "source" ? sourceChain(job) : destinationChain(job)
}
