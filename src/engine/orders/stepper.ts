import { bookStep } from "#books/book-step.ts"
import type { Booking } from "#domain/ledger.ts"
import type { Reason } from "#domain/reason.ts"
import type { SignedTransaction } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import type { OrderData, OrderInput } from "#order/data.ts"
import type { UntimedOrderEvent } from "#order/events.ts"
import { isFinal, purposeOf, STATES } from "#order/states.ts"
import { beginOrder, encodePieces, type Order, type Step, step } from "#order/step.ts"
import { alertKeyOf } from "#order/update.ts"
import type { ScheduledWork, Work } from "#order/work.ts"
import type { Occurrence } from "#ports/journal/decisions.ts"
import type { Durability } from "#ports/journal/durability.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { Ledger } from "#ports/journal/ledger.ts"
import type { OrderOrigin, OrderRow, OrderStore, StepRow } from "#ports/journal/orders.ts"
import type { Outbox } from "#ports/journal/outbox.ts"
import type { SignedRow } from "#ports/signing-record.ts"
import {
  type Clocked,
  type Configured,
  type HasChains,
  type HasJournal,
  type HasServices,
  type Logged,
  type Remembering,
  walletsOf,
} from "../context.ts"
import { budgetOf } from "../rules/budget.ts"
import { readLimitTime } from "../rules/limit-clock.ts"
import { learntWaitMs } from "../rules/route-waits.ts"
import { listPausing } from "../watches/pause.ts"
import { shortenWait } from "../watches/unread-legs.ts"
import { gaslessDigest } from "./pay/gasless-digest.ts"
import { observeStep } from "./step-observers.ts"
import { summarizeOrder } from "./summarize-order.ts"
import { countTries, isUnchangedTry } from "./unchanged-tries.ts"

/** The longest delay of any work: an order is observed at least this often. */
export const MAX_DELAY_MS = 10 * 60_000

/**
 * The result of one piece of work: an event, and the resources that the same journal transaction
 * reserves.
 */
export type WorkResult = {
  readonly event: UntimedOrderEvent
  readonly reserve?: readonly string[]
  /**
   * Judges again in the same synchronous step as the write. Returns another event when the limits
   * refuse by now.
   */
  readonly recheck?: () => UntimedOrderEvent | null
  /**
   * An event on chain wakes the order, so a repetition of the same work may wait for the longest
   * time.
   */
  readonly covers?: (order: Order) => boolean
}

type Applied = { readonly changed: boolean; readonly order: Order }

/**
 * One step of one order: reduces, commits, and only then lets the observers know. By then the next
 * work is in the outbox.
 *
 * `cause` is the number of the work that the result belongs to. Throws the journal's errors; then
 * nothing was written.
 */
export function applyEvent(
  context: HasJournal<Durability & FlagStore & Ledger & OrderStore & Outbox> &
    HasServices &
    HasChains &
    Configured &
    Clocked &
    Logged &
    Remembering,
  orderId: string,
  result: WorkResult,
  cause: number | null,
): Applied {
  const stored = context.journal.findOrder(orderId)
  if (stored === null) throw notFound(orderId)
  const before = context.memory.orders.read(stored)
  const reduced = reduce(context, before, result, cause)
  const { order, changed } = reduced.after
  if (!changed) return { changed: false, order: before }
  const isRest = cause !== null && isUnchanged(context, before, reduced, stored.updatedAtMs)
  const row = isRest ? null : toStepRow(context, before, reduced, stored)
  if (row !== null) context.journal.commit(row)
  else if (cause !== null) {
    const untilMs = reduced.atMs + Math.min(reduced.waitMs, MAX_DELAY_MS)
    context.journal.restWork(cause, untilMs, reduced.atMs)
  }
  observeStep(context, { before, order, event: reduced.event, cause, row, waitMs: reduced.waitMs })
  return { changed: true, order }
}

/** One event with the step that it leads to. Nothing of it is written yet. */
type Reduced = {
  readonly event: UntimedOrderEvent
  readonly atMs: number
  readonly cause: number | null
  readonly reserve: readonly string[]
  readonly after: Step
  /** The time until the next work. */
  readonly waitMs: number
}

