import type { Work, WorkKind } from "#order/work.ts"
import { broadcastTransactionWork } from "./perform/broadcast-transaction.ts"
import { bumpTransactionWork } from "./perform/bump-transaction.ts"
import { checkAllowanceWork } from "./perform/check-allowance.ts"
import { createOrderWork } from "./perform/create-order.ts"
import { expireApprovalWork } from "./perform/expire-approval.ts"
import { fetchQuoteWork } from "./perform/fetch-quote.ts"
import { observeInitiationWork } from "./perform/observe-initiation.ts"
import { observeOrderWork } from "./perform/observe-order.ts"
import { observeTransactionWork } from "./perform/observe-transaction.ts"
import { planTransactionWork } from "./perform/plan-transaction.ts"
import { proveUnfundedWork } from "./perform/prove-unfunded.ts"
import { revealSecretWork } from "./perform/reveal-secret.ts"
import { signTransactionWork } from "./perform/sign-transaction.ts"
import { signTypedDataWork } from "./perform/sign-typed-data.ts"
import { submitSignatureWork } from "./perform/submit-signature.ts"
import { verifyOrderWork } from "./perform/verify-order.ts"
import type { WorkEntry } from "./work-entry.ts"

/** Every kind of work, in the order in which an order meets it. */
export const WORK: { readonly [K in WorkKind]: WorkEntry<K> } = {
  fetchQuote: fetchQuoteWork,
  createOrder: createOrderWork,
  verifyOrder: verifyOrderWork,
  expireApproval: expireApprovalWork,
  checkAllowance: checkAllowanceWork,
  planTransaction: planTransactionWork,
  signTransaction: signTransactionWork,
  broadcastTransaction: broadcastTransactionWork,
  observeTransaction: observeTransactionWork,
  bumpTransaction: bumpTransactionWork,
  signTypedData: signTypedDataWork,
  submitSignature: submitSignatureWork,
  observeInitiation: observeInitiationWork,
  observeOrder: observeOrderWork,
  revealSecret: revealSecretWork,
  proveUnfunded: proveUnfundedWork,
}

/** The outbox may hold a kind that this version does not know. */
export function isKnownWork(work: Work): boolean {
  return Object.hasOwn(WORK, work.kind)
}

/** The entry for this piece of work. Its methods are called with the same `work` only. */
export function entryOf(work: Work): WorkEntry {
  return WORK[work.kind]
}
