import { isStaleApproval } from "./absorb.ts"
import type { OrderData, TransactionPurpose, TransactionTrack } from "./data.ts"
import type { OrderEvent } from "./events.ts"

/* What the machine asks of an order and an event before it goes one way or another. Pure. */

/** A deposit that keeps being excluded has another cause than bad luck. */
const MAX_REPLANS = 3

export type Args = { context: OrderData; event: OrderEvent }

export function depositMayLand({ context }: Args): boolean {
  return mayLand(context.transactions.deposit)
}
/** Signed, and no final block has shown one of its attempts or what excludes them. */
function mayLand({ signed, settled, mined }: TransactionTrack): boolean {
  return signed.length > 0 && settled !== true && mined?.final !== true
}
export function hasSigned(transaction: TransactionPurpose) {
  return ({ context }: Args): boolean => context.transactions[transaction].signed.length > 0
}
export function mayStillRefund({ context }: Args): boolean {
  return mayLand(context.transactions.refund)
}
/** Its own transaction tells what it cost. */
export function isOwnRefundNew({ context, event }: Args): boolean {
  if (event.type !== "order.observed" || !event.refunded || !mayStillRefund({ context, event })) return false
  return context.transactions.refund.signed.some(({ txid }) => txid === event.seen.sourceRefunded?.txid)
}
/** Only for the deposit that is signed now: another one's void says nothing of it. */
export function mayStillVoid({ context }: Args): boolean {
  const resources = context.transactions.deposit.signed.at(-1)?.plan.resources ?? []
  const { signed } = context.transactions.void
  return (
    mayLand(context.transactions.void) &&
    signed.some(({ plan }) => plan.resources.some((resource) => resources.includes(resource)))
  )
}
export function neverSubmitted({ context }: Args): boolean {
  return context.gasless === null || context.gasless.submissions === 0
}
/** A gasless signature in doubt turned out to have been used after all. */
export function isNewlyFunded({ context, event }: Args): boolean {
  return event.type === "order.observed" && context.seen.sourceInitiated === null && event.seen.sourceInitiated !== null
}
/** Also a payout proves it, where our own node is behind on the source. */
export function isOwnDepositNew({ context, event }: Args): boolean {
  if (event.type !== "order.observed" || !mayLand(context.transactions.deposit)) return false
  return event.seen.sourceInitiated !== null || event.paid
}
export function needsApproval({ context, event }: Args): boolean {
  if (event.type !== "deposit.verified" || !event.needsApproval) return false
  return context.approvedBy === null || isStaleApproval(context, event)
}
export function isGasless({ event }: Args): boolean {
  return event.type === "allowance.ready" && event.way === "gasless"
}
export function isFinalEvent({ event }: Args): boolean {
  return "final" in event && event.final
}
export function isMinedFinally({ event }: Args): boolean {
  return event.type === "transaction.mined" && event.final && event.ok
}
export function isRevertedFinally({ event }: Args): boolean {
  return event.type === "transaction.mined" && event.final && !event.ok
}
export function signatureIsOut({ context }: Args): boolean {
  return context.gasless !== null
}
export function isRelayed({ context }: Args): boolean {
  return context.gasless !== null && context.transactions.deposit.signed.length === 0
}
export function depositIsSigned({ context }: Args): boolean {
  return context.transactions.deposit.signed.length > 0
}
export function isVoidable({ context }: Args): boolean {
  return (
    context.transactions.deposit.signed.length > 0 &&
    context.transactions.deposit.mined === null &&
    context.gasless === null
  )
}
export function nothingSigned({ context }: Args): boolean {
  return context.transactions.deposit.signed.length === 0 && context.gasless === null
}
/** The service's order is not too old yet; nor is it given up for another while an approval of ours may stand for it. */
export function mayStillDeposit({ context, event }: Args): boolean {
  const { created, transactions, sendUntilMs } = context
  return created !== null && (transactions.approve.signed.length > 0 || sendUntilMs === null || event.at < sendUntilMs)
}
export function isFunded({ context }: Args): boolean {
  return context.seen.sourceInitiated !== null
}
/** Also one that is not mined yet: it may land at any time. */
export function leavesApproval({ context }: Args): boolean {
  const { approve, deposit } = context.transactions
  return approve.signed.length > 0 && deposit.mined === null && !context.allowanceCleared
}
export function approvalIsOut({ context }: Args): boolean {
  const { signed, mined } = context.transactions.approve
  return signed.length > 0 && mined?.final !== true && !context.allowanceCleared
}
export function isExcluded({ event }: Args): boolean {
  return event.type === "transaction.excluded"
}
export function signatureWasHandedOver({ context }: Args): boolean {
  return context.gasless !== null && context.gasless.submissions > 0
}
/** The old deposit is proven never to land (a blockhash that expired, a nonce that something else used), and there is time for another. */
export function mayReplan({ context, event }: Args): boolean {
  const wanted = context.ending !== "abandoned" && context.replans < MAX_REPLANS
  return event.type === "transaction.excluded" && wanted && event.at < (context.sendUntilMs ?? 0)
}
/** What we paid for it must have been seen too, and for good: our node may be behind on the source, or silent, and nobody looks again. */
export function isPaid({ event }: Args): boolean {
  return event.type === "order.observed" && event.paid && event.seen.sourceInitiated?.final === true
}
/** The order is over, and a refund of ours is not: nobody would look at it again. */
export function leavesRefund(args: Args): boolean {
  return (isPaid(args) || isRefunded(args)) && mayLand(args.context.transactions.refund)
}
/** As above, where the order goes on. From the end of a revocation only a relay's deposit is looked for again. */
export function leavesRevoke(args: Args): boolean {
  const goesOn = args.event.type !== "order.observed" || isPaid(args) || isRefunded(args) || isNewlyFunded(args)
  return goesOn && mayLand(args.context.transactions.revoke) && signatureWasHandedOver(args)
}
export function isRefunded({ event }: Args): boolean {
  return event.type === "order.observed" && event.refunded
}
/** A node that is behind shows what our own refund has taken already. */
export function isRefundable({ context, event }: Args): boolean {
  return event.type === "order.observed" && event.refundable && !isRefundIn(context)
}
export function mayBeRefunded({ context }: Args): boolean {
  return context.seen.sourceInitiated !== null && !isRefundIn(context)
}
function isRefundIn({ transactions }: OrderData): boolean {
  return transactions.refund.mined?.final === true
}
export function isLapsed({ event }: Args): boolean {
  return event.type === "order.observed" && event.lapsed
}
export function isReported({ event }: Args): boolean {
  return event.type === "order.observed" && event.serviceOrder?.destination.redeemTx != null
}
/** Somebody took the source and no payout is in sight: the one case in which service and solver could rob us. */
export function sourceTakenWithoutPayout({ event }: Args): boolean {
  const thefts = ["alarm.source_redeemed", "alarm.payout_short"]
  return event.type === "order.observed" && event.alerts.some(({ code }) => thefts.includes(code))
}
export function reportNotBorneOut({ context, event }: Args): boolean {
  if (event.type !== "order.observed" || context.reportedAt === null || event.paid) return false
  return event.at - context.reportedAt > context.policy.reportPatienceMs
}
