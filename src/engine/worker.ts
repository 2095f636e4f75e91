import { type AssetId, chainOf } from "#domain/asset.ts"
import type { WorkRow } from "#journal/port.ts"
import { AppError, toAppError } from "#lib/app-error.ts"
import type { OrderData } from "#order/data.ts"
import { approvableUntil } from "#order/data.ts"
import type { UntimedOrderEvent } from "#order/events.ts"
import { decodeOrder, step } from "#order/step.ts"
import type { Work } from "#order/work.ts"
import { isPaused } from "./admission.ts"
import type { EngineContext } from "./context.ts"
import { createLanes } from "./lanes.ts"
import { broadcastTransaction } from "./perform/broadcast-transaction.ts"
import { bumpTransaction } from "./perform/bump-transaction.ts"
import { checkAllowance } from "./perform/check-allowance.ts"
import { createOrder } from "./perform/create-order.ts"
import { fetchQuote } from "./perform/fetch-quote.ts"
import { observeInitiation, signTypedData, submitSignature } from "./perform/gasless.ts"
import { type Job, type Performer, reasonOf } from "./perform/job.ts"
import { observeOrder } from "./perform/observe-order.ts"
import { observeTransaction } from "./perform/observe-transaction.ts"
import { planTransaction } from "./perform/plan-transaction.ts"
import { signTransaction } from "./perform/sign-transaction.ts"
import { verifyOrder } from "./perform/verify-order.ts"
import { applyEvent, decodeWork, MAX_DELAY_MS, type WorkResult } from "./stepper.ts"

const MAX_CONCURRENT = 16
/** How far ahead the outbox is read to know when to look again. */
const HORIZON_MS = 1_000
const PAUSED_RECHECK_MS = 500
const RESOURCE_RECHECK_MS = 500
const IGNORED_RECHECK_MS = 5_000
/** However long somebody asks us to wait, an order is looked at again after this. */
const MAX_ASKED_WAIT_MS = 60_000

/** Takes due work from the outbox, does it, and applies what came of it. */
export type Worker = {
  /** Starts what is due; resolves with the time of the next due work, or `null`. Does not wait for the work itself. */
  readonly poll: () => number | null
  /** Resolves when nothing is being done any more. */
  readonly idle: () => Promise<void>
  /** Resolves when no signature is being made and no deposit sent. */
  readonly spendingIdle: () => Promise<void>
}