function reduce(
  context: HasJournal<Ledger & FlagStore & OrderStore> & Clocked & Remembering,
  before: Order,
  result: WorkResult,
  cause: number | null,
): Reduced {
  const tried = cause === null ? 0 : countTries(context, before, cause)
  const happening = result.recheck?.() ?? result.event
  const event = tried === 0 ? happening : { ...happening, tried }
  const atMs = context.clock.now()
  const after = step(before, { ...event, at: atMs })
  const { reserve = [] } = result
  const waitMs = waitAfter(context, before, after.order, result)
  return { event, atMs, cause, reserve, after, waitMs }
}

function toStepRow(
  context: HasJournal<FlagStore> & HasChains & Configured & Logged,
  before: Order,
  { event, atMs, cause, reserve, after, waitMs }: Reduced,
  stored: OrderRow,
): StepRow {
  const { order, next } = after
  const alerts = listAlerts(before, order, event.doubts ?? [])
  return {
    order: toRow(context, order, atMs, stored),
    event: { atMs, type: event.type, state: order.state, body: encodeJson(event) },
    cause,
    work: toWork(next === null ? null : { ...next, delayMs: waitMs }, atMs),
    reserve,
    release: releaseFor(order),
    signed: signedRow(before, event),
    signedBeside: companionRow(event),
    settle: settledPurpose(before, event),
    alsoSettle: isFinal(order.state) ? minedPurposes(order) : [],
    alerts,
    pausing: listPausing(context, alerts),
    booking: book(context, before, order),
    ...(isFinal(order.state) ? { summarize: summarizeOrder(context, order, atMs) } : {}),
  }
}

/**
 * A wait that a deferral asks for is kept; a head that would show the next change allows the
 * longest one.
 */
function waitAfter(
  context: HasJournal<Ledger & FlagStore & OrderStore> & Clocked & Remembering,
  before: Order,
  order: Order,
  { event, covers }: WorkResult,
): number {
  const { waitMs, policy } = order.data
  if (before.state === order.state && covers?.(order) === true)
    return Math.max(waitMs, policy.pollMaxMs)
  const wait =
    event.type === "work.deferred" ? waitMs : learntWaitMs(context, order, context.clock.now())
  return STATES[order.state].work?.kind === "observeOrder"
    ? shortenWait(context, order.data, wait)
    : wait
}

/**
 * While the clock is behind the time of the limits, each write moves the order's place in its
 * windows, so none is left out.
 */
function isUnchanged(
  { journal }: HasJournal<FlagStore>,
  before: Order,
  { after, atMs, reserve }: Reduced,
  writtenAtMs: number,
): boolean {
  if (reserve.length > 0 || !isUnchangedTry(before, after, atMs, writtenAtMs)) return false
  return readLimitTime(journal, atMs) <= atMs
}

/**
 * The reasons that are new to the order's alerts. A pinned contract that changed is one also when
 * nothing is deposited yet.
 */
function listAlerts(before: Order, { data }: Order, doubts: readonly Reason[]): readonly Reason[] {
  const fresh = data.alerted.filter((key) => !before.data.alerted.includes(key))
  const reasons = [...data.reasons, ...firstOfEach(doubts, data.reasons)]
  const changed = data.reasons.find(({ code }) => code === "verify.contract_changed")
  const isNew =
    changed !== undefined && !before.data.reasons.some(({ code }) => code === changed.code)
  return [
    ...reasons.filter((reason) => fresh.includes(alertKeyOf(reason))),
    ...(isNew ? [changed] : []),
  ]
}

/**
 * Two endpoints may give the same doubt, and the order's own reasons may have it already: it is one
 * alert.
 */
function firstOfEach(doubts: readonly Reason[], reasons: readonly Reason[]): readonly Reason[] {
  const known = [...reasons, ...doubts]
  return doubts.filter(
    (doubt) => known.find((one) => alertKeyOf(one) === alertKeyOf(doubt)) === doubt,
  )
}

/**
 * A fault in the books must not stop an order: the comparison of balances shows the missing entry.
 */
