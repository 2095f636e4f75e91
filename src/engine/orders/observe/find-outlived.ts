import { AppError } from "#lib/app-error.ts"
import { listOpenEarlier } from "#order/data.ts"
import type { OutlivedNews } from "#order/events.ts"
import { stakeOf } from "../leg-queries.ts"
import { chainOfPurpose, type Job } from "./job.ts"
import { type AttemptObservation, landedTransaction } from "./observe-transaction.ts"
import { readInTime } from "./read-in-time.ts"

/**
 * News of the transactions whose place a later one took by the time alone (`isOutlived`). Both may
 * land where no nonce makes them exclude each other, and each costs its fee. Nothing waits for them
 * but the order's end. Never throws an AppError: a read that fails is tried again.
 */
export async function findOutlivedNews(
  job: Job,
): Promise<{ readonly outlived?: readonly OutlivedNews[] }> {
  const all = await Promise.all(listOpenEarlier(job.data).map((one) => readNews(job, one)))
  const outlived = all.filter((news) => news !== null)
  return outlived.length === 0 ? {} : { outlived }
}

type Outlived = ReturnType<typeof listOpenEarlier>[number]

async function readNews(job: Job, outlived: Outlived): Promise<OutlivedNews | null> {
  try {
    return judge(job, outlived, await observe(job, outlived))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    job.context.log.warn(
      { order: job.data.id, txid: outlived.txid, err: error },
      "An earlier transaction could not be observed; it is tried again",
    )
    return null
  }
}

async function observe(job: Job, { purpose, txid, raw, plan }: Outlived) {
  const chain = chainOfPurpose(job, purpose)
  const read = () => chain.observeTransaction({ txid, raw, plan }, stakeOf(job.data))
  const seen = await readInTime(job.context, `${job.data.id} earlier ${txid}`, read)
  return { ...seen, txid }
}

function judge(
  { data, nowMs }: Job,
  { purpose, txid, openSince = nowMs }: Outlived,
  seen: AttemptObservation,
): OutlivedNews | null {
  const known = data.mined.find((one) => one.txid === txid) ?? null
  const isShown = seen.status === "mined" && seen.isAlone !== true
  const landed = isShown ? landedTransaction(purpose, seen) : null
  if (landed !== null) {
    const isNew = known?.height !== landed.height || known.ok !== landed.ok || landed.final
    return isNew ? { txid, landed, isOver: landed.final } : null
  }
  const isProven = seen.status === "excluded" && seen.final
  if (isProven || nowMs - openSince > LATEST_MS) return { txid, landed: null, isOver: true }
  return known === null ? null : { txid, landed: null, isOver: false }
}

/**
 * Far beyond the life of any bytes that expire. A pruned endpoint never proves their end, and the
 * order does not wait for it for ever.
 */
const LATEST_MS = 60 * 60_000
