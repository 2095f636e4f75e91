import type { TransactionPurpose } from "./data.ts"
import type { Work } from "./work.ts"

/**
 * The description of a state for an operator, and its work. `machine.md` shows all but the work.
 */
export type StateDescription = {
  /** Where the money is. */
  readonly money: string
  readonly work: Work | null
  readonly onRestart: string
  readonly canRefund: string
  readonly who: string
}

/**
 * The word of a state: the journal stores it and the API shows it. In `deposit-signing` the machine
 * is in `signing` within `deposit`.
 */
export type StateName = keyof typeof STATES

export const FINAL_STATES = ["completed", "refunded", "rejected", "abandoned"] as const
export type FinalState = (typeof FINAL_STATES)[number]

const READ = "reads again"
const NOTHING = "nothing to refund"
const TIMELOCK = "after the timelock"
const UNTIL_LOST = "after the payout is proven to be lost"
const BALLAST = "Ballast"
const NOBODY = "nobody"

const approve = describeLife("approve", "in the wallet", NOTHING)
const deposit = describeLife("deposit", "leaving the wallet for the source HTLC", TIMELOCK)
const voiding = describeLife("void", "in the wallet, unless the deposit lands first", NOTHING)
const refund = describeLife("refund", "in the source HTLC, on its way back", TIMELOCK)
const revoke = describeLife("revoke", "in the wallet", NOTHING)
const redeem = describeLife("redeem", "in the payout HTLC, on its way to us", UNTIL_LOST)

/** Every state of an order. `states/` holds the transitions between them. */
export const STATES = {
  quoting: describe(
    "in the wallet; asking for a quote",
    { kind: "fetchQuote" },
    "asks again",
    NOTHING,
  ),
  creating: describe(
    "in the wallet; creating the order at the service",
    { kind: "createOrder" },
    "asks again: an order without a received answer is never funded",
    NOTHING,
  ),
  verifying: describe(
    "in the wallet; comparing the service's order with the request",
    { kind: "verifyOrder" },
    READ,
    NOTHING,
  ),
  "awaiting-approval": describe(
    "in the wallet; an operator must approve",
    { kind: "expireApproval" },
    "keeps waiting",
    NOTHING,
    "operator: approve or reject",
  ),
  allowing: describe(
    "in the wallet; checking the allowance",
    { kind: "checkAllowance" },
    READ,
    NOTHING,
  ),
  "gasless-signing": describe(
    "in the wallet; signing the typed data",
    { kind: "signTypedData" },
    "signs again: same signature",
    NOTHING,
  ),
  "gasless-submitting": describe(
    "in the wallet; submitting the signature to the service",
    { kind: "submitSignature" },
    "reads order and chain first, then submits the same signature",
    "not yet",
  ),
  "gasless-confirming": describe(
    "in the wallet or the source HTLC: the relay has the signature",
    { kind: "observeInitiation" },
    READ,
    "not yet",
  ),
  funded: describe(
    "in the source HTLC; waiting for the redemption on the destination chain",
    { kind: "observeOrder" },
    READ,
    TIMELOCK,
  ),
  revealing: describe(
    "in both HTLCs; proving the payout before our secret is told",
    { kind: "revealSecret" },
    "proves the payout again; after the decision to tell the secret, tells it again",
    TIMELOCK,
  ),
  revealed: describe(
    "in the payout HTLC; our secret is told, waiting for the redemption",
    { kind: "observeOrder" },
    READ,
    UNTIL_LOST,
  ),
  "redeem-reported": describe(
    "paid out, as the service reports; our own node does not show it yet",
    { kind: "observeOrder" },
    READ,
    "after the timelock, unless the source was redeemed",
  ),
  "refund-watch": describe(
    "in the source HTLC; the order will not be filled, waiting for the timelock",
    { kind: "observeOrder" },
    READ,
    "yes, after the timelock",
  ),
  settling: describe(
    "paid out or refunded, as our own node shows; waiting for the finality of that ending",
    { kind: "observeOrder" },
    READ,
    "after the timelock, if the payout vanishes again",
  ),
  held: describe(
    "the order's reasons tell; until an operator acts, Ballast signs nothing but a refund " +
      "that becomes possible",
    { kind: "observeOrder" },
    READ,
    "by `refund`, once the HTLC allows it",
    "operator: retry, refund or abandon",
  ),
  disarmed: describe(
    "in the wallet; the relay has a signature that needs an allowance, and none is left",
    { kind: "observeOrder" },
    READ,
    "after the timelock, if the relay uses the signature after all",
    "operator: abandon, when no further order of this asset goes to this HTLC",
  ),
  "proving-unfunded": describe(
    "in the wallet, as far as known; proving that the source HTLC never had the deposit",
    { kind: "proveUnfunded" },
    READ,
    "after the timelock, if the proof finds a deposit",
  ),
  closing: describe("in the wallet; choosing the outcome", null, "does not rest here", NOTHING),
  completed: describe(
    "on the destination chain, seen by our own node",
    null,
    "final",
    "no: paid out",
    NOBODY,
  ),
  refunded: describe(
    "back in the source wallet, seen by our own node",
    null,
    "final",
    "done",
    NOBODY,
  ),
  rejected: describe("in the source wallet; never deposited", null, "final", NOTHING, NOBODY),
  abandoned: describe(
    "in the source wallet; abandoned by an operator",
    null,
    "final",
    NOTHING,
    NOBODY,
  ),

  /*
   * No `approve-planning`: `allowing` reads the allowance and plans the approval in one piece of
   * work.
   */
  "approve-signing": approve.signing,
  "approve-sending": approve.sending,
  "approve-confirming": approve.confirming,
  "approve-bumping": approve.bumping,
  "deposit-planning": describePlanning(
    "deposit",
    "leaving the wallet for the source HTLC",
    TIMELOCK,
  ),
  "deposit-signing": deposit.signing,
  "deposit-sending": deposit.sending,
  "deposit-confirming": deposit.confirming,
  "deposit-bumping": deposit.bumping,
  "void-planning": describePlanning(
    "void",
    "in the wallet, unless the deposit lands first",
    NOTHING,
  ),
  "void-signing": voiding.signing,
  "void-sending": voiding.sending,
  "void-confirming": voiding.confirming,
  "void-bumping": voiding.bumping,
  "refund-planning": describePlanning("refund", "in the source HTLC, on its way back", TIMELOCK),
  "refund-signing": refund.signing,
  "refund-sending": refund.sending,
  "refund-confirming": refund.confirming,
  "refund-bumping": refund.bumping,
  "revoke-planning": describePlanning("revoke", "in the wallet", NOTHING),
  "revoke-signing": revoke.signing,
  "revoke-sending": revoke.sending,
  "revoke-confirming": revoke.confirming,
  "revoke-bumping": revoke.bumping,
  "redeem-planning": describePlanning("redeem", "in the payout HTLC, on its way to us", UNTIL_LOST),
  "redeem-signing": redeem.signing,
  "redeem-sending": redeem.sending,
  "redeem-confirming": redeem.confirming,
  "redeem-bumping": redeem.bumping,
} as const satisfies Readonly<Record<string, StateDescription>>

