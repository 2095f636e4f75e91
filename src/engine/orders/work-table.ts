import type { Work, WorkKind } from "#order/work.ts"
import { broadcastTransactionWork } from "./deposit/broadcast-transaction.ts"
import { bumpTransactionWork } from "./deposit/bump-transaction.ts"
import { checkAllowanceWork } from "./deposit/check-allowance.ts"
import { createOrderWork } from "./deposit/create-order.ts"
import { expireApprovalWork } from "./deposit/expire-approval.ts"
import { fetchQuoteWork } from "./deposit/fetch-quote.ts"
import { planTransactionWork } from "./deposit/plan-transaction.ts"
import { signTransactionWork } from "./deposit/sign-transaction.ts"
import { signTypedDataWork } from "./deposit/sign-typed-data.ts"
import { submitSignatureWork } from "./deposit/submit-signature.ts"
import { verifyOrderWork } from "./deposit/verify-order.ts"
import { observeInitiationWork } from "./observe/observe-initiation.ts"
import { observeOrderWork } from "./observe/observe-order.ts"
import { observeTransactionWork } from "./observe/observe-transaction.ts"
import { proveUnfundedWork } from "./observe/prove-unfunded.ts"
import { revealSecretWork } from "./observe/reveal-secret.ts"
import { byKind } from "./route/by-kind.ts"
import { openRoute } from "./route/open-route.ts"
import { verifyRoute } from "./route/verify-route.ts"
import type { WorkEntry } from "./work-entry.ts"

/** Every kind of work, in the order in which an order meets it. */
export const WORK: { readonly [K in WorkKind]: WorkEntry<K> } = {
  fetchQuote: fetchQuoteWork,
  createOrder: byKind(createOrderWork, openRoute),
  verifyOrder: byKind(verifyOrderWork, verifyRoute),
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
