import type { TransactionPurpose } from "#order/data.ts"
import type { OrderEvent, UntimedOrderEvent } from "#order/events.ts"
import { isApprovalOpen } from "#order/mined.ts"
import { isFinal, purposeOf, STATE_NAMES, STATES } from "#order/states.ts"
import { beginOrder, type Order, step } from "#order/step.ts"
import { listHandledEvents } from "../../support/list-handled-events.ts"
import { NOTHING_SEEN, SAMPLE, samplePlan, sampleTransaction } from "../../support/order-sample.ts"

/** The true state of the world, which the order may not know. */
export type Truth = {
  /** A signed deposit that may still land. */
  readonly depositLive: boolean
  /** A deposit of ours lies in the source HTLC. */
  readonly depositLanded: boolean
  /** The relay has the gasless signature. */
  readonly signatureOut: boolean
  /** The time for depositing is over. */
  readonly late: boolean
}

export type Node = {
  readonly order: Order
  readonly truth: Truth
  readonly path: readonly string[]
}
export type Edge = { readonly from: string; readonly to: string; readonly event: OrderEvent }
export type Explored = {
  readonly nodes: ReadonlyMap<string, Node>
  readonly edges: readonly Edge[]
}

const HANDLED = new Map(STATE_NAMES.map((state) => [state, new Set(listHandledEvents(state))]))
const SEND_UNTIL_MS = 540_000

/**
 * Every order that the reducer reaches by the events that the engine's work can end with in a
 * consistent world, and by operators at any moment. Orders that no guard can tell apart count as
 * one.
 */
export function explore(): Explored {
  const opened = beginOrder(SAMPLE.input).order
  const start: Node = {
    // One more replacement of the deposit is allowed, so that the walks reach both sides of that
    // limit.
    order: { ...opened, data: { ...opened.data, replans: 2 } },
    truth: { depositLive: false, depositLanded: false, signatureOut: false, late: false },
    path: [],
  }
  const nodes = new Map([[keyOf(start), start]])
  const edges: Edge[] = []
  const queue = [start]
  for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
    for (const next of follow(node)) {
      const from = keyOf(node)
      const to = keyOf(next.node)
      edges.push({ from, to, event: next.event })
      if (nodes.has(to)) continue
      nodes.set(to, next.node)
      queue.push(next.node)
    }
  }
  return { nodes, edges }
}

function follow(node: Node): { node: Node; event: OrderEvent }[] {
  const { order, truth, path } = node
  if (STATES[order.state].work === null) return []
  const moments = truth.late && !FUNDED.test(order.state) ? [true] : [false, true]
  return moments.flatMap((late) =>
    eventsOf(order, { ...truth, late }).flatMap((orderEvent) => {
      if (!isHandled(order, orderEvent)) return []
      // CAST: an untimed event with its time is an event.
      const event = { ...orderEvent, at: late ? SEND_UNTIL_MS + 1 : 1 } as OrderEvent
      const after = step(order, event)
      if (!after.changed) return []
      return truthsAfter({ ...truth, late }, order, orderEvent).map((known) => ({
        node: {
          order: after.order,
          truth: known,
          path: [...path, `${order.state} ${orderEvent.type}`],
        },
        event,
      }))
    }),
  )
}

/** A cheap first check: most states take no operator event. */
function isHandled({ state }: Order, { type }: UntimedOrderEvent): boolean {
  return HANDLED.get(state)?.has(type) === true
}

const OPERATOR: readonly UntimedOrderEvent[] = [
  { type: "operator.abandoned", by: "a" },
  { type: "operator.retried", by: "a", nonce: "3" },
  { type: "operator.refunded", by: "a" },
  { type: "operator.redeemed", by: "a" },
  { type: "operator.approved", by: "a", intent: "approved" },
  { type: "operator.rejected", by: "a" },
]

