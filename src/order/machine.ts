import { assign, setup } from "xstate"
import { absorb, startOver } from "./absorb.ts"
import {
  type Args,
  approvalIsOut,
  depositIsSigned,
  depositMayLand,
  hasSigned,
  isExcluded,
  isFinalEvent,
  isFunded,
  isGasless,
  isLapsed,
  isMinedFinally,
  isNewlyFunded,
  isOwnDepositNew,
  isOwnRefundNew,
  isPaid,
  isRefundable,
  isRefunded,
  isRelayed,
  isReported,
  isRevertedFinally,
  isVoidable,
  leavesApproval,
  leavesRefund,
  leavesRevoke,
  mayBeRefunded,
  mayReplan,
  mayStillDeposit,
  mayStillRefund,
  mayStillVoid,
  needsApproval,
  neverSubmitted,
  nothingSigned,
  reportNotBorneOut,
  signatureIsOut,
  signatureWasHandedOver,
  sourceTakenWithoutPayout,
} from "./conditions.ts"
import { createOrderData, type OrderData, type OrderInput, type TransactionPurpose } from "./data.ts"
import type { Work } from "./effects.ts"
import type { OrderEvent } from "./events.ts"
import { purposeOf, STATES, type StateName } from "./states.ts"

/** Bump when a stored snapshot could no longer be read by this machine; the journal refuses snapshots of the future. */
export const MACHINE_VERSION = 1

const MIN_WAIT_MS = 1_000
const MAX_WAIT_MS = 30_000
/** Whoever uses a disarmed signature does it with another order's allowance; the refund of that is a day away, not minutes. */
const DISARMED_WAIT_MS = 5 * 60_000
/** A node may need a moment before it shows what it was given. */
const UNSEEN_WAIT_MS = 3_000

const base = setup({
  types: {
    // CAST: xstate reads the types of empty objects here; there is no value behind them.
    context: {} as OrderData,
    // CAST: as above.
    events: {} as OrderEvent,
    // CAST: as above.
    input: {} as OrderInput,
  },
  actions: {
    /** Resolved by step() into an effect; never executed by xstate. */
    work: (_, _params: { work: Work }) => undefined,
  },
})

type Transition = {
  target: StateName
  guard?: (args: { context: OrderData; event: OrderEvent }) => boolean
  reenter?: true
}
type Transitions = { [type in OrderEvent["type"]]?: readonly Transition[] }

/**
 * The life of one order. Used only as a pure reducer (ADR 0001): no invoke, no after, no side effects.
 *
 * Each state has at most one piece of work; each event either leads on (`go`) or repeats the work later (`again`).
 */
export const orderMachine = base.createMachine({
  id: "order",
  initial: "quoting",
  context: ({ input }) => createOrderData(input),
  states: Object.fromEntries(Object.entries(defineTransitions()).map(([name, on]) => [name, stateNode(name, on)])),
})

