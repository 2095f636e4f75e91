import type { TransactionPurpose } from "./data.ts"
import type { Work } from "./effects.ts"

/**
 * Every state of an order: where the money is, what is being done, and what an operator needs to know. `machine.ts` says what follows
 * what; `machine.md` is generated from both.
 */
export type StateFacts = {
  /** Where is the money? */
  readonly money: string
  readonly work: Work | null
  readonly onRestart: string
  readonly canRefund: string
  readonly who: string
}

export const FINAL_STATES = ["completed", "refunded", "rejected", "abandoned"] as const
export type FinalState = (typeof FINAL_STATES)[number]

const TRANSACTION_PURPOSES = [
  "approve",
  "deposit",
  "void",
  "refund",
  "revoke",
] as const satisfies readonly TransactionPurpose[]
type TransactionStep = "planning" | "signing" | "sending" | "confirming" | "bumping"
/** There is no `approve-planning`: `allowing` looks at the allowance and plans the approval in one go. */
type TransactionState = Exclude<`${TransactionPurpose}-${TransactionStep}`, "approve-planning">

const read = "reads again"
const nothing = "nothing to refund"
const ballast = "Ballast"

const ownStates = {
  quoting: facts("in the wallet; asking for a quote", { kind: "fetchQuote" }, "asks again", nothing),
  creating: facts(
    "in the wallet; creating the order at the service",
    { kind: "createOrder" },
    "asks again: an order whose answer was lost is never funded",
    nothing,
  ),
  verifying: facts(
    "in the wallet; comparing the order read back with what was asked",
    { kind: "verifyDeposit" },
    read,
    nothing,
  ),
  "awaiting-approval": facts(
    "in the wallet; a person must approve",
    { kind: "expireApproval" },
    "waits on",
    nothing,
    "operator: approve or reject",
  ),
  allowing: facts("in the wallet; checking the allowance", { kind: "checkAllowance" }, read, nothing),
  "gasless-signing": facts(
    "in the wallet; signing the typed data",
    { kind: "signTypedData" },
    "signs the same again",
    nothing,
  ),
  "gasless-submitting": facts(
    "in the wallet; handing the signature to the service",
    { kind: "submitSignature" },
    "looks at order and chain, then submits the same signature",
    "not yet",
  ),
  "gasless-confirming": facts(
    "in the wallet or the source HTLC: the signature is out",
    { kind: "observeInitiation" },
    read,
    "not yet",
  ),
  funded: facts(
    "in the source HTLC; waiting for the redemption on the destination chain",
    { kind: "observeOrder" },
    read,
    "after the timelock",
  ),
  "redeem-reported": facts(
    "said to be paid out; our own node does not show it yet",
    { kind: "observeOrder" },
    read,
    "after the timelock, unless the source was redeemed",
  ),
  "refund-watch": facts(
    "in the source HTLC; will not be filled, waiting for the timelock",
    { kind: "observeOrder" },
    read,
    "yes, after the timelock",
  ),
  held: facts(
    "see the order's reasons; until a person acts nothing is signed but a refund that has become possible",
    { kind: "observeOrder" },
    read,
    "by `refund`, once the HTLC allows it",
    "operator: retry, refund or abandon",
  ),
  disarmed: facts(
    "in the wallet; the relay has a signature that cannot be used without an allowance, and none is left",
    { kind: "observeOrder" },
    read,
    "should the signature be used after all, after the timelock",
    "operator: abandon, when no further order of this asset goes to this HTLC",
  ),
  closing: facts("in the wallet; deciding how to end", null, "does not rest here", nothing),
  completed: facts("on the destination chain, seen by our own node", null, "final", "no: paid out", "nobody"),
  refunded: facts("back in the source wallet, seen by our own node", null, "final", "done", "nobody"),
  rejected: facts("in the source wallet; never deposited", null, "final", nothing, "nobody"),
  abandoned: facts("in the source wallet; given up by an operator", null, "final", nothing, "nobody"),
} as const

export type StateName = keyof typeof ownStates | TransactionState

// CAST: the entries are the product of TRANSACTION_PURPOSES and the five steps, but for the approval's planning.
const transactionStates = Object.fromEntries(TRANSACTION_PURPOSES.flatMap(describeTransaction)) as Record<
  TransactionState,
  StateFacts
>

export const STATES: Readonly<Record<StateName, StateFacts>> = { ...ownStates, ...transactionStates }

/** The purpose that a state such as `deposit-sending` is about; `allowing` plans the approval. */
export function purposeOf(state: string): TransactionPurpose | null {
  if (state === "allowing") return "approve"
  return TRANSACTION_PURPOSES.find((kind) => state.startsWith(`${kind}-`)) ?? null
}

export function isFinal(state: string): state is FinalState {
  return FINAL_STATES.some((final) => final === state)
}

function describeTransaction(purpose: TransactionPurpose): [TransactionState, StateFacts][] {
  const whereMoney: Record<TransactionPurpose, string> = {
    approve: "in the wallet",
    deposit: "leaving the wallet for the source HTLC",
    void: "in the wallet, unless the deposit lands first",
    refund: "in the source HTLC, on its way back",
    revoke: "in the wallet",
  }
  const canRefund = purpose === "deposit" || purpose === "refund" ? "after the timelock" : nothing
  const where = whereMoney[purpose]
  const planning: [TransactionState, StateFacts][] =
    purpose === "approve"
      ? []
      : [
          [
            `${purpose}-planning`,
            facts(
              `${where}; planning the ${purpose}`,
              { kind: "planTransaction", purpose },
              "plans again: nothing was signed",
              canRefund,
            ),
          ],
        ]
  return [
    ...planning,
    [
      `${purpose}-signing`,
      facts(
        `${where}; signing the planned ${purpose}`,
        { kind: "signTransaction", purpose },
        "signs the stored plan again: same bytes",
        canRefund,
      ),
    ],
    [
      `${purpose}-sending`,
      facts(
        `${where}; sending the stored ${purpose}`,
        { kind: "broadcastTransaction", purpose },
        "looks at the chain first, then sends the same bytes",
        canRefund,
      ),
    ],
    [
      `${purpose}-confirming`,
      facts(`${where}; the ${purpose} is being confirmed`, { kind: "observeTransaction", purpose }, read, canRefund),
    ],
    [
      `${purpose}-bumping`,
      facts(
        `${where}; raising the fee of the ${purpose}, same nonce or inputs`,
        { kind: "bumpTransaction", purpose },
        "plans the bump again: nothing was signed",
        canRefund,
      ),
    ],
  ]
}

function facts(
  money: string,
  work: Work | null,
  onRestart: string,
  canRefund: string,
  who: string = ballast,
): StateFacts {
  return { money, work, onRestart, canRefund, who }
}