/** The events that the work of this state may end with, given the truth. */
function eventsOf(order: Order, truth: Truth): UntimedOrderEvent[] {
  const { work } = STATES[order.state]
  const reasons = [{ code: "test", message: "a reason" }]
  const passing: UntimedOrderEvent[] = [
    { type: "work.deferred", reasons },
    { type: "order.held", reasons },
    ...OPERATOR,
  ]
  const declined: UntimedOrderEvent = { type: "order.declined", reasons }
  if (work === null) return []
  if ("purpose" in work) return [...passing, ...transactionEvents(order, truth, work)]
  const initiated: UntimedOrderEvent = {
    type: "gasless.initiated",
    txid: "t",
    height: 1n,
    final: true,
  }
  switch (work.kind) {
    case "fetchQuote":
      return [...passing, declined, { type: "quote.accepted", quote: SAMPLE.quote }]
    case "createOrder":
      return [
        ...passing,
        declined,
        { type: "order.created", created: SAMPLE.created, terms: SAMPLE.terms },
        { type: "quote.outdated", reasons, nonce: "2" },
      ]
    case "verifyOrder":
      return [
        ...passing,
        declined,
        ...(truth.late ? [] : [verified(true), verified(false), verified(true, "another")]),
      ]
    case "expireApproval":
      return [...passing, { type: "approval.expired" }]
    case "checkAllowance":
      if (truth.late) return [...passing, declined]
      return [
        ...passing,
        { type: "allowance.ready", way: "gasless" },
        { type: "allowance.ready", way: "onchain" },
        { type: "transaction.planned", plan: samplePlan("approve", 0) },
      ]
    case "signTypedData":
      return [...passing, declined, { type: "gasless.signed", digest: "d", signature: "s" }]
    case "submitSignature":
      return [
        ...passing,
        ...(truth.late && !truth.signatureOut ? [declined] : []),
        { type: "gasless.submitted", answer: "", refused: true },
        ...(truth.signatureOut ? [initiated] : []),
      ]
    case "observeInitiation":
      return [...passing, ...signatureEvents(order, truth)]
    case "observeOrder":
      return [...passing.filter(({ type }) => type !== "order.held"), ...observations(order, truth)]
    case "proveUnfunded":
      return [...passing, ...proofEvents(truth)]
  }
  return passing
}

const GONE = [{ code: "chain.final_fact_gone", message: "", what: "deposit" }]

/** The proof tells the truth: it reads the HTLC itself. */
function proofEvents({ depositLive, depositLanded, signatureOut }: Truth): UntimedOrderEvent[] {
  if (!depositLive && !depositLanded && !signatureOut)
    return [
      { type: "order.unfunded", height: 1n, rivals: [] },
      { type: "order.unproven", alerts: [] },
    ]
  return [
    { type: "order.unproven", alerts: [] },
    { type: "deposit.unsettled" },
    { type: "deposit.unsettled", reasons: GONE },
  ]
}

/** The events that an observation of a submitted signature may end with. */
function signatureEvents({ data }: Order, { depositLanded, late }: Truth): UntimedOrderEvent[] {
  const reasons = [{ code: "test", message: "a reason" }]
  const initiated: UntimedOrderEvent = {
    type: "gasless.initiated",
    txid: "t",
    height: 1n,
    final: true,
  }
  if (depositLanded) return [initiated]
  if (data.allowanceCleared) return [initiated, { type: "gasless.disarmed", reasons }]
  if (late || data.ending === "abandoned") return [initiated, { type: "gasless.late", reasons }]
  return [
    initiated,
    { type: "gasless.fell_through", reasons },
    { type: "gasless.missing", reasons },
    ...(data.transactions.approve.signed.length > 0
      ? ([{ type: "approval.lost", reasons }] as const)
      : []),
  ]
}

type TransactionQuestion = {
  readonly order: Order
  readonly truth: Truth
  readonly purpose: TransactionPurpose
}