function defineTransitions(): { [state in StateName]: Transitions } {
  return {
    quoting: { ...beforeCreation("quoting"), "quote.accepted": [go("creating")] },
    creating: {
      ...beforeCreation("creating"),
      "order.created": [go("verifying")],
      "quote.outdated": [go("quoting")],
    },
    verifying: {
      ...beforeDeposit("verifying"),
      "deposit.verified": [go("awaiting-approval", needsApproval), go("allowing")],
    },
    "awaiting-approval": {
      "work.deferred": [again("awaiting-approval")],
      "operator.abandoned": [go("closing")],
      // Read back and compared once more: the terms may have become worse while the order rested.
      "operator.approved": [go("verifying")],
      "operator.rejected": [go("closing")],
      "approval.expired": [go("closing")],
    },
    allowing: {
      ...beforeDeposit("allowing"),
      "allowance.ready": [
        go("gasless-submitting", (args) => isGasless(args) && signatureIsOut(args)),
        go("gasless-signing", isGasless),
        go("deposit-planning"),
      ],
      "transaction.planned": [go("approve-signing")],
    },
    ...transactionTransitions("approve", {
      done: [go("allowing")],
      // A signature that is out needs its approval, so that one is planned anew while there is time.
      failed: [go("allowing", (args) => isExcluded(args) && signatureIsOut(args)), go("closing")],
      late: [go("closing")],
    }),
    "gasless-signing": { ...beforeDeposit("gasless-signing"), "gasless.signed": [go("gasless-submitting")] },
    "gasless-submitting": {
      "gasless.submitted": [go("gasless-confirming")],
      "gasless.initiated": [go("gasless-confirming")],
      // In doubt: look before repeating.
      "work.deferred": [go("gasless-confirming")],
      // Too late, and the signature never left the house.
      "order.declined": [go("closing", neverSubmitted), go("gasless-confirming")],
      "order.held": [go("held")],
    },
    "gasless-confirming": {
      "gasless.initiated": [go("funded", isFinalEvent), again("gasless-confirming")],
      "gasless.missing": [go("gasless-submitting")],
      "gasless.fell_through": [go("deposit-planning")],
      "gasless.late": [go("revoke-confirming", hasSigned("revoke")), go("revoke-planning")],
      "gasless.disarmed": [go("disarmed")],
      // The same bytes again.
      "approval.lost": [go("approve-confirming")],
      "work.deferred": [again("gasless-confirming")],
      "order.held": [go("held")],
    },
    ...transactionTransitions("deposit", {
      done: [go("funded")],
      // Once a gasless signature is out, the deposit may still come from it.
      failed: [go("gasless-confirming", signatureIsOut), go("deposit-planning", mayReplan), go("closing")],
      late: voiding(),
    }),
    // A voided deposit says nothing of a signature that the relay still has.
    ...transactionTransitions("void", {
      done: [go("gasless-confirming", signatureIsOut), go("closing")],
      failed: [go("deposit-confirming")],
    }),
    funded: watching("funded"),
    "redeem-reported": watching("redeem-reported"),
    "refund-watch": watching("refund-watch"),
    ...transactionTransitions("refund", { done: [go("refund-watch")], failed: [go("refund-watch")] }),
    held: {
      ...watching("held"),
      "operator.retried": [
        // Our own bytes first: another deposit may only be planned when these are proven over.
        go("deposit-confirming", depositMayLand),
        go("revoke-confirming", leavesRevoke),
        go("funded", isFunded),
        go("deposit-confirming", depositIsSigned),
        go("gasless-confirming", signatureIsOut),
        // What was begun to be taken back is taken back; what may stand is looked at first.
        go("revoke-confirming", hasSigned("revoke")),
        go("approve-confirming", approvalIsOut),
        go("verifying", mayStillDeposit),
        go("quoting"),
      ],
      "operator.abandoned": [...voiding(isVoidable), go("closing", nothingSigned)],
    },
    disarmed: {
      "order.observed": [
        go("completed", isPaid),
        go("refunded", isRefunded),
        go("funded", isNewlyFunded),
        again("disarmed"),
      ],
      "deposit.unsettled": [go("gasless-confirming")],
      "work.deferred": [again("disarmed")],
      "operator.abandoned": [go("abandoned")],
    },
    closing: {},
    ...transactionTransitions("revoke", {
      done: [go("closing")],
      // The approval landed after all, in the place of what was to void it.
      failed: [go("revoke-planning", isExcluded), go("closing")],
    }),
    completed: {},
    refunded: {},
    rejected: {},
    abandoned: {},
  }
}

/** Nothing is at stake yet: a "no" ends the order, whatever it means, and an operator may give it up. */
function beforeCreation(state: StateName): Transitions {
  return { "order.declined": [go("closing")], "work.deferred": [again(state)], "operator.abandoned": [go("closing")] }
}

/** Something was there to be verified: who cannot make sense of it holds the order. */
function beforeDeposit(state: StateName): Transitions {
  return { ...beforeCreation(state), "order.held": [go("held")] }
}

type TransactionStep = "planning" | "signing" | "sending" | "confirming" | "bumping"