function book(context: HasChains & Configured & Logged, before: Order, after: Order): Booking {
  try {
    return bookStep(before.data, after.data, walletsOf(context))
  } catch (error) {
    context.log.error({ order: after.data.id, err: error }, "The books could not book this step")
    return { reversedKeys: [], add: [] }
  }
}

/**
 * Writes a new order to the journal, with its occurrence and its origin in the same transaction.
 */
export function acceptOrder(
  context: HasJournal<FlagStore & OrderStore> & Logged & Remembering,
  input: OrderInput,
  occurrence: Occurrence | null,
  origin: OrderOrigin,
): Order {
  const opened = beginOrder(input)
  const { order } = opened
  const body = encodeJson({ type: "order.opened", rule: input.rule, request: input.request })
  const event = { atMs: input.createdAt, type: "order.opened", state: order.state, body }
  const work = toWork(opened.next, input.createdAt)
  const row = toRow(context, order, input.createdAt, {
    countedAtMs: 0,
    secondRule: input.secondRule ?? null,
  })
  context.journal.openOrder(row, event, work, occurrence, origin)
  context.memory.orders.keep(row, order, 0)
  context.log.info({ order: input.id, rule: input.rule, ...input.request }, "Order accepted")
  return order
}

/**
 * Writes an order that was found on chain to the journal. It goes on from its state, like after a
 * restart. Returns its id.
 */
export function adoptOrder(
  context: HasJournal<FlagStore & OrderStore> & Logged & Remembering,
  order: Order,
): string {
  const { id, rule, request, createdAt } = order.data
  const body = encodeJson({ type: "order.opened", rule, request })
  const event = { atMs: createdAt, type: "order.opened", state: order.state, body }
  const next = { work: mustExist(STATES[order.state].work, "the state's work"), delayMs: 0 }
  const row = toRow(context, order, createdAt, { countedAtMs: 0, secondRule: null })
  const work = { body: encodeWork(next), dueAtMs: createdAt }
  context.journal.openOrder(row, event, work, null)
  context.memory.orders.keep(row, order, 0)
  context.log.info({ order: id, ...request }, "Order recovered")
  return id
}

/**
 * The key signed a deposit of this order, and the journal has lost it. From here on the order
 * counts as one with an earlier deposit: it ends only when its HTLC is proven empty (ADR 19).
 */
export function noteLostDeposit(
  context: HasJournal<FlagStore & OrderStore> & Clocked & Remembering,
  orderId: string,
  reason: Reason,
): void {
  const stored = context.journal.findOrder(orderId)
  if (stored === null) throw notFound(orderId)
  const atMs = context.clock.now()
  const { state, data } = context.memory.orders.read(stored)
  const order: Order = { state, data: { ...data, replans: data.replans + 1, reasons: [reason] } }
  const { work } = STATES[state]
  const row = toRow(context, order, atMs, stored)
  context.journal.commit({
    order: row,
    event: {
      atMs,
      type: "deposit.lost",
      state,
      body: encodeJson({ type: "deposit.lost", reasons: [reason] }),
    },
    work: work === null ? null : { body: encodeWork({ work, delayMs: 0 }), dueAtMs: atMs },
    cause: null,
    reserve: [],
    release: null,
    signed: null,
    settle: null,
    alerts: [],
    booking: { reversedKeys: [], add: [] },
  })
  context.memory.orders.keep(row, order, 0)
}

export function decodeWork(body: string): Work {
  // CAST: written by encodeWork below.
  return decodeJson(body) as Work
}

function toWork(
  next: ScheduledWork | null,
  atMs: number,
): { readonly body: string; readonly dueAtMs: number } | null {
  return next === null
    ? null
    : { body: encodeWork(next), dueAtMs: atMs + Math.min(next.delayMs, MAX_DELAY_MS) }
}

function encodeWork({ work }: ScheduledWork): string {
  return encodeJson(work)
}