export const STATE_NAMES: readonly StateName[] = Object.keys(STATES).filter(isStateName)

export function isStateName(word: string): word is StateName {
  return Object.hasOwn(STATES, word)
}

/** The transaction of a state such as `deposit-sending`; `allowing` plans the approval. */
export function purposeOf(state: StateName): TransactionPurpose | null {
  if (state === "allowing") return "approve"
  const { work }: StateDescription = STATES[state]
  return work !== null && "purpose" in work ? work.purpose : null
}

export function isFinal(state: string): state is FinalState {
  return FINAL_STATES.some((final) => final === state)
}

type Step = "planning" | "signing" | "sending" | "confirming" | "bumping"
type Life = { readonly [step in Exclude<Step, "planning">]: StateDescription }

/** The steps of one transaction's life after its planning. */
function describeLife(purpose: TransactionPurpose, where: string, canRefund: string): Life {
  return {
    signing: describe(
      `${where}; signing the planned ${purpose}`,
      { kind: "signTransaction", purpose },
      "signs the stored plan again: same bytes",
      canRefund,
    ),
    sending: describe(
      `${where}; sending the stored ${purpose}`,
      { kind: "broadcastTransaction", purpose },
      "reads the chain first, then sends the same bytes",
      canRefund,
    ),
    confirming: describe(
      `${where}; confirming the ${purpose}`,
      { kind: "observeTransaction", purpose },
      READ,
      canRefund,
    ),
    bumping: describe(
      `${where}; raising the fee of the ${purpose}, same nonce or inputs`,
      { kind: "bumpTransaction", purpose },
      "plans the bump again: nothing was signed",
      canRefund,
    ),
  }
}

function describePlanning(
  purpose: Exclude<TransactionPurpose, "approve">,
  where: string,
  canRefund: string,
): StateDescription {
  const work: Work = { kind: "planTransaction", purpose }
  return describe(
    `${where}; planning the ${purpose}`,
    work,
    "plans again: nothing was signed",
    canRefund,
  )
}

function describe(
  money: string,
  work: Work | null,
  onRestart: string,
  canRefund: string,
  who: string = BALLAST,
): StateDescription {
  return { money, work, onRestart, canRefund, who }
}
