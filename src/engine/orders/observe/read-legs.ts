import type { ServiceOrder } from "#domain/leg.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import { awaitsPayout, learntWaitMs } from "../../rules/route-waits.ts"
import type { Job } from "./job.ts"
import { isDepositGone, readLegOrNull } from "./read-leg.ts"

/**
 * A look at both legs serves for so long while the service reports nothing new. A theft becomes an
 * alarm after a longer time (`find-alerts.ts`).
 */
const READ_SERVES_MS = 5_000

/** `null`: the leg could not be read. `isGone`: then, the deposit has left its HTLC. */
type Legs = {
  readonly isGone: boolean
  readonly source: LegObservation | null
  readonly payout: LegObservation | null
}

/**
 * Reads both legs of the order. `null`: no news is to be expected, so no leg was read to its end.
 *
 * An order that only awaits its payout asks its service more often than its nodes. They are asked
 * when the service reports an end, when a head tells an event (`head-watch.ts`), and in any case
 * five seconds after the last look. A look that shows our deposit in its block is one: nothing is
 * paid in the same moment. The service's report only chooses the moment: what the nodes show
 * decides.
 */
export async function readLegs(
  job: Job,
  report: ServiceOrder | null,
  readPayout: () => Promise<LegObservation | null>,
): Promise<Legs | null> {
  const { data, context } = job
  const { legReads } = context.memory
  const readSource = (): Promise<LegObservation | null> => readLegOrNull(job, "source")
  const known = isReadRecent(job) ? report : null
  if (known !== null && !reportsEnd(known)) return null
  if (known !== null && known.destination.redeemTx !== null) {
    const payout = await readPayout()
    if (payout !== null && isOpen(payout)) return null
    return toLegs(job, await readSource(), payout)
  }
  const [source, payout] = await Promise.all([readSource(), readPayout()])
  if (source?.agreed === true && payout?.agreed === true) legReads.set(data.id, job.nowMs)
  else legReads.delete(data.id)
  return toLegs(job, source, payout)
}

async function toLegs(
  job: Job,
  source: LegObservation | null,
  payout: LegObservation | null,
): Promise<Legs> {
  return { source, payout, isGone: source === null && (await isDepositGone(job)) }
}

/**
 * The wait after such a look, until payouts of the route usually come; `undefined`: the usual one.
 */
export function waitWithoutLegs(job: Job, report: ServiceOrder | null): number | undefined {
  const { state, data, nowMs, context } = job
  if (state === undefined || report === null || reportsEnd(report)) return undefined
  const waitMs = learntWaitMs(context, { state, data }, nowMs)
  return waitMs === data.waitMs ? undefined : waitMs
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
