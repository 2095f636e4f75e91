import type { TransactionPurpose } from "../data.ts"
import { LASTING } from "../guards.ts"
import {
  again,
  type Change,
  type Compound,
  go,
  goLater,
  leaf,
  onlyIf,
  type Route,
  type Transitions,
  take,
} from "../routes.ts"
import type { StateName } from "../states.ts"

type TransactionStep = "signing" | "sending" | "confirming" | "bumping"

/** The word of each step. An approval has no planning step: `allowing` plans it. */
type Words = { readonly planning?: StateName } & { readonly [step in TransactionStep]: StateName }

type Exits = {
  /**
   * A block shows the transaction, and it succeeded. The order goes on from an approval, deposit or
   * refund at the depth `seen`, and observes it further; a void or revocation counts when its block
   * is final, because it releases something.
   */
  readonly done: readonly Route[]
  /** A final block shows that it reverted, or that another transaction used its nonce or input. */
  readonly failed: readonly Route[]
  /** The time for sending is over. Only approvals and deposits have such a time. */
  readonly late?: readonly Route[]
}

/**
 * The events that only this purpose takes, by step. `everywhere` applies in all steps, after a
 * step's own transitions.
 */
type Extra = { readonly [step in TransactionStep | "planning" | "everywhere"]?: Transitions }

/**
 * The life of one transaction of ours: planning → signing → sending → confirming ⇄ bumping. A fee
 * bump signs another attempt that excludes the earlier ones. An answer that makes no sense holds
 * the order in every step.
 */
export function transactionLife(
  purpose: TransactionPurpose,
  words: Words & { readonly planning: StateName },
  exits: Exits,
  extra: Extra,
): Compound<TransactionStep | "planning"> {
  return {
    initial: "planning",
    on: { ...always(), ...extra.everywhere },
    states: {
      planning: leaf(words.planning, {
        "transaction.planned": take(of(purpose, "storePlan"), go(words.signing)),
        "work.deferred": take("storeReasons", again(words.planning)),
        ...extra.planning,
      }),
      ...signedSteps(purpose, words, exits, extra),
    },
  }
}

/** The same life without its planning, for a transaction that another state plans. */
export function plannedTransactionLife(
  purpose: TransactionPurpose,
  words: Words,
  exits: Exits,
  extra: Extra,
): Compound<TransactionStep> {
  return {
    initial: "signing",
    on: { ...always(), ...extra.everywhere },
    states: signedSteps(purpose, words, exits, extra),
  }
}

function always(): Transitions {
  return { "order.held": take("hold", goLater("poll", "held")) }
}

function signedSteps(
  purpose: TransactionPurpose,
  words: Words,
  exits: Exits,
  extra: Extra,
): Compound<TransactionStep>["states"] {
  const { signing, sending, confirming, bumping } = words
  const mined = (otherwise: Route) =>
    take(
      of(purpose, "storeMined"),
      ...onlyIf(
        LASTING.some((lasting) => lasting === purpose) ? "isMinedSeen" : "isMinedFinally",
        exits.done,
      ),
      ...onlyIf("isRevertedFinally", exits.failed),
      otherwise,
    )
  const ended: Transitions = {
    "transaction.excluded": take(of(purpose, "storeExclusion"), ...exits.failed),
    ...(exits.late
      ? { "transaction.late": take(of(purpose, "storeLateness"), ...exits.late) }
      : {}),
  }
  return {
    signing: leaf(signing, {
      "transaction.signed": take(of(purpose, "storeSigned"), go(sending)),
      "work.deferred": take("storeReasons", again(signing)),
      ...extra.signing,
    }),
    sending: leaf(sending, {
      ...ended,
      "transaction.sent": take(of(purpose, "storeSent"), goLater("sent", confirming)),
      "transaction.mined": mined(go(confirming)),
      "transaction.pending": take(of(purpose, "storePending"), go(confirming)),
      "work.deferred": take("storeReasons", again(sending)),
      ...extra.sending,
    }),
    confirming: leaf(confirming, {
      ...ended,
      "transaction.mined": mined(again(confirming)),
      "transaction.pending": take(of(purpose, "storePending"), again(confirming)),
      "transaction.unseen": take(of(purpose, "dropBlock"), goLater("unseen", sending)),
      "transaction.stuck": take(of(purpose, "dropBlock"), go(bumping)),
      "work.deferred": take("storeReasons", again(confirming)),
      ...extra.confirming,
    }),
    bumping: leaf(bumping, {
      "transaction.planned": take(of(purpose, "storePlan"), go(signing)),
      "transaction.unbumpable": take(of(purpose, "postponeBump"), again(confirming)),
      "work.deferred": take("storeReasons", again(confirming)),
      ...extra.bumping,
    }),
  }
}

type TransactionChange = Extract<Change, { type: string }>["type"]

function of(purpose: TransactionPurpose, type: TransactionChange): Change {
  return { type, params: { purpose } }
}
