import { describe, expect, test } from "vitest"
import type { UntimedOrderEvent } from "#order/events.ts"
import { listHandledEvents } from "#order/machine.ts"
import { FINAL_STATES, purposeOf, STATE_NAMES, STATES, type StateName } from "#order/states.ts"
import type { Work } from "#order/work.ts"

type EventType = UntimedOrderEvent["type"]

/** What each piece of work may end with: the promises of `engine/perform`. */
function endingsOf(work: Work): EventType[] {
  const always: EventType[] = ["work.deferred", "order.held"]
  switch (work.kind) {
    // Whatever goes wrong before there is a deposit to verify ends the order.
    case "fetchQuote":
      return ["work.deferred", "quote.accepted", "order.declined"]
    case "createOrder":
      return ["work.deferred", "order.created", "quote.outdated", "order.declined"]
    case "verifyOrder":
      return [...always, "deposit.verified", "order.declined"]
    case "expireApproval":
      return ["work.deferred", "approval.expired"]
    case "checkAllowance":
      return [...always, "allowance.ready", "transaction.planned", "order.declined"]
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
      ]
    case "broadcastTransaction":
      return [
        ...always,
        "transaction.sent",
        "transaction.mined",
        "transaction.pending",
        "transaction.excluded",
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
      return [...always, "gasless.signed", "order.declined"]
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
      return ["work.deferred", "order.observed", "deposit.unsettled"]
  }
}

function lateness(transaction: string): EventType[] {
  return transaction === "deposit" || transaction === "approve" ? ["transaction.late"] : []
}

function declines(transaction: string): EventType[] {
  return transaction === "deposit" || transaction === "refund" || transaction === "revoke" ? ["order.declined"] : []
}

/** Which words of an operator each state takes. What is not here is refused, for the reason of its group. */
const OPERATOR: Readonly<Record<string, { readonly takes: readonly EventType[]; readonly why: string }>> = {
  early: { takes: ["operator.abandoned"], why: "nothing was signed: it can only be given up" },
  resting: {
    takes: ["operator.abandoned", "operator.approved", "operator.rejected"],
    why: "it waits for exactly this answer",
  },
  deposit: { takes: ["operator.abandoned"], why: "given up by voiding what was signed" },
  approval: { takes: ["operator.abandoned"], why: "given up by taking the approval back" },
  disarmed: {
    takes: ["operator.abandoned"],
    why: "nothing is deposited, and only a person can say that nothing will be",
  },
  watching: { takes: ["operator.refunded"], why: "the source is funded: only a refund brings it back" },
  held: {
    takes: ["operator.abandoned", "operator.refunded", "operator.retried"],
    why: "it waits for a person",
  },
  underway: {
    takes: [],
    why: "a signature is out, or something is on its way that must be seen through before anything else is decided",
  },
  over: { takes: [], why: "an end is an end" },
}

function groupOf(state: StateName): string {
  if (FINAL_STATES.some((final) => final === state) || state === "closing") return "over"
  if (state === "held" || state === "disarmed") return state
  if (state === "awaiting-approval") return "resting"
  if (["quoting", "creating", "verifying", "allowing", "gasless-signing"].includes(state)) return "early"
  if (["funded", "redeem-reported", "refund-watch"].includes(state)) return "watching"
  if (purposeOf(state) === "approve") return "approval"
  return purposeOf(state) === "deposit" ? "deposit" : "underway"
}

/** Handled although the state's own work never says so: harmless, and named here so that nothing hides. */
const SPARE: readonly { readonly types: readonly EventType[]; readonly states: RegExp; readonly why: string }[] = [
  { types: ["order.held"], states: /./, why: "an error that a person must look at may come from any work" },
]

describe("every event in every state", () => {
  const withWork = STATE_NAMES.flatMap((state) => {
    const { work } = STATES[state]
    return work === null ? [] : [{ state, work }]
  })

  test.each(withWork)("whatever the work of $state ends with leads on", ({ state, work }) => {
    const handled = handledBy(state)
    expect(endingsOf(work).filter((type) => !handled.includes(type))).toEqual([])
  })

  test.each(STATE_NAMES.map((state) => ({ state })))("$state takes nothing that nobody would tell it", ({ state }) => {
    const { work } = STATES[state]
    const expected = work === null ? [] : endingsOf(work)
    const surplus = handledBy(state)
      .filter((type) => !type.startsWith("operator."))
      .filter((type) => !expected.includes(type))
      .filter((type) => !SPARE.some(({ types, states }) => types.includes(type) && states.test(state)))
    expect(surplus).toEqual([])
  })

  test.each(STATE_NAMES.map((state) => ({ state })))(
    "$state takes from an operator what its group says",
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
