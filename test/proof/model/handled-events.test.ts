import { describe, expect, test } from "vitest"
import type { UntimedOrderEvent } from "#order/events.ts"
import { FINAL_STATES, purposeOf, STATE_NAMES, STATES, type StateName } from "#order/states.ts"
import type { Work } from "#order/work.ts"
import { listHandledEvents } from "../../support/list-handled-events.ts"

type EventType = UntimedOrderEvent["type"]

/** The events that each piece of work may end with: the promises of `engine/perform`. */
function endingsOf(work: Work): EventType[] {
  const always: EventType[] = ["work.deferred", "order.held"]
  switch (work.kind) {
    // Before a deposit can be verified, every error ends the order, so none holds it.
    case "fetchQuote":
      return ["work.deferred", "quote.accepted", "order.declined"]
    case "createOrder":
      return ["work.deferred", "order.created", "quote.outdated", "order.declined"]
    case "verifyOrder":
      return [...always, "deposit.verified", "quote.outdated", "order.declined"]
    case "expireApproval":
      return ["work.deferred", "approval.expired"]
    case "checkAllowance":
      return [
        ...always,
        "allowance.ready",
        "transaction.planned",
        "transaction.mined",
        "transaction.unseen",
        "order.declined",
      ]
    case "planTransaction":
      return [
        ...always,
        "transaction.planned",
        ...(work.purpose === "void" ? (["deposit.unsettled"] as const) : []),
        ...declines(work.purpose),
      ]
    case "signTransaction":
      return [
        ...always,
        "transaction.signed",
        ...(["approve", "deposit"].includes(work.purpose) ? declines("deposit") : []),
        ...(work.purpose === "redeem" ? lateness("redeem") : []),
      ]
    case "broadcastTransaction":
      return [
        ...always,
        "transaction.sent",
        "transaction.mined",
        "transaction.pending",
        "transaction.excluded",
        ...(work.purpose === "redeem" ? (["transaction.stuck"] as const) : []),
        ...lateness(work.purpose),
      ]
    case "observeTransaction":
      return [
        ...always,
        "transaction.mined",
        "transaction.pending",
        "transaction.unseen",
        "transaction.stuck",
        "transaction.excluded",
        ...lateness(work.purpose),
        ...(work.purpose === "void" ? (["deposit.unsettled"] as const) : []),
      ]
    case "bumpTransaction":
      return [...always, "transaction.planned", "transaction.unbumpable"]
    case "signTypedData":
      return [...always, "gasless.signed", "gasless.fell_through", "order.declined"]
    case "submitSignature":
      return [...always, "gasless.submitted", "gasless.initiated", "order.declined"]
    case "observeInitiation":
      return [
        ...always,
        "gasless.initiated",
        "gasless.fell_through",
        "gasless.missing",
        "gasless.late",
        "gasless.disarmed",
        "approval.lost",
      ]
    case "observeOrder":
      return [
        "work.deferred",
        "order.observed",
        "deposit.unsettled",
        "refund.unsettled",
        "redeem.unsettled",
      ]
    case "revealSecret":
      return [...always, "secret.revealed", "secret.withheld", "secret.kept"]
    case "proveUnfunded":
      return [
        ...always,
        "order.unfunded",
        "order.unproven",
        "order.observed",
        "deposit.unsettled",
        "refund.unsettled",
        "redeem.unsettled",
      ]
  }
}

function lateness(transaction: string): EventType[] {
  return ["deposit", "approve", "redeem"].includes(transaction) ? ["transaction.late"] : []
}

function declines(transaction: string): EventType[] {
  return ["deposit", "refund", "revoke", "redeem"].includes(transaction) ? ["order.declined"] : []
}

/** The operator events that each group of states takes, and why it refuses the others. */
const OPERATOR: Readonly<
  Record<string, { readonly takes: readonly EventType[]; readonly why: string }>
> = {
  early: {
    takes: ["operator.abandoned"],
    why: "nothing is signed: the order can only be abandoned",
  },
  resting: {
    takes: ["operator.abandoned", "operator.approved", "operator.rejected"],
    why: "the order waits for exactly this answer",
  },
  deposit: { takes: ["operator.abandoned"], why: "abandoning it voids the signed deposit" },
  approval: { takes: ["operator.abandoned"], why: "abandoning it revokes the approval" },
  disarmed: {
    takes: ["operator.abandoned"],
    why: "nothing is deposited, and only an operator can promise that no allowance will follow",
  },
  watching: {
    takes: ["operator.redeemed", "operator.refunded"],
    why: "the source is funded: only the payout or a refund ends the order",
  },
  held: {
    takes: ["operator.abandoned", "operator.redeemed", "operator.refunded", "operator.retried"],
    why: "the order waits for an operator",
  },
  "proving-unfunded": {
    takes: ["operator.abandoned"],
    why: "only a voucher that never ends keeps the order, and no proof of it can come",
  },
  underway: {
    takes: [],
    why: "a signature is out, or a transaction is under way and must end before another decision",
  },
  over: { takes: [], why: "the outcome is final" },
}

function groupOf(state: StateName): string {
  if (FINAL_STATES.some((final) => final === state) || state === "closing") return "over"
  if (["held", "disarmed", "proving-unfunded"].includes(state)) return state
  if (state === "awaiting-approval") return "resting"
  if (["quoting", "creating", "verifying", "allowing", "gasless-signing"].includes(state))
    return "early"
  if (["funded", "revealed", "redeem-reported", "refund-watch", "settling"].includes(state))
    return "watching"
  if (purposeOf(state) === "approve") return "approval"
  return purposeOf(state) === "deposit" ? "deposit" : "underway"
}

/**
 * Events that a state takes although its own work never ends with them: harmless, and listed so
 * that none is hidden.
 */
const SPARE: readonly {
  readonly types: readonly EventType[]
  readonly states: RegExp
  readonly why: string
}[] = [
  {
    types: ["order.held"],
    states: /./,
    why: "any work may meet an error that an operator must look at",
  },
]

describe("every event in every state", () => {
  const withWork = STATE_NAMES.flatMap((state) => {
    const { work } = STATES[state]
    return work === null ? [] : [{ state, work }]
  })

  test.each(withWork)("$state takes every event that its work can end with", ({ state, work }) => {
    const handled = handledBy(state)
    expect(endingsOf(work).filter((type) => !handled.includes(type))).toEqual([])
  })

  test.each(STATE_NAMES.map((state) => ({ state })))(
    "$state takes no event that its work cannot end with",
    ({ state }) => {
      const { work } = STATES[state]
      const expected = work === null ? [] : endingsOf(work)
      const surplus = handledBy(state)
        .filter((type) => !type.startsWith("operator."))
        .filter((type) => !expected.includes(type))
        .filter(
          (type) => !SPARE.some(({ types, states }) => types.includes(type) && states.test(state)),
        )
      expect(surplus).toEqual([])
    },
  )

  test.each(STATE_NAMES.map((state) => ({ state })))(
    "$state takes the operator events of its group",
    ({ state }) => {
      const taken = handledBy(state)
        .filter((type) => type.startsWith("operator."))
        .sort()
      expect(taken).toEqual(OPERATOR[groupOf(state)]?.takes)
    },
  )
})

function handledBy(state: StateName): EventType[] {
  // CAST: the machine was built from tables that are keyed by event types.
  return [...listHandledEvents(state)] as EventType[]
}