function transactionEvents(
  order: Order,
  truth: Truth,
  { kind, purpose }: { kind: string; purpose: TransactionPurpose },
): readonly UntimedOrderEvent[] {
  const question = { order, truth, purpose }
  switch (kind) {
    case "planTransaction":
      return planningEvents(question)
    case "signTransaction":
      return signingEvents(question)
    case "broadcastTransaction":
      return sendingEvents(question)
    case "observeTransaction":
      return confirmingEvents(question)
    default:
      return [
        { type: "transaction.planned", plan: samplePlan(purpose, 1) },
        { type: "transaction.unbumpable" },
      ]
  }
}

const DECLINED: UntimedOrderEvent = { type: "order.declined", reasons: [] }

function planningEvents({ truth, purpose }: TransactionQuestion): readonly UntimedOrderEvent[] {
  if (purpose === "void" && !truth.depositLive) return [{ type: "deposit.unsettled" }]
  if (purpose === "deposit" && truth.late) return [DECLINED]
  return [
    { type: "transaction.planned", plan: samplePlan(purpose, 0) },
    ...(purpose === "void" ? [] : [DECLINED]),
  ]
}

function signingEvents({ order, purpose }: TransactionQuestion): readonly UntimedOrderEvent[] {
  const { plan } = order.data.transactions[purpose]
  return plan === null
    ? []
    : [
        { type: "transaction.signed", transaction: sampleTransaction(plan) },
        DECLINED,
        ...(purpose === "redeem" ? [{ type: "transaction.late" } as const] : []),
      ]
}

function sendingEvents(question: TransactionQuestion): readonly UntimedOrderEvent[] {
  const late = lateEvents(question)
  const isUnsent = question.purpose === "approve" && late.length > 0
  return [
    { type: "transaction.sent", txid: "t" },
    { type: "transaction.pending" },
    ...minedEvents(question),
    ...excludedEvents(question),
    ...late,
    ...(question.purpose === "redeem" ? [{ type: "transaction.stuck" } as const] : []),
    ...(isUnsent ? [{ type: "transaction.late", unsent: true } as const] : []),
  ]
}

function confirmingEvents(question: TransactionQuestion): readonly UntimedOrderEvent[] {
  const { truth, purpose } = question
  return [
    ...(purpose === "void" && truth.depositLanded ? [{ type: "deposit.unsettled" } as const] : []),
    ...(mayBeLive(question)
      ? ([
          { type: "transaction.pending" },
          { type: "transaction.unseen" },
          { type: "transaction.stuck" },
        ] as const)
      : []),
    ...minedEvents(question),
    ...excludedEvents(question),
    ...lateEvents(question),
  ]
}

function mayBeLive({ truth, purpose }: TransactionQuestion): boolean {
  return purpose !== "deposit" || truth.depositLive
}

function minedEvents(question: TransactionQuestion): readonly UntimedOrderEvent[] {
  const { truth, purpose } = question
  const landed = {
    type: "transaction.mined",
    txid: "t",
    ok: true,
    height: 1n,
    final: true,
    feeUnits: 1n,
  } as const
  // A void is excluded by the deposit itself, or by a foreign transaction that excludes the deposit
  // too.
  const canLand = purpose !== "void" || !truth.depositLanded
  if (!mayBeLive(question) || !canLand) return []
  // Transactions that an order goes on from before their finality are left to the engine's tests:
  // they would double the number of orders.
  return [
    landed,
    { ...landed, final: false },
    ...(purpose === "void" ? [] : [{ ...landed, ok: false }]),
  ]
}

function excludedEvents({ truth, purpose }: TransactionQuestion): readonly UntimedOrderEvent[] {
  if (purpose !== "deposit") return [{ type: "transaction.excluded", by: "x" }]
  const expired: UntimedOrderEvent = { type: "transaction.excluded", by: "expired" }
  return truth.depositLanded ? [] : [expired, { type: "transaction.excluded", by: "x" }]
}

