import { isDeepStrictEqual } from "node:util"
import type { ChainId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError, toAppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { UntimedOrderEvent } from "#order/events.ts"
import { step } from "#order/step.ts"
import type { Work } from "#order/work.ts"
import type { Durability } from "#ports/journal/durability.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { Ledger } from "#ports/journal/ledger.ts"
import type { NoticeStore } from "#ports/journal/notices.ts"
import type { OrderStore } from "#ports/journal/orders.ts"
import type { Outbox, WorkRow } from "#ports/journal/outbox.ts"
import { withUrgency } from "#ports/urgency.ts"
import type {
  Clocked,
  Configured,
  HasChains,
  HasJournal,
  HasServices,
  Logged,
  Remembering,
  WorkContext,
} from "../context.ts"
import type { DepositGate } from "../watches/deposit-gate.ts"
import type { HeadWatch } from "../watches/head-watch.ts"
import { forgetFault, noteFault } from "../watches/part-faults.ts"
import { findOrderStops } from "../watches/pause.ts"
import {
  type Candidate,
  chooseWork,
  laneOf,
  type Running,
  slotKeyOf,
  urgencyOf,
} from "./choose-work.ts"
import { isolateIfDamaged, readWork } from "./isolate-damaged.ts"
import { type Job, reasonOf, refuseIfGone } from "./observe/job.ts"
import { warnOfDelay } from "./observe/observe-transaction.ts"
import { untilHere } from "./outgoing-calls.ts"
import { noteLaneTurn } from "./pay/lane-turns.ts"
import { type KnownBumps, signsBump } from "./signs-bump.ts"
import { createSlots, type Slots } from "./slots.ts"
import { applyEvent, type WorkResult } from "./stepper.ts"
import { createTurnShare, type TurnShare } from "./turn-share.ts"
import { withLastTry } from "./unchanged-tries.ts"
import { entryOf } from "./work-table.ts"
import { createWorkWaits, type WorkWaits } from "./work-waits.ts"

/** `poll` reads the outbox this far ahead, to know when to poll again. */
const HORIZON_MS = 1_000
/** All rows: no waiting row may hide another one. */
const MOST_LISTED = Number.MAX_SAFE_INTEGER
const RESOURCE_RECHECK_MS = 500
const IGNORED_RECHECK_MS = 5_000
/** Work is tried again after at most this time, even if a node asks for a longer wait. */
const MAX_ASKED_WAIT_MS = 60_000

/** Takes due work from the outbox, performs it, and applies its result to the order. */
export type Worker = {
  /**
   * Starts the due work that has a free slot and lane, and returns the time of the next due work,
   * or `null`. Work that waits for a slot, a lane, a lock or the end of a pause is started by the
   * poll after the event that it waits for. Does not wait for the work itself.
   */
  readonly poll: () => number | null
  /** Resolves when all running work has ended. */
  readonly idle: () => Promise<void>
  /** Resolves when all running work that signs or sends has ended. */
  readonly spendingIdle: () => Promise<void>
}

export function createWorker(
  context: WorkContext,
  gate: Pick<DepositGate, "findReasons">,
  heads: Pick<HeadWatch, "noteObserved" | "covers">,
  wake: () => void,
): Worker {
  const running = new Map<number, Running & { readonly promise: Promise<void> }>()
  let refusals = context.journal.countRefused()
  const waits = createWorkWaits(context)
  const slots = createSlots()
  const bumps: KnownBumps = new WeakMap()
  const turns = createTurnShare(context.clock)
  const bindsLate = (chain: ChainId): boolean => context.chains.get(chain)?.nonces !== undefined

  function poll(): number | null {
    const nowMs = context.clock.now()
    const isDue = ({ dueAtMs, isAhead }: WorkRow): boolean => dueAtMs <= nowMs || isAhead
    const soon = context.journal
      .listDueWork(nowMs + HORIZON_MS, MOST_LISTED, nowMs)
      .filter(({ id }) => !running.has(id))
    restAfterRefusal(soon)
    const atWork = new Set([...running.values()].map(({ row }) => row.orderId))
    const due = waits
      .listReady(soon.filter(isDue), (orderId) => atWork.has(orderId))
      .flatMap((ready) => readOrRest(context, waits, bumps, ready))
    for (const candidate of chooseWork(due, [...running.values()], { ...slots, bindsLate }))
      start(candidate)
    return soon.find((row) => !isDue(row))?.dueAtMs ?? null
  }

  /**
   * The disk has refused the last steps, so the work that led to them is due again. Without a pause
   * a full disk would repeat its calls without end.
   */
  function restAfterRefusal(due: readonly WorkRow[]): void {
    const now = context.journal.countRefused()
    if (now !== refusals) for (const row of due) waits.rest(row, IGNORED_RECHECK_MS)
    refusals = now
  }

  function start(candidate: Candidate): void {
    const { row } = candidate
    waits.end(row)
    const endTurn = timeTurn(context, candidate, bindsLate)
    const leaveLane = (): void => {
      endTurn()
      const now = running.get(row.id)
      if (now !== undefined) running.set(row.id, { ...now, hasLeftLane: true })
      wake()
    }
    const holds = { waits, gate, heads, slots, turns, bindsLate, leaveLane }
    const promise = performNoted(context, holds, candidate).then(() => {
      endTurn()
      running.delete(row.id)
      wake()
    })
    running.set(row.id, { ...candidate, promise })
  }

  const wait = async (pick: (work: Work) => boolean): Promise<void> => {
    const picked = [...running.values()].filter(({ work }) => pick(work))
    await Promise.all(picked.map(({ promise }) => promise))
  }
  return {
    poll,
    idle: () => wait(() => true),
    spendingIdle: () => wait((work) => entryOf(work).spends),
  }
}

/** Measures until its first call how long a signature holds the lane of its account. */
function timeTurn(
  context: Clocked & Remembering<"laneTurns">,
  candidate: Candidate,
  bindsLate: Holds["bindsLate"],
): () => void {
  const lane = candidate.work.kind === "signTransaction" ? laneOf(candidate, bindsLate) : null
  const sinceMs = context.clock.now()
  let isOver = lane === null
  return () => {
    if (!isOver && lane !== null)
      noteLaneTurn(context, lane, Math.max(0, context.clock.now() - sinceMs))
    isOver = true
  }
}

/** Never rejects. Work that ends in an unexpected error is remembered until the next try. */
function performNoted(context: WorkContext, holds: Holds, candidate: Candidate): Promise<void> {
  return performInTurn(context, holds, candidate).then(
    () => forgetFault(context, partOf(candidate.row)),
    (error: unknown) => restAfterError(context, holds.waits, candidate.row, error),
  )
}

function partOf({ orderId }: WorkRow): string {
  return `order ${orderId}`
}

/**
 * Damaged work is set aside. Other work is tried again after a pause, also where the journal
 * refuses to set it aside.
 */
function restAfterError(
  context: HasJournal<FlagStore & NoticeStore & Outbox> & Clocked & Logged & Remembering<"faults">,
  waits: WorkWaits,
  row: WorkRow,
  error: unknown,
): void {
  const isolated = attempt(() => isolateIfDamaged(context, row, error))
  if ("result" in isolated && isolated.result) return
  context.log.error(
    { order: row.orderId, work: row.body, err: error },
    "Work ended in an unexpected error",
  )
  noteFault(context, partOf(row), error)
  // The journal itself may have failed, so the pause before the next try is kept in memory.
  waits.rest(row, IGNORED_RECHECK_MS)
}

function readOrRest(
  context: WorkContext,
  waits: WorkWaits,
  bumps: KnownBumps,
  ready: Pick<Candidate, "row" | "lock">,
): readonly Candidate[] {
  const read = attempt(() => toCandidate(context, bumps, ready))
  if ("result" in read) return read.result
  restAfterError(context, waits, ready.row, read.error)
  return []
}

function toCandidate(
  context: HasJournal<FlagStore & NoticeStore & OrderStore & Outbox> &
    Clocked &
    Logged &
    Remembering<"orders">,
  bumps: KnownBumps,
  { row, lock }: Pick<Candidate, "row" | "lock">,
): readonly Candidate[] {
  const work = readWork(context, row)
  return work === null ? [] : [{ row, work, lock, isBump: signsBump(context, bumps, row, work) }]
}

type Holds = {
  readonly waits: WorkWaits
  readonly gate: Pick<DepositGate, "findReasons">
  readonly heads: Pick<HeadWatch, "noteObserved" | "covers">
  readonly slots: Slots
  readonly turns: TurnShare
  readonly bindsLate: (chain: ChainId) => boolean
  readonly leaveLane: () => void
}

function performInTurn(context: WorkContext, holds: Holds, candidate: Candidate): Promise<void> {
  const later = holds.turns.wait()
  return later === null
    ? perform(context, holds, candidate)
    : later.then(() => perform(context, holds, candidate))
}

async function perform(
  context: WorkContext,
  holds: Holds,
  { row, work }: Candidate,
): Promise<void> {
  const { waits, gate } = holds
  const stored = context.journal.findOrder(row.orderId)
  // The row may be gone since the poll listed it, because an operator has abandoned the order.
  if (stored === null || !context.journal.hasWork(row.id)) return
  const { state, data } = withLastTry(context, context.memory.orders.read(stored), row.id)
  const entry = entryOf(work)
  const isFirstTry = row.begun === 0 && data.tries === 0
  const waitsInPause = entry.whilePaused(work, { data, isFirstTry }) === "waits"
  if (waitsInPause && findOrderStops(context, data).length > 0) return waits.forResume(row, data)
  const job: Job = {
    context,
    data,
    repeated: !isFirstTry,
    workId: row.id,
    state,
    begin: async () => {
      if (row.begun === 0) context.journal.beginWork(row.id)
      await untilHere(context.journal)
      refuseIfGone({ context, data, workId: row.id })
    },
    leaveLane: holds.leaveLane,
    nowMs: context.clock.now(),
  }
  const reasons = gate.findReasons(work, data)
  if (reasons.length === 0) return performAndApply(job, row, work, holds)
  // The order tells its reasons once. Its work stays due, and starts when the gate opens.
  if (!isDeepStrictEqual(codesOf(reasons), codesOf(data.reasons)))
    applyResult(
      context,
      row,
      { event: { type: "work.deferred", reasons, waitMs: 0 } },
      holds,
      job.nowMs,
    )
  waits.forGate(row, () => gate.findReasons(work, data).length === 0)
}

function codesOf(reasons: readonly Reason[]): readonly string[] {
  return reasons.map(({ code }) => code)
}

async function performAndApply(job: Job, row: WorkRow, work: Work, holds: Holds): Promise<void> {
  const { context } = job
  const { waits, turns } = holds
  const apply = (result: WorkResult): boolean =>
    applyResult(context, row, warnOfDelay(job, result), holds, job.nowMs)
  const performed = await performTimed(job, row, work, holds)
  const later = turns.wait()
  if (later !== null) await later
  const applied = "error" in performed ? performed : attempt(() => apply(performed.result))
  const error = "error" in applied ? applied.error : null
  if (isStale(error)) return
  const isTaken =
    "error" in applied ? apply({ event: toEvent(job, row, work, error) }) : applied.result
  const lock = lockOf(error)
  if (isTaken && lock !== null) waits.forLock(row, lock)
  if (isTaken) return
  const fields = { order: row.orderId, work: work.kind }
  context.log.error(fields, "The order ignored the result of its own work")
  waits.rest(row, IGNORED_RECHECK_MS)
}

type Attempt<T> = { readonly result: T } | { readonly error: unknown }

function attempt<T>(act: () => T): Attempt<T> {
  try {
    return { result: act() }
  } catch (error) {
    return { error }
  }
}

/** Lets the slots know how long the places took, and how they failed. */
async function performTimed(
  job: Job,
  row: WorkRow,
  work: Work,
  holds: Pick<Holds, "slots" | "heads" | "bindsLate">,
): Promise<Attempt<WorkResult>> {
  let failed: AppError | null = null
  const noteUnread = (error: unknown): void => {
    failed = asAppError(error)
  }
  try {
    const result = await withUrgency(urgencyOf({ row, work }, job.data, holds.bindsLate), () =>
      entryOf(work).perform({ ...job, noteUnread }, work),
    )
    // A read that failed may have missed the change that woke the order, and no head wakes it for
    // that change again.
    const isWhole = result.event.type === "order.observed" && failed === null
    return { result: isWhole ? { covers: holds.heads.covers, ...result } : result }
  } catch (error) {
    noteUnread(error)
    return { error }
  } finally {
    holds.slots.ended(slotKeyOf({ row, work }), job.context.clock.now() - job.nowMs, failed)
  }
}

function applyResult(
  context: HasJournal<Durability & FlagStore & Ledger & OrderStore & Outbox> &
    HasServices &
    HasChains &
    Configured &
    Clocked &
    Logged &
    Remembering,
  row: WorkRow,
  result: WorkResult,
  { heads }: Pick<Holds, "heads">,
  askedAtMs: number,
): boolean {
  try {
    const { changed, order } = applyEvent(context, row.orderId, result, row.id)
    heads.noteObserved(order, askedAtMs)
    return changed
  } catch (error) {
    if (isStale(error)) return true
    throw error
  }
}

/** The work is gone: another event has changed the order, so this result no longer matters. */
function isStale(error: unknown): boolean {
  return error instanceof AppError && error.code === "journal.stale_work"
}

/**
 * Turns an error into an event by its disposition. An error of an unknown kind counts as transient,
 * and is logged.
 */
function toEvent(job: Job, row: WorkRow, work: Work, error: unknown): UntimedOrderEvent {
  const known = asAppError(error)
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
      return ifHandled({
        type: job.data.deposit === null ? "order.declined" : "order.held",
        reasons,
      })
    }
  }

  function ifHandled(event: UntimedOrderEvent): UntimedOrderEvent {
    const stored = mustExist(context.journal.findOrder(row.orderId), "the order of a work")
    return step(context.memory.orders.read(stored), { ...event, at: job.nowMs }).changed
      ? event
      : later
  }
}

function asAppError(error: unknown): AppError {
  return toAppError(error, { code: "engine.unexpected", disposition: "transient" })
}

function deferredBy(error: AppError): UntimedOrderEvent {
  const askedMs = waitAfter(error)
  const waitMs = typeof askedMs === "number" ? { waitMs: Math.min(askedMs, MAX_ASKED_WAIT_MS) } : {}
  return { type: "work.deferred", reasons: [reasonOf(error)], ...waitMs }
}

function waitAfter(error: AppError): unknown {
  if (error.code !== "journal.resource_taken") return error.details["retryAfterMs"]
  // The release of a lock starts its next waiter. Another resource is replaced by the next plan.
  return lockOf(error) === null ? RESOURCE_RECHECK_MS : 0
}

/** The lock that another order holds; `null` for any other error. */
function lockOf(error: unknown): string | null {
  if (!(error instanceof AppError) || error.code !== "journal.resource_taken") return null
  const { resource } = error.details
  return typeof resource === "string" && resource.startsWith("lock/") ? resource : null
}
