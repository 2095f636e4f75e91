import { chainOf } from "#domain/asset.ts"
import type { WorkRow } from "#journal/port.ts"
import { AppError, toAppError } from "#lib/app-error.ts"
import type { UntimedOrderEvent } from "#order/events.ts"
import { decodeOrder, step } from "#order/step.ts"
import type { Work } from "#order/work.ts"
import { isPaused } from "./admission.ts"
import type { EngineContext } from "./context.ts"
import { isolateIfDamaged, readWork } from "./isolate-damaged.ts"
import { createLanes } from "./lanes.ts"
import { type Job, reasonOf } from "./perform/job.ts"
import { applyEvent, MAX_DELAY_MS, type WorkResult } from "./stepper.ts"
import { entryOf } from "./work-table.ts"

const MAX_CONCURRENT = 16
/** `poll` reads the outbox this far ahead, to know when to poll again. */
const HORIZON_MS = 1_000
const PAUSED_RECHECK_MS = 500
const RESOURCE_RECHECK_MS = 500
const IGNORED_RECHECK_MS = 5_000
/** Work is tried again after at most this time, even if a node asks for a longer wait. */
const MAX_ASKED_WAIT_MS = 60_000

/** Takes due work from the outbox, performs it, and applies its result to the order. */
export type Worker = {
  /** Starts all due work and returns the time of the next due work, or `null`. Does not wait for the work itself. */
  readonly poll: () => number | null
  /** Resolves when all running work has ended. */
  readonly idle: () => Promise<void>
  /** Resolves when all running work that signs or sends has ended. */
  readonly spendingIdle: () => Promise<void>
}

export function createWorker(context: EngineContext, wake: () => void): Worker {
  const running = new Map<number, { promise: Promise<void>; spends: boolean }>()
  const lanes = createLanes()

  function poll(): number | null {
    const free = MAX_CONCURRENT - running.size
    if (free <= 0) return null
    const nowMs = context.clock.now()
    // No work waits longer than MAX_DELAY_MS. A row that is due later was written before the clock was set back, so it is due now.
    const farMs = nowMs + MAX_DELAY_MS
    const isDue = ({ dueAtMs }: WorkRow): boolean => dueAtMs <= nowMs || dueAtMs > farMs
    const soon = context.journal
      .listDueWork(nowMs + HORIZON_MS, 4 * MAX_CONCURRENT, farMs)
      .filter(({ id }) => !running.has(id))
    for (const row of soon.filter(isDue).slice(0, free)) start(row)
    return soon.find(({ id }) => !running.has(id))?.dueAtMs ?? null
  }

  function start(row: WorkRow): void {
    const work = readWork(context, row)
    if (work === null) return
    const promise = perform(context, lanes, row, work)
      .catch((error: unknown) => {
        if (isolateIfDamaged(context, row, error)) return
        context.log.error({ order: row.orderId, work: work.kind, err: error }, "Work ended in an unexpected error")
        // The journal itself may have failed, so the pause before the next try is kept in memory.
        return context.clock.sleep(IGNORED_RECHECK_MS)
      })
      .then(() => {
        running.delete(row.id)
        wake()
      })
    running.set(row.id, { promise, spends: entryOf(work).spends })
  }

  const wait = async (pick: (entry: { spends: boolean }) => boolean): Promise<void> => {
    await Promise.all([...running.values()].filter(pick).map(({ promise }) => promise))
  }
  return { poll, idle: () => wait(() => true), spendingIdle: () => wait(({ spends }) => spends) }
}