/** Planned → signed → sent → confirmed, with fee bumps that exclude each other. */
function transactionTransitions<Kind extends TransactionPurpose>(
  transaction: Kind,
  to: { done: readonly Transition[]; failed: readonly Transition[]; late?: readonly Transition[] },
): { [state in Extract<StateName, `${Kind}-${TransactionStep}`>]: Transitions } {
  // CAST: the one name that is no state is the approval's planning, which is left out below.
  const name = (step: TransactionStep): StateName => `${transaction}-${step}` as StateName
  const always: Transitions = { "order.held": [go("held")] }
  // A deposit that lands ends its own voiding.
  const unsettled: Transitions = transaction === "void" ? { "deposit.unsettled": [go("deposit-confirming")] } : {}
  // An unsigned deposit may still be given up; a signed one must first be voided.
  const unsigned: Transitions =
    transaction === "deposit" ? { "operator.abandoned": [...voiding(isVoidable), go("closing", nothingSigned)] } : {}
  const signed: Transitions =
    transaction === "deposit"
      ? { "operator.abandoned": voiding(isVoidable) }
      : transaction === "approve"
        ? { "operator.abandoned": [go("closing")] }
        : {}
  const ended: Transitions = { "transaction.excluded": to.failed, ...(to.late ? { "transaction.late": to.late } : {}) }
  const planning: Transitions = {
    ...always,
    ...unsigned,
    ...unsettled,
    "transaction.planned": [go(name("signing"))],
    // A deposit always needs its void.
    ...(transaction === "void" ? {} : { "order.declined": to.failed }),
    "work.deferred": [again(name("planning"))],
  }
  const states = {
    ...(transaction === "approve" ? {} : { [name("planning")]: planning }),
    [name("signing")]: {
      ...always,
      ...(transaction === "approve" ? signed : unsigned),
      ...(transaction === "approve" || transaction === "deposit"
        ? { "order.declined": [go(name("confirming"), hasSigned(transaction)), ...to.failed] }
        : {}),
      "transaction.signed": [go(name("sending"))],
      "work.deferred": [again(name("signing"))],
    },
    [name("sending")]: {
      ...always,
      ...signed,
      ...ended,
      "transaction.sent": [go(name("confirming"))],
      "transaction.mined": [
        ...withGuard(to.done, isMinedFinally),
        ...withGuard(to.failed, isRevertedFinally),
        go(name("confirming")),
      ],
      "transaction.pending": [go(name("confirming"))],
      "work.deferred": [again(name("sending"))],
    },
    [name("confirming")]: {
      ...always,
      ...signed,
      ...ended,
      ...unsettled,
      "transaction.mined": [
        ...withGuard(to.done, isMinedFinally),
        ...withGuard(to.failed, isRevertedFinally),
        again(name("confirming")),
      ],
      "transaction.pending": [again(name("confirming"))],
      "transaction.unseen": [go(name("sending"))],
      "transaction.stuck": [go(name("bumping"))],
      "work.deferred": [again(name("confirming"))],
    },
    [name("bumping")]: {
      ...always,
      ...signed,
      "transaction.planned": [go(name("signing"))],
      "transaction.unbumpable": [again(name("confirming"))],
      "work.deferred": [again(name("confirming"))],
    },
  }
  // CAST: the keys are built from `move` and the five steps, which TypeScript cannot follow through computed names.
  return states as unknown as ReturnType<typeof transactionTransitions<Kind>>
}

/** The source is funded (or an operator must look): our own node's word decides, the service's word is shown. */
function watching(state: StateName): Transitions {
  const heldAlready = state === "held"
  return {
    "order.observed": [
      // Its own transaction tells what it cost, and when it is final.
      ...(heldAlready
        ? [
            go("deposit-confirming", isOwnDepositNew),
            go("revoke-confirming", leavesRevoke),
            go("refund-confirming", leavesRefund),
          ]
        : []),
      go("completed", isPaid),
      go("refund-confirming", isOwnRefundNew),
      go("refunded", isRefunded),
      ...(heldAlready ? [go("funded", isNewlyFunded)] : [go("held", sourceTakenWithoutPayout)]),
      ...refunding(isRefundable),
      ...(heldAlready ? [] : [go("held", reportNotBorneOut)]),
      ...(state === "funded" ? [go("redeem-reported", isReported), go("refund-watch", isLapsed)] : []),
      ...(state === "redeem-reported" ? [] : state === "refund-watch" ? [go("redeem-reported", isReported)] : []),
      again(state),
    ],
    "deposit.unsettled": [go("gasless-confirming", isRelayed), go("deposit-confirming")],
    "work.deferred": [again(state)],
    ...(heldAlready ? {} : { "order.held": [go("held")] }),
    "operator.refunded": [
      ...(heldAlready ? [go("deposit-confirming", depositMayLand), go("revoke-confirming", leavesRevoke)] : []),
      ...refunding(mayBeRefunded),
    ],
  }
}