export function createWorker(context: EngineContext, wake: () => void): Worker {
  const running = new Map<number, { promise: Promise<void>; spends: boolean }>()
  const lanes = createLanes()

  function poll(): number | null {
    const room = MAX_CONCURRENT - running.size
    if (room <= 0) return null
    const nowMs = context.clock.now()
    // Nothing is ever put off for longer: what is, was written by a clock that has been set back since, and would wait for it to come again.
    const farMs = nowMs + MAX_DELAY_MS
    const isDue = ({ dueAtMs }: WorkRow): boolean => dueAtMs <= nowMs || dueAtMs > farMs
    const soon = context.journal
      .listDueWork(nowMs + HORIZON_MS, 4 * MAX_CONCURRENT, farMs)
      .filter(({ id }) => !running.has(id))
    for (const row of soon.filter(isDue).slice(0, room)) start(row)
    return soon.find(({ id }) => !running.has(id))?.dueAtMs ?? null
  }

  function start(row: WorkRow): void {
    const work = decodeWork(row.body)
    const promise = perform(context, lanes, row, work)
      .catch((error: unknown) => {
        context.log.error({ order: row.orderId, work: work.kind, err: error }, "Work ended in an unexpected error")
        // The journal may be what failed, so the rest is kept in memory: the same work at once would fail as fast as it can.
        return context.clock.sleep(IGNORED_RECHECK_MS)
      })
      .then(() => {
        running.delete(row.id)
        wake()
      })
    running.set(row.id, { promise, spends: isSpending(work) })
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
  // What was asked of the list a moment ago may be over: a person gave the order up.
  if (stored === null || !context.journal.hasWork(row.id)) return
  const { data } = decodeOrder(stored.snapshot)
  const stopped = context.settings.mode === "observe" || isPaused(context, data.rule, data.request.from)
  if (stopped && isHeldBack(work, data, row.begun)) {
    context.journal.postponeWork(row.id, context.clock.now() + PAUSED_RECHECK_MS)
    return
  }
  const job: Job = {
    context,
    data,
    repeated: row.begun > 0 || data.tries > 0,
    stopped,
    begin: () => {
      if (row.begun === 0) context.journal.beginWork(row.id)
    },
    nowMs: context.clock.now(),
  }
  const run = (): Promise<void> => performAndApply(job, row, work)
  const lane = laneOf(work, data.request.from)
  return lane === null ? run() : lanes.run(lane, run)
}

async function performAndApply(job: Job, row: WorkRow, work: Work): Promise<void> {
  const { context } = job
  let outcome: WorkResult
  try {
    outcome = await performerOf(work)(job)
    if (settle(context, row, outcome)) return
  } catch (error) {
    outcome = { event: onError(job, row, work, error) }
    if (error instanceof AppError && error.code === "journal.stale_work") return
    if (settle(context, row, outcome)) return
  }
  context.log.error(
    { order: row.orderId, work: work.kind, event: outcome.event.type },
    "The order ignored the result of its own work",
  )
  if (context.journal.hasWork(row.id)) context.journal.postponeWork(row.id, context.clock.now() + IGNORED_RECHECK_MS)
}

function settle(context: EngineContext, row: WorkRow, outcome: WorkResult): boolean {
  try {
    return applyEvent(context, row.orderId, outcome, row.id).changed
  } catch (error) {
    if (error instanceof AppError && error.code === "journal.stale_work") return true
    throw error
  }
}

/** What an error says about the world decides how the order goes on; one that nobody translated counts as passing, and is logged. */
function onError(job: Job, row: WorkRow, work: Work, error: unknown): UntimedOrderEvent {
  const known = toAppError(error, { code: "engine.unexpected", disposition: "transient" })
  const { context } = job
  const reasons = [reasonOf(known)]
  const fields = { order: row.orderId, work: work.kind, code: known.code, err: known }
  const order = decodeOrder(context.journal.findOrder(row.orderId)?.snapshot ?? "")
  const handles = (event: UntimedOrderEvent): boolean => step(order, { ...event, at: job.nowMs }).changed
  // What another order holds is free again soon: no growing wait for that.
  const retryAfterMs = known.code === "journal.resource_taken" ? RESOURCE_RECHECK_MS : known.details["retryAfterMs"]
  const later: UntimedOrderEvent = {
    type: "work.deferred",
    reasons,
    ...(typeof retryAfterMs === "number" ? { waitMs: Math.min(retryAfterMs, MAX_ASKED_WAIT_MS) } : {}),
  }
  switch (known.disposition) {
    case "transient":
    case "uncertain":
    case "aborted":
      if (known.code !== "journal.resource_taken") context.log.warn(fields, "Work is put off")
      return later
    case "refused":
    case "fatal": {
      context.log.error(fields, "Work was refused")
      // Whatever was to be taken back is still out there: a no is no end of it, and a person must look.
      const orderEvent: UntimedOrderEvent = { type: takesBack(work) ? "order.held" : "order.declined", reasons }
      // What the service says to a signature its performer understands: this is another's no, and the signature may have left the house.
      if (work.kind === "submitSignature") return later
      return handles(orderEvent) ? orderEvent : later
    }
    case "hold":
    case "bug": {
      context.log.error(fields, "Work cannot go on")
      const early = job.data.deposit === null
      const orderEvent: UntimedOrderEvent = early
        ? { type: "order.declined", reasons }
        : { type: "order.held", reasons }
      return handles(orderEvent) ? orderEvent : later
    }
  }
}

function performerOf(work: Work): Performer {
  switch (work.kind) {
    case "fetchQuote":
      return fetchQuote
    case "createOrder":
      return createOrder
    case "verifyOrder":
      return verifyOrder
    case "expireApproval":
      return expireApproval
    case "checkAllowance":
      return checkAllowance
    case "planTransaction":
      return planTransaction(work.purpose)
    case "signTransaction":
      return signTransaction(work.purpose)
    case "broadcastTransaction":
      return broadcastTransaction(work.purpose)
    case "observeTransaction":
      return observeTransaction(work.purpose)
    case "bumpTransaction":
      return bumpTransaction(work.purpose)
    case "signTypedData":
      return signTypedData
    case "submitSignature":
      return submitSignature
    case "observeInitiation":
      return observeInitiation
    case "observeOrder":
      return observeOrder
  }
}

/** Plain read of the clock. */
const expireApproval: Performer = async ({ data, nowMs }) => {
  const leftMs = approvableUntil(data) - nowMs
  if (leftMs <= 0) return { event: { type: "approval.expired" } }
  return { event: { type: "work.deferred", reasons: data.reasons, waitMs: Math.min(leftMs, 60_000) } }
}

/**
 * Between counting and the commit that makes it count, nobody else may count: plans of one account (nonces, outpoints), and quotes (limits
 * in fiat).
 */
function laneOf(work: Work, from: AssetId): string | null {
  if (work.kind === "fetchQuote") return "quotes"
  return ["planTransaction", "bumpTransaction", "checkAllowance"].includes(work.kind) ? chainOf(from) : null
}

function isSpending(work: Work): boolean {
  return ["signTransaction", "broadcastTransaction", "signTypedData", "submitSignature"].includes(work.kind)
}

/** What is signed already is tried again: `broadcastTransaction` knows how long, and what to say then. */
function takesBack(work: Work): boolean {
  if (work.kind !== "planTransaction" && work.kind !== "signTransaction") return false
  return ["void", "refund", "revoke"].includes(work.purpose)
}

/**
 * What a pause stops: everything on the way to a new deposit. Bytes and signatures that are out, watching and refunds go on. What may be out
 * is looked at too; `job.stopped` keeps its performer from sending it again.
 */
function isHeldBack(work: Work, { gasless, transactions, tries }: OrderData, begun: number): boolean {
  const untried = begun === 0 && tries === 0
  if ("purpose" in work) {
    if (work.purpose !== "approve" && work.purpose !== "deposit") return false
    const { sentAt, signed } = transactions[work.purpose]
    if (work.kind === "broadcastTransaction") return untried && sentAt === null
    return work.kind === "planTransaction" || (work.kind === "signTransaction" && signed.length === 0)
  }
  const before = ["fetchQuote", "createOrder", "verifyOrder", "checkAllowance", "signTypedData"]
  return before.includes(work.kind) || (work.kind === "submitSignature" && untried && gasless?.submissions === 0)
}