async function perform(
  context: EngineContext,
  lanes: ReturnType<typeof createLanes>,
  row: WorkRow,
  work: Work,
): Promise<void> {
  const stored = context.journal.findOrder(row.orderId)
  // The row may be gone since the poll listed it, because an operator has abandoned the order.
  if (stored === null || !context.journal.hasWork(row.id)) return
  const { data } = decodeOrder(stored.snapshot)
  const entry = entryOf(work)
  const paused = context.settings.mode === "observe" || isPaused(context, data.rule, data.request.from)
  const isFirstTry = row.begun === 0 && data.tries === 0
  if (paused && entry.whilePaused(work, { data, isFirstTry }) === "waits") {
    context.journal.postponeWork(row.id, context.clock.now() + PAUSED_RECHECK_MS)
    return
  }
  const job: Job = {
    context,
    data,
    repeated: !isFirstTry,
    workId: row.id,
    paused,
    begin: () => {
      if (row.begun === 0) context.journal.beginWork(row.id)
    },
    nowMs: context.clock.now(),
  }
  const run = (): Promise<void> => performAndApply(job, row, work)
  if (entry.lane === null) return run()
  return lanes.run(entry.lane === "account" ? chainOf(data.request.from) : entry.lane, run)
}

async function performAndApply(job: Job, row: WorkRow, work: Work): Promise<void> {
  const { context } = job
  let result: WorkResult
  try {
    result = await entryOf(work).perform(job, work)
    if (applyResult(context, row, result)) return
  } catch (error) {
    result = { event: toEvent(job, row, work, error) }
    if (isStale(error) || applyResult(context, row, result)) return
  }
  context.log.error(
    { order: row.orderId, work: work.kind, event: result.event.type },
    "The order ignored the result of its own work",
  )
  if (context.journal.hasWork(row.id)) context.journal.postponeWork(row.id, context.clock.now() + IGNORED_RECHECK_MS)
}

function applyResult(context: EngineContext, row: WorkRow, result: WorkResult): boolean {
  try {
    return applyEvent(context, row.orderId, result, row.id).changed
  } catch (error) {
    if (isStale(error)) return true
    throw error
  }
}

/** The outbox row is gone: another event has changed the order, so this result no longer matters. */
function isStale(error: unknown): boolean {
  return error instanceof AppError && error.code === "journal.stale_work"
}

/** Turns an error into an event by its disposition. An error of an unknown kind counts as transient, and is logged. */
function toEvent(job: Job, row: WorkRow, work: Work, error: unknown): UntimedOrderEvent {
  const known = toAppError(error, { code: "engine.unexpected", disposition: "transient" })
  const { context } = job
  const reasons = [reasonOf(known)]
  const fields = { order: row.orderId, work: work.kind, code: known.code, err: known }
  const later = deferredBy(known)
  switch (known.disposition) {
    case "transient":
    case "uncertain":
    case "aborted":
      if (known.code !== "journal.resource_taken") context.log.warn(fields, "Work is deferred")
      return later
    case "refused":
    case "fatal": {
      context.log.error(fields, "Work was refused")
      const type = entryOf(work).onRefused(work)
      return type === "work.deferred" ? later : ifHandled({ type, reasons })
    }
    case "hold":
    case "bug": {
      context.log.error(fields, "Work cannot go on")
      // Without a verified deposit nothing is at stake, so the order ends.
      return ifHandled({ type: job.data.deposit === null ? "order.declined" : "order.held", reasons })
    }
  }

  function ifHandled(event: UntimedOrderEvent): UntimedOrderEvent {
    const order = decodeOrder(context.journal.findOrder(row.orderId)?.snapshot ?? "")
    return step(order, { ...event, at: job.nowMs }).changed ? event : later
  }
}

function deferredBy(error: AppError): UntimedOrderEvent {
  // Another order frees the resource soon, so the wait does not grow with each try.
  const askedMs = error.code === "journal.resource_taken" ? RESOURCE_RECHECK_MS : error.details["retryAfterMs"]
  const waitMs = typeof askedMs === "number" ? { waitMs: Math.min(askedMs, MAX_ASKED_WAIT_MS) } : {}
  return { type: "work.deferred", reasons: [reasonOf(error)], ...waitMs }
}
