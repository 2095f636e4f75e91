import { isDeepStrictEqual } from "node:util"
import type { OrderData } from "#order/data.ts"
import type { Order, Step } from "#order/step.ts"
import type { WorkKind } from "#order/work.ts"
import type { Remembering } from "../context.ts"

/*
 * Tries that find nothing new (ADR 29). An order that waits asks its chains and its service again
 * and again. Such a try writes nothing: its next time is in memory, together with the few values
 * that every try changes. A restart tries again at once, which costs a read.
 */

/**
 * An order's row is written at least this often while it waits, so that readers of the file see its
 * last observation.
 */
const WRITTEN_EVERY_MS = 10 * 60_000
/**
 * The wait for a payout that is due leads to an alarm, so a crash may forget only so much of it.
 */
const WAIT_WRITTEN_EVERY_MS = 60_000

/** Work that only reads: its repetition costs nothing else. */
const READS: readonly WorkKind[] = [
  "observeOrder",
  "observeTransaction",
  "observeInitiation",
  "proveUnfunded",
]

type Context = Remembering

/**
 * Is the step only another try of the same read, with the answers of the one before? `writtenAtMs`:
 * the last write of the order's row.
 */
export function isUnchangedTry(
  before: Order,
  { order: after, next }: Step,
  atMs: number,
  writtenAtMs: number,
): boolean {
  if (next === null || before.state !== after.state || !READS.includes(next.work.kind)) return false
  const mostMs = after.data.seen.payoutWait == null ? WRITTEN_EVERY_MS : WAIT_WRITTEN_EVERY_MS
  const ageMs = atMs - writtenAtMs
  return ageMs >= 0 && ageMs < mostMs && isSameData(before.data, after.data)
}

/** The order as its last try left it. `workId`: the number of the work that is tried. */
export function withLastTry({ memory }: Context, order: Order, workId: number): Order {
  const last = memory.tries.get(order.data.id)
  if (last === undefined || last.workId !== workId) return order
  const { tries, waitMs, seen } = last
  return { ...order, data: { ...order.data, tries, waitMs, seen: { ...order.data.seen, ...seen } } }
}

/** The tries of the work since the order's row was written. */
export function countTries({ memory }: Context, { data }: Order, workId: number): number {
  const last = memory.tries.get(data.id)
  return last?.workId === workId ? last.tries - data.tries : 0
}

export function keepLastTry({ memory }: Context, { data }: Order, workId: number): void {
  const { tries, waitMs, seen } = data
  const { sourceHeight, payoutWait = null, payoutLock } = seen
  const lock = payoutLock === undefined ? {} : { payoutLock }
  memory.tries.set(data.id, { workId, tries, waitMs, seen: { sourceHeight, payoutWait, ...lock } })
}

/** The order's row is written, so it has everything. */
export function dropLastTry({ memory }: Context, orderId: string): void {
  memory.tries.delete(orderId)
}

function isSameData(before: OrderData, after: OrderData): boolean {
  const old = steadyOf(before)
  const fresh = steadyOf(after)
  // CAST: the keys of an object that was built here.
  const names = Object.keys(fresh) as (keyof typeof fresh)[]
  return (
    names.length === Object.keys(old).length &&
    names.every((name) => old[name] === fresh[name] || isDeepStrictEqual(old[name], fresh[name]))
  )
}

/** Everything but the values that each try changes: heights grow, and confirmations are counted. */
function steadyOf({ tries, waitMs, seen, serviceOrder, ...others }: OrderData) {
  const { sourceHeight, payoutWait, payoutLock, ...onChain } = seen
  const withoutCount = (leg: NonNullable<typeof serviceOrder>["source"]) => ({
    ...leg,
    currentConfirmations: 0,
  })
  const report = serviceOrder && {
    ...serviceOrder,
    source: withoutCount(serviceOrder.source),
    destination: withoutCount(serviceOrder.destination),
  }
  const lockEnds = payoutLock?.refundableAt ?? null
  return { ...others, onChain, report, isPayoutDue: payoutWait != null, lockEnds }
}
