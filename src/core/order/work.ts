import type { TransactionPurpose } from "./data.ts"

/**
 * The work that a state asks for: at most one piece at a time. Plain data, performed by the engine.
 *
 * A crash may repeat any piece of work. Why the repetition is safe:
 * - plain reads: fetchQuote, verifyOrder, checkAllowance, expireApproval, observeTransaction,
 *   observeInitiation, observeOrder, proveUnfunded;
 * - the same input gives the same bytes: signTransaction, signTypedData;
 * - the chain is read first, then the same bytes are sent: broadcastTransaction, submitSignature;
 * - only one answer is ever funded: createOrder;
 * - the decision is in the journal, and an HTLC pays once: revealSecret;
 * - nothing is signed yet, so a new plan replaces the old one: planTransaction, bumpTransaction.
 */
export type Work =
  | {
      readonly kind:
        | "fetchQuote"
        | "createOrder"
        | "verifyOrder"
        | "expireApproval"
        | "checkAllowance"
    }
  /** `checkAllowance` plans the approval, so no other work plans it. */
  | { readonly kind: "planTransaction"; readonly purpose: Exclude<TransactionPurpose, "approve"> }
  | {
      readonly kind:
        | "signTransaction"
        | "broadcastTransaction"
        | "observeTransaction"
        | "bumpTransaction"
      readonly purpose: TransactionPurpose
    }
  | {
      readonly kind:
        | "signTypedData"
        | "submitSignature"
        | "observeInitiation"
        | "observeOrder"
        | "proveUnfunded"
        | "revealSecret"
    }

export type WorkKind = Work["kind"]

/** Work and the delay until it is due, counted from the event that asked for it. */
export type ScheduledWork = { readonly work: Work; readonly delayMs: number }
