import type { Reason } from "#domain/reason.ts"
import type { TransactionPurpose } from "./data.ts"

/**
 * What is to be done for an order in its present state: at most one piece of work at a time. Data, performed by the engine.
 *
 * Repeat story of each: plain read (fetchQuote, verifyDeposit, checkAllowance, observe…, expireApproval) · same input → same bytes
 * (signTransaction, signTypedData) · observe first, then the same bytes (broadcastTransaction, submitSignature) · asked again, and only one answer is
 * ever funded (createOrder) · not yet signed, so free to plan again (planTransaction, bumpTransaction).
 */
export type Work =
  | { readonly kind: "fetchQuote" | "createOrder" | "verifyDeposit" | "expireApproval" | "checkAllowance" }
  | { readonly kind: "planTransaction"; readonly purpose: Exclude<TransactionPurpose, "approve"> }
  | {
      readonly kind: "signTransaction" | "broadcastTransaction" | "observeTransaction" | "bumpTransaction"
      readonly purpose: TransactionPurpose
    }
  | { readonly kind: "signTypedData" | "submitSignature" | "observeInitiation" | "observeOrder" }

export type WorkKind = Work["kind"]

/** Work with the delay after which it is due, counted from the event that caused it. */
export type Effect = { readonly work: Work; readonly delayMs: number }

/** Something an operator should hear of, raised once per order and code. */
export type Alert = Reason
