import { assign, setup } from "xstate"
import type { OrderData } from "./data.ts"
import type { OrderEvent } from "./events.ts"
import { type GuardName, guards } from "./guards.ts"
import { orderUpdates } from "./order-updates.ts"
import { arrive, type Pace, type Rest, repeat } from "./pace.ts"
import { allowing, approve, revoke } from "./states/allowance.ts"
import { awaitingApproval, creating, quoting, verifying } from "./states/before-deposit.ts"
import { deposit, voidDeposit } from "./states/deposit.ts"
import { closing, outcome, provingUnfunded } from "./states/ends.ts"
import { disarmed, gasless } from "./states/gasless.ts"
import { held } from "./states/held.ts"
import { redeem, revealing } from "./states/revealing.ts"
import {
  funded,
  redeemReported,
  refund,
  refundWatch,
  revealed,
  settling,
} from "./states/watching.ts"
import type { StateDescription } from "./states.ts"
import { transactionUpdates } from "./transaction-updates.ts"
import type { Work } from "./work.ts"

/**
 * Raise it when a stored snapshot can no longer be read as it is, with a reader of the version
 * before and a journal of it in `test/fixtures`. Ballast refuses snapshots of other versions.
 */
export const MACHINE_VERSION = 3

/**
 * The states and transitions of an order, as plain data: `machine.json` is this object. Each state
 * is described in a file of `states/`.
 *
 * Each state asks for at most one piece of work (ADR 0002); an event either leads to another state
 * or repeats the work later.
 */
export const orderStates = {
  id: "order",
  initial: "quoting",
  states: {
    quoting,
    creating,
    verifying,
    "awaiting-approval": awaitingApproval,
    allowing,
    approve,
    gasless,
    deposit,
    void: voidDeposit,
    funded,
    revealing,
    revealed,
    redeem,
    "redeem-reported": redeemReported,
    "refund-watch": refundWatch,
    refund,
    settling,
    held,
    disarmed,
    closing,
    "proving-unfunded": provingUnfunded,
    revoke,
    completed: outcome("completed"),
    refunded: outcome("refunded"),
    rejected: outcome("rejected"),
    abandoned: outcome("abandoned"),
  },
} as const

/** Types, guards and data changes behind the names of `orderStates`. */
export const orderSetup = setup({
  types: {
    // CAST: xstate reads the types of empty objects here; there is no value behind them.
    context: {} as OrderData,
    // CAST: as above.
    events: {} as OrderEvent,
    // CAST: as above.
    input: {} as OrderData,
    // CAST: as above.
    meta: {} as StateDescription,
  },
  guards: {
    ...guards,
    all: (question, { of }: { of: readonly GuardName[] }) =>
      of.every((name) => guards[name](question)),
  },
  actions: {
    ...orderUpdates,
    ...transactionUpdates,
    arrive: assign(({ context, event }, { rest }: { rest: Rest }) => arrive(context, event, rest)),
    repeat: assign(({ context, event }, { pace }: { pace: Pace }) => repeat(context, event, pace)),
    /** `step` reads it as the next work of the order; XState never executes it. */
    askFor: (_, _params: { work: Work }) => undefined,
  },
})

/**
 * The life of one order. Used only as a pure reducer (ADR 0001): no invoke, no after, no side
 * effects.
 */
export const orderMachine = orderSetup.createMachine({
  ...orderStates,
  context: ({ input }) => input,
})
