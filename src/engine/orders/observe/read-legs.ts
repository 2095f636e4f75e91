import type { ServiceOrder } from "#domain/leg.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import { awaitsPayout } from "../../rules/route-waits.ts"
import type { Job } from "./job.ts"
import { readLegOrNull } from "./read-leg.ts"

/**
 * A look at both legs serves for so long while the service reports nothing new. A theft becomes an
 * alarm after a longer time (`find-alerts.ts`).
 */
const READ_SERVES_MS = 5_000

/** `null`: the leg could not be read, or was not asked for. */
type Legs = {
  readonly source: LegObservation | null
  readonly payout: LegObservation | null
  /** No head covers an order of which one leg was not asked for. */
  readonly cover?: { readonly covers: () => boolean }
}

/**
 * Reads both legs of the order. `null`: no news is to be expected, so no leg was read to its end.
 *
 * An order that only awaits its payout asks its service more often than its nodes. They are asked
 * when the service reports an end, when a head tells an event (`head-watch.ts`), and in any case
 * five seconds after the last look. The service's report only chooses the moment: what the nodes
 * show decides.
 */
export async function readLegs(
  job: Job,
  report: ServiceOrder | null,
  readPayout: () => Promise<LegObservation | null>,
): Promise<Legs | null> {
  const { data, context } = job
  const readSource = (): Promise<LegObservation | null> => readLegOrNull(job, "source")
  const { legReads } = context.memory
  if (isFirstRead(job, report)) {
    const source = await readSource()
    if (source?.agreed === true) legReads.set(data.id, job.nowMs)
    return { source, payout: null, cover: { covers: () => false } }
  }
  const known = isReadRecent(job) ? report : null
  if (known !== null && !reportsEnd(known)) return null
  if (known !== null && known.destination.redeemTx !== null) {
    const payout = await readPayout()
    return payout !== null && isOpen(payout) ? null : { source: await readSource(), payout }
  }
  const [source, payout] = await Promise.all([readSource(), readPayout()])
  if (source?.agreed === true && payout?.agreed === true) legReads.set(data.id, job.nowMs)
  else legReads.delete(data.id)
  return { source, payout }
}

/**
 * Our own deposit was seen in its block a moment ago, and by the word of the service nothing is
 * paid yet. The source is read in any case.
 */
function isFirstRead(job: Job, report: ServiceOrder | null): boolean {
  const { data, nowMs, context } = job
  const isNew = data.tries === 0 && isRecent(nowMs, data.stateSince)
  const isOurs = data.transactions.deposit.mined !== null && !context.memory.legReads.has(data.id)
  return isNew && isOurs && awaits(job) && report !== null && !reportsEnd(report)
}

function isReadRecent(job: Job): boolean {
  const readMs = job.context.memory.legReads.get(job.data.id)
  return readMs !== undefined && isRecent(job.nowMs, readMs) && awaits(job)
}

function awaits({ state, data }: Job): boolean {
  return state !== undefined && awaitsPayout(state, data)
}

function isRecent(nowMs: number, atMs: number): boolean {
  return Math.abs(nowMs - atMs) < READ_SERVES_MS
}

function reportsEnd({ source, destination }: ServiceOrder): boolean {
  return [source, destination].some((leg) => leg.redeemTx !== null || leg.refundTx !== null)
}

/** The endpoints agree that it is not redeemed, so the report is ahead of its block. */
function isOpen({ agreed, redeemed, refunded }: LegObservation): boolean {
  return agreed && redeemed === null && refunded === null
}