function lateEvents({ truth, purpose }: TransactionQuestion): readonly UntimedOrderEvent[] {
  const isLate = purpose === "redeem" || (["deposit", "approve"].includes(purpose) && truth.late)
  return isLate ? [{ type: "transaction.late" }] : []
}

/** The observation also asks for an approval that the order went on from before it was final. */
function observations(order: Order, truth: Truth): UntimedOrderEvent[] {
  const { approve } = order.data.transactions
  const isOpen = approve.mined === null ? isApprovalOpen(approve) : !approve.mined.final
  const landed = { ...LANDED_APPROVAL, txid: approve.signed.at(-1)?.txid ?? "" }
  return listObservations(order, truth).flatMap((event) =>
    isOpen && event.type === "order.observed" ? [event, { ...event, landed }] : [event],
  )
}

const LANDED_APPROVAL = {
  purpose: "approve",
  ok: true,
  height: 1n,
  final: true,
  feeUnits: 1n,
  heldUnits: 0n,
} as const

function listObservations(order: Order, truth: Truth): UntimedOrderEvent[] {
  const { data } = order
  const paidIn = truth.depositLanded || truth.signatureOut || truth.depositLive
  const some = { txid: "t", height: 1n, final: true, at: 1 }
  const none = { serviceOrder: null, seen: NOTHING_SEEN, paidUnits: null, alerts: [] }
  const calm = {
    type: "order.observed",
    ...none,
    paid: false,
    refunded: false,
    lapsed: false,
    refundable: false,
  } as const
  const seen = { ...NOTHING_SEEN, sourceInitiated: some }
  const taken = { ...seen, sourceRedeemed: some }
  const { deposit, refund } = data.transactions
  const unsettled: UntimedOrderEvent[] =
    deposit.signed.length > 0 || data.seen.sourceInitiated !== null
      ? [{ type: "deposit.unsettled", ...(deposit.mined?.final ? { reasons: GONE } : {}) }]
      : []
  if (!paidIn) return [calm, ...unsettled]
  const refundGone: UntimedOrderEvent[] =
    refund.mined === null
      ? []
      : [{ type: "refund.unsettled", ...(refund.mined.final ? { reasons: GONE } : {}) }]
  return [
    calm,
    ...unsettled,
    ...refundGone,
    { ...calm, seen: { ...seen, destinationRedeemed: some }, settling: true },
    { ...calm, seen, alerts: GONE },
    { ...calm, seen },
    { ...calm, seen, lapsed: true },
    { ...calm, seen, refundable: true },
    { ...calm, seen, refunded: true },
    { ...calm, seen, paid: true },
    { ...calm, seen: taken, alerts: [{ code: "alarm.source_redeemed", message: "" }] },
    {
      ...calm,
      seen,
      serviceOrder: {
        ...SAMPLE.order,
        destination: { ...SAMPLE.order.destination, redeemTx: "t" },
      },
    },
  ]
}

function verified(needsApproval: boolean, hash = "approved"): UntimedOrderEvent {
  return {
    type: "deposit.verified",
    deposit: SAMPLE.deposit,
    serviceOrder: SAMPLE.order,
    sendUntilMs: SEND_UNTIL_MS,
    fromHeights: { source: 0n, destination: 0n },
    needsApproval,
    intent: { hash, fields: {} },
  }
}

/**
 * A report that another transaction excluded the deposit may be false: then the deposit may still
 * land. With approvals and relays the walks assume true reports, which keeps their number small.
 */
function truthsAfter(truth: Truth, order: Order, event: UntimedOrderEvent): readonly Truth[] {
  const known = afterEvent(truth, order, event)
  const isReport = event.type === "transaction.excluded" && event.by !== "expired"
  const isPlain = order.data.gasless === null && order.data.transactions.approve.signed.length === 0
  const isFalse =
    isReport &&
    isPlain &&
    order.data.ending === "rejected" &&
    purposeOf(order.state) === "deposit" &&
    truth.depositLive
  return isFalse ? [known, { ...known, depositLive: true }] : [known]
}