function toRow(
  context: HasJournal<FlagStore>,
  { state, data }: Order,
  atMs: number,
  { countedAtMs, secondRule = null }: Pick<OrderRow, "countedAtMs" | "secondRule">,
): OrderRow {
  const budget = budgetOf(state, data)
  const pieces = encodePieces({ state, data })
  return {
    id: data.id,
    state,
    outcome: isFinal(state) ? state : null,
    rule: data.rule,
    secondRule,
    from: data.request.from,
    to: data.request.to,
    sourceUnits: data.request.sourceUnits,
    ...budget,
    countedAtMs: Math.max(countedAtMs, toLimitTime(context, budget.countedAtMs, atMs)),
    deposited: isDeposited(data),
    secretHash: data.deposit?.secretHash ?? null,
    payoutTx: data.seen.destinationRedeemed?.txid ?? null,
    service: data.service,
    createdAtMs: data.createdAt,
    updatedAtMs: atMs,
    snapshot: pieces.join(""),
    pieces,
  }
}

/**
 * A clock that was set back would let the order leave its windows early, so the order counts from
 * the time of the limits.
 */
function toLimitTime(
  { journal }: HasJournal<FlagStore>,
  countedAtMs: number,
  atMs: number,
): number {
  const limitMs = readLimitTime(journal, atMs)
  return limitMs <= atMs ? countedAtMs : Math.min(limitMs, countedAtMs + (limitMs - atMs))
}

/** Our own node shows the initiation on chain. */
function isDeposited(data: OrderData): boolean {
  return data.seen.sourceInitiated !== null
}

function signedRow(before: Order, event: UntimedOrderEvent): SignedRow | null {
  const { deposit } = before.data
  if (event.type === "gasless.signed" && deposit !== null)
    return {
      purpose: "gasless",
      attempt: 0,
      digest: gaslessDigest(deposit),
      txid: event.mark ?? null,
      raw: event.signature,
    }
  if (event.type !== "transaction.signed") return null
  return rowOf(purposeOf(before.state) ?? "unknown", event.transaction)
}

function companionRow(event: UntimedOrderEvent): SignedRow | null {
  if (event.type !== "transaction.signed" || event.companion === undefined) return null
  return rowOf(event.companion.purpose, event.companion.transaction)
}

function rowOf(purpose: string, { plan, raw, txid }: SignedTransaction): SignedRow {
  return { purpose, attempt: plan.attempt, digest: plan.digest, txid, raw }
}

/**
 * The nonces and inputs of an order are free when it ends. Its allowance lock is free when the
 * deposit has used the allowance: our own deposit comes before any later approval of the account,
 * also after a reorganisation; the relay's does not, so it must be final.
 */
function releaseFor({ state, data }: Order): StepRow["release"] {
  if (isFinal(state) || state === "disarmed") return "all"
  const { approve, deposit } = data.transactions
  // Another transaction excluded the approval, so the order has no allowance to protect. A later
  // try takes the lock again.
  const isExcluded = approve.settled === true && approve.mined === null
  if (state === "held" && isExcluded && deposit.signed.length === 0 && data.gasless === null)
    return "lock/"
  const isUsed = deposit.mined !== null || data.seen.sourceInitiated?.final === true
  return isUsed && LOCK_FREE.includes(state) ? "lock/" : null
}

const LOCK_FREE: readonly string[] = [
  "funded",
  "revealing",
  "revealed",
  "redeem-reported",
  "refund-watch",
  "settling",
]

function settledPurpose(before: Order, event: UntimedOrderEvent): string | null {
  if (event.type === "order.observed" && event.landed?.final === true) return event.landed.purpose
  if (event.type === "order.observed" || event.type === "order.declined")
    return event.excluded ?? null
  const over =
    event.type === "transaction.excluded" || (event.type === "transaction.mined" && event.final)
  return over ? purposeOf(before.state) : null
}

function minedPurposes({ data: { transactions } }: Order): readonly string[] {
  return Object.entries(transactions).flatMap(([purpose, { mined }]) =>
    mined === null ? [] : [purpose],
  )
}

function notFound(orderId: string): AppError {
  return new AppError({
    code: "order.not_found",
    disposition: "refused",
    message: `There is no order ${orderId}; list them with \`ballast orders\``,
    details: { order: orderId },
  })
}