function stateNode(name: string, on: Transitions): object {
  // CAST: the names come from a table that is keyed by StateName.
  const description = STATES[name as StateName]
  const transaction = purposeOf(name)
  if (name === "closing") {
    return {
      meta: description,
      always: [
        { target: "revoke-confirming", guard: (args: Args) => leavesApproval(args) && hasSigned("revoke")(args) },
        { target: "revoke-planning", guard: leavesApproval },
        { target: "gasless-confirming", guard: signatureWasHandedOver },
        { target: "abandoned", guard: ({ context }: { context: OrderData }) => context.ending === "abandoned" },
        { target: "rejected" },
      ],
    }
  }
  return {
    meta: description,
    ...(["completed", "refunded", "rejected", "abandoned"].includes(name) ? { type: "final" } : {}),
    ...(description.work === null ? {} : { entry: [{ type: "work", params: { work: description.work } }] }),
    on: Object.fromEntries(
      Object.entries(on).map(([type, transitions]) => [
        type,
        transitions.map(({ target, guard, reenter }) => ({
          target,
          ...(guard ? { guard } : {}),
          ...(reenter ? { reenter } : {}),
          actions: assign(({ context, event }: { context: OrderData; event: OrderEvent }) =>
            reenter
              ? repeat(
                  target === "held" || target === "disarmed"
                    ? stayHeld(context, event)
                    : absorb(context, event, transaction),
                  event,
                  target,
                )
              : arrive(absorb(context, event, transaction), event, target),
          ),
        })),
      ]),
    ),
  }
}

/** What an order is held for stays readable for as long as it is held. */
function stayHeld(data: OrderData, event: OrderEvent): OrderData {
  const { reasons, ...after } = absorb(data, event, null)
  const fresh = reasons.filter(({ code }) => !data.reasons.some((reason) => reason.code === code))
  return { ...after, reasons: [...data.reasons, ...fresh] }
}

function arrive(before: OrderData, event: OrderEvent, state: StateName): OrderData {
  const data = event.type === "operator.retried" && state === "quoting" ? startOver(before, event.nonce) : before
  return { ...data, tries: 0, waitMs: restMs(data, event, state), stateSince: event.at }
}

/** Facts that lead back to where the order came from: without a rest, two states would pass it on as fast as the nodes answer. */
function restMs({ creations, policy }: OrderData, { type }: OrderEvent, state: StateName): number {
  if (type === "transaction.sent") return MIN_WAIT_MS
  if (type === "transaction.unseen") return UNSEEN_WAIT_MS
  if (type === "order.held") return policy.pollMinMs
  if (type === "quote.outdated") return Math.min(MAX_WAIT_MS, MIN_WAIT_MS * creations)
  return type === "order.declined" && state === "refund-watch" ? policy.pollMaxMs : 0
}

function repeat(data: OrderData, event: OrderEvent, state: StateName): OrderData {
  const asked = event.type === "work.deferred" ? event.waitMs : undefined
  if (state === "disarmed") return { ...data, tries: data.tries + 1, waitMs: asked ?? DISARMED_WAIT_MS }
  const polls = STATES[state].work?.kind === "observeOrder"
  const [minMs, maxMs] = polls ? [data.policy.pollMinMs, data.policy.pollMaxMs] : [MIN_WAIT_MS, MAX_WAIT_MS]
  const backoffMs = Math.min(maxMs, Math.round(minMs * 1.3 ** Math.min(data.tries, 40)))
  return { ...data, tries: data.tries + 1, waitMs: asked ?? backoffMs }
}

function go(target: StateName, guard?: Transition["guard"]): Transition {
  return { target, ...(guard ? { guard } : {}) }
}

/** Stays, and does the state's work again after a growing wait. */
function again(target: StateName): Transition {
  return { target, reenter: true }
}

/** What was signed before and may still land is seen through first: a second one beside it would leave it unseen, and its fee unbooked. */
function voiding(guard: NonNullable<Transition["guard"]> = () => true): Transition[] {
  return withGuard([go("void-confirming", mayStillVoid), go("void-planning")], guard)
}

/** As above. */
function refunding(guard: NonNullable<Transition["guard"]>): Transition[] {
  return withGuard([go("refund-confirming", mayStillRefund), go("refund-planning")], guard)
}

function withGuard(transitions: readonly Transition[], guard: NonNullable<Transition["guard"]>): Transition[] {
  return transitions.map((t) => ({ ...t, guard: (args) => guard(args) && (t.guard?.(args) ?? true) }))
}