/** The truth after the event. */
function afterEvent(truth: Truth, order: Order, event: UntimedOrderEvent): Truth {
  if (STATES[order.state].work?.kind === "submitSignature" && isSubmitted(event)) {
    return {
      ...truth,
      signatureOut: true,
      depositLanded: event.type === "gasless.initiated" || truth.depositLanded,
    }
  }
  // The operator promises that no allowance will be given again.
  if (order.state === "disarmed" && event.type === "operator.abandoned")
    return { ...truth, signatureOut: false }
  if (event.type === "gasless.initiated") return { ...truth, depositLanded: true }
  if (event.type === "order.observed" && event.seen.sourceInitiated !== null)
    return { ...truth, depositLanded: true }
  if (event.type === "deposit.unsettled") return { ...truth, depositLanded: false }
  return { ...truth, ...afterTransactionEvent(purposeOf(order.state), event) }
}

/** An error or a crash may come after the signature was submitted. */
function isSubmitted({ type }: UntimedOrderEvent): boolean {
  return type !== "order.declined" && !type.startsWith("operator.")
}

function afterTransactionEvent(
  purpose: TransactionPurpose | null,
  event: UntimedOrderEvent,
): Partial<Truth> {
  const final = event.type === "transaction.mined" && event.final
  if (purpose === "void" && final) return { depositLive: false }
  if (purpose !== "deposit") return {}
  if (event.type === "transaction.signed") return { depositLive: true }
  if (event.type === "transaction.excluded") return { depositLive: false }
  return final ? { depositLive: event.ok, depositLanded: event.ok } : {}
}

/** All data that a guard or the truth depends on. */
function keyOf({ order, truth }: Node): string {
  const { state, data } = order
  const { approve, deposit, refund, revoke } = data.transactions
  if (isFinal(state)) return [state, ...Object.values(truth)].join("/")
  // The guards of `refund-watch` ask for a signed refund too.
  const active = state === "refund-watch" ? "refund" : purposeOf(state)
  const facets = [
    active !== null && data.transactions[active].signed.length > 0,
    deposit.signed.length > 0,
    deposit.mined === null ? UNMINED.test(state) && deposit.settled === true : "mined",
    deposit.signed.length === 0 &&
      (data.earlierSigned ?? []).some(({ purpose }) => purpose === "deposit"),
    (state === "refund-watch" || state === "settling") && refund.mined !== null,
    state === "held" && data.reasons.some(({ code }) => code === "chain.final_fact_gone"),
    data.allowanceCleared
      ? "cleared"
      : approve.signed.length === 0
        ? "none"
        : approve.mined?.final === true,
    isApprovalOpen(approve),
    (!data.allowanceCleared || state === "held") && revoke.signed.length > 0,
    data.gasless === null ? "none" : data.gasless.submissions > 0,
    data.seen.sourceInitiated !== null,
    data.approvedBy !== null && data.transactions.deposit.signed.length === 0,
    UNSIGNED.test(state) && data.intent?.hash,
    data.ending,
    Math.min(data.replans, 3),
  ]
  // Once the source is funded, no guard asks for the time for depositing; an order that comes back
  // may be late or not.
  const late = truth.late && !FUNDED.test(state)
  return [state, ...facets, ...Object.values({ ...truth, late })].join("/")
}

/** Between the verification and the first signature. */
const UNSIGNED = /^(awaiting-approval|allowing|deposit-planning|gasless-signing)$/
/** The states in which a guard asks whether an unmined deposit is settled. */
const UNMINED = /^(held|proving-unfunded)$/
const FUNDED = /^(funded|redeem-reported|settling|refund-.*|revoke-.*)$/
