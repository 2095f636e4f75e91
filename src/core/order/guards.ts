import { decideApprovers } from "#guards/requires-approval.ts"
import {
  type Approval,
  listOpenEarlier,
  type OrderData,
  type TransactionPurpose,
  type TransactionTrack,
  wasRefundSigned,
} from "./data.ts"
import type { OrderEvent } from "./events.ts"
import { abilitiesOf } from "./kinds/registry.ts"
import { isApprovalOpen, isApprovalVoidOpen, isFollowed } from "./mined.ts"
import { refuseRedemption } from "./refuse-redemption.ts"
import { isPayoutOpen } from "./update.ts"
import type { Work } from "./work.ts"

/**
 * The questions that the machine asks before it takes a transition, by name. Pure.
 *
 * `machine.json` refers to these names, so a rename changes that file too.
 */
export type GuardName = keyof typeof guards

/** A guard may also be a conjunction, for which every named guard must hold. */
export type Guard =
  | GuardName
  | { readonly type: "all"; readonly params: { readonly of: readonly GuardName[] } }

type Question = { readonly context: OrderData; readonly event: OrderEvent }

/**
 * After this many replaced deposits the order closes: repeated exclusion has another cause than
 * chance.
 */
const MAX_REPLANS = 3

export const guards = {
  /* The event. */
  isPair: ({ event }: Question) =>
    event.type === "transaction.planned" && event.companion !== undefined,
  isGasless: ({ event }: Question) => event.type === "allowance.ready" && event.way === "gasless",
  isRelaying: ({ event }: Question) => event.type === "gasless.submitted" && !event.refused,
  isInitiationSeen: ({ event }: Question) =>
    event.type === "gasless.initiated" && (event.seen ?? event.final),
  isMinedSeen: ({ event }: Question) =>
    event.type === "transaction.mined" && event.ok && (event.seen ?? event.final),
  isMinedFinally: ({ event }: Question) =>
    event.type === "transaction.mined" && event.final && event.ok,
  isRevertedFinally: ({ event }: Question) =>
    event.type === "transaction.mined" && event.final && !event.ok,
  isExcluded: ({ event }: Question) => event.type === "transaction.excluded",
  isPaid,
  isRefunded,
  isLapsed: ({ event }: Question) => event.type === "order.observed" && event.lapsed,
  isSettling: ({ event }: Question) => event.type === "order.observed" && event.settling === true,
  isEndingGone,
  isFinalGone,
  wasFinalDepositGone: ({ context }: Question) =>
    context.reasons.some(({ code, what }) => code === FINAL_GONE && what === "deposit"),
  isReported: ({ event }: Question) =>
    event.type === "order.observed" && event.serviceOrder?.destination.redeemTx != null,
  isSourceTakenWithoutPayout,

  /* Transactions of ours. */
  isApproveSigned: ({ context }: Question) => isSigned(context, "approve"),
  isDepositSigned: ({ context }: Question) => isSigned(context, "deposit"),
  wasOwnDepositSigned: ({ context }: Question) => wasOwnDepositSigned(context),
  wasDepositSigned: ({ context }: Question) => wasDepositSigned(context),
  isRevokeSigned: ({ context }: Question) => isSigned(context, "revoke"),
  mayDepositLand: ({ context }: Question) => mayLand(context.transactions.deposit),
  mayRefundLand: ({ context }: Question) => mayLand(context.transactions.refund),
  mayVoidLand,
  mayRedeemLand: ({ context }: Question) => mayLand(context.transactions.redeem),
  mayRevokeLand: ({ context }: Question) => mayLand(context.transactions.revoke),
  isVoidable,
  isDepositExcluded,
  isNothingSigned: ({ context }: Question) =>
    !isSigned(context, "deposit") && context.gasless === null,
  mayReplanDeposit,
  mayStillDeposit,
  /** The key may have been asked to sign the plan. */
  isDepositPlanned: ({ context: { transactions } }: Question) =>
    transactions.deposit.plan !== null || transactions.approve.plan !== null,

  /* The approval and the gasless signature. */
  needsApproval,
  isApprovalPending,
  leavesApproval,
  isApprovedByAll: ({ context, event }: Question) =>
    event.type === "operator.approved" &&
    countApprovals(context, event).length >= decideApprovers(context),
  isSignatureOut: ({ context }: Question) => context.gasless !== null,
  /** It dies by itself, and the proof that nothing was deposited waits for that. */
  isSignatureMortal: ({ context }: Question) => context.gasless?.life !== undefined,
  isSignatureSubmitted,
  isSignatureUnsubmitted: ({ context }: Question) =>
    context.gasless === null || context.gasless.submissions === 0,
  isRelayed: ({ context }: Question) => context.gasless !== null && !isSigned(context, "deposit"),

  /* The source HTLC. */
  isFunded: ({ context }: Question) => context.seen.sourceInitiated !== null,
  isNewlyFunded,
  isOwnDepositNew,
  isOwnRefundNew,
  isRefundable: ({ context, event }: Question) =>
    event.type === "order.observed" &&
    event.refundable &&
    context.transactions.refund.mined === null,
  isRefundMined: ({ context }: Question) => context.transactions.refund.mined !== null,
  mayOperatorRefund: ({ context }: Question) =>
    abilitiesOf(context).refund && context.seen.sourceInitiated !== null && !isRevealed(context),
  leavesRefund,
  leavesRevoke,
  isReportUnproven,

  /* Our own secret. */
  isRevealed: ({ context }: Question) => isRevealed(context),
  needsVoucher: ({ context }: Question) => abilitiesOf(context).redeem === "voucher",
  isRevealDue,
  isSecretTold,
  isRedeemDue,
  mayOperatorRedeem: ({ context }: Question) => refuseRedemption(context) === null,
  leavesRedeem,

  /** One that a block shows becomes final, or its block vanishes, and then the books follow. */
  isPayoutOpen: ({ context: { reasons, seen, transactions } }: Question) =>
    reasons.some(isPayoutOpen) &&
    seen.destinationRedeemed === null &&
    transactions.redeem.mined === null,
  isAbandoned: ({ context }: Question) => context.ending === "abandoned",
} as const

/** An approval covers exactly the approved intent, and only for `approvalTtlMs`. */
export function isStaleApproval(
  data: OrderData,
  event: Extract<OrderEvent, { type: "deposit.verified" }>,
): boolean {
  if (!event.needsApproval || data.approvedBy === null) return false
  const ageMs = event.at - (data.approvedAt ?? 0)
  return data.approvedIntent !== event.intent.hash || ageMs > data.policy.approvalTtlMs
}

/** The approvals of this intent with a new one: each caller counts once. */
export function countApprovals(
  { approvals = [] }: OrderData,
  { by, intent, at }: Approval,
): readonly Approval[] {
  const others = approvals.filter((one) => one.by !== by && one.intent === intent)
  return [...others, { by, intent, at }]
}

/** Something was signed that can fund the source HTLC. */
export function wasDepositSigned(data: OrderData): boolean {
  return wasOwnDepositSigned(data) || data.gasless !== null
}

/** A recovered order has no bytes of its deposit: a leg on chain tells of it. */
export function mayHaveDeposit(data: OrderData): boolean {
  const { sourceInitiated, destinationInitiated } = data.seen
  return wasDepositSigned(data) || sourceInitiated !== null || destinationInitiated !== null
}

/**
 * Also counts deposits that a later one replaced: a lying or lagging node may have called them
 * excluded. Of a deposit that a restored journal lost only the number is known.
 */
function wasOwnDepositSigned({ transactions, earlierSigned, replans }: OrderData): boolean {
  return (
    transactions.deposit.signed.length > 0 ||
    replans > 0 ||
    earlierSigned.some(({ purpose }) => purpose === "deposit")
  )
}

function isSigned({ transactions }: OrderData, purpose: TransactionPurpose): boolean {
  return transactions[purpose].signed.length > 0
}

/** Signed, and no final block shows one of its attempts or a transaction that excludes them. */
function mayLand({ signed, settled, mined }: TransactionTrack): boolean {
  return signed.length > 0 && settled !== true && mined?.final !== true
}

/**
 * Only a void of the deposit that is signed now counts: a void of an earlier deposit does not
 * exclude this one.
 */
function mayVoidLand({ context }: Question): boolean {
  const resources = context.transactions.deposit.signed.at(-1)?.plan.resources ?? []
  const { signed } = context.transactions.void
  return (
    mayLand(context.transactions.void) &&
    signed.some(({ plan }) => plan.resources.some((resource) => resources.includes(resource)))
  )
}

function isVoidable({ context }: Question): boolean {
  return (
    isSigned(context, "deposit") &&
    context.transactions.deposit.mined === null &&
    context.gasless === null &&
    !isAttested(context)
  )
}

/**
 * A final block had another transaction in the place of our deposit, and the HTLC is empty. Once
 * our secret is told, the payout comes first until a block shows it redeemed.
 */
function isDepositExcluded({ context, event }: Question): boolean {
  const { sourceInitiated, destinationRedeemed } =
    event.type === "order.observed" ? event.seen : context.seen
  const { signed, mined, settled } = context.transactions.deposit
  const isOver = signed.length > 0 && mined === null && settled === true
  const waits = isRevealed(context) && destinationRedeemed === null
  return isOver && context.gasless === null && sourceInitiated === null && !waits
}

/**
 * The deposit was in a block once, and its payout was taken or can be, also after a reorganisation
 * removed the deposit: its bytes are sent until they are mined, or final blocks tell of both ends.
 */
export function isAttested({ voucher, seen, ...data }: OrderData): boolean {
  const isPaidByVoucher = abilitiesOf(data).redeem === "voucher"
  return isPaidByVoucher && (voucher !== undefined || seen.destinationRedeemed !== null)
}

/**
 * The network refuses the deposit's bytes for ever, because their time is over, and there is time
 * for another deposit. A deposit whose nonce or input another transaction used is not planned
 * again: that transaction is ours, so it is the deposit's void or another copy of it.
 */
function mayReplanDeposit({ context, event }: Question): boolean {
  const wanted = context.ending !== "abandoned" && context.replans < MAX_REPLANS
  const isExpired = event.type === "transaction.excluded" && event.by === "expired"
  return isExpired && wanted && event.at < (context.sendUntilMs ?? 0)
}

/**
 * There is still time to fund the service's order. The order may already have a signed approval, so
 * it is kept.
 */
function mayStillDeposit({ context, event }: Question): boolean {
  const { created, sendUntilMs } = context
  return (
    created !== null &&
    (wasApprovalSigned(context) || sendUntilMs === null || event.at < sendUntilMs)
  )
}

/** Also one that a later approval was to replace. */
function wasApprovalSigned({ transactions, earlierSigned }: OrderData): boolean {
  return (
    transactions.approve.signed.length > 0 ||
    earlierSigned?.some(({ purpose }) => purpose === "approve") === true
  )
}

function needsApproval({ context, event }: Question): boolean {
  if (event.type !== "deposit.verified" || !event.needsApproval) return false
  return context.approvedBy === null || isStaleApproval(context, event)
}

function isApprovalPending({ context }: Question): boolean {
  const { signed, mined } = context.transactions.approve
  return signed.length > 0 && mined?.final !== true && !context.allowanceCleared
}

/**
 * An approval without a deposit. One that is not mined yet counts, and one that a later one
 * replaced: it may land at any time.
 */
function leavesApproval({ context }: Question): boolean {
  return (
    wasApprovalSigned(context) &&
    context.transactions.deposit.mined === null &&
    !context.allowanceCleared
  )
}

function isSignatureSubmitted({ context }: Question): boolean {
  return context.gasless !== null && context.gasless.submissions > 0
}

/**
 * Our node shows the payout, and shows our deposit as final: a completed order is never observed
 * again, so a late deposit would go unnoticed.
 */
function isPaid({ context, event }: Question): boolean {
  if (event.type !== "order.observed" || !event.paid) return false
  return event.seen.sourceInitiated?.final === true && isBooked(context, event)
}

function isRefunded({ context, event }: Question): boolean {
  return event.type === "order.observed" && event.refunded && isBooked(context, event)
}

/**
 * Each mined transaction of ours is final, so its fee is known, and each outlived one is over: an
 * ended order is never observed again.
 */
function isBooked(
  data: OrderData,
  { landed, excluded, outlived = [] }: Extract<OrderEvent, { type: "order.observed" }>,
): boolean {
  const { transactions } = data
  const isOver = (txid: string): boolean => outlived.some((one) => one.isOver && one.txid === txid)
  if (!listOpenEarlier(data).every(({ txid }) => isOver(txid))) return false
  const isKnown = (purpose: TransactionPurpose): boolean =>
    (landed?.purpose === purpose && landed.final) || excluded === purpose
  if (isApprovalVoidOpen(transactions) && !isKnown("revoke")) return false
  return LASTING.every((purpose) => {
    const { mined } = transactions[purpose]
    if (isKnown(purpose)) return true
    return mined === null
      ? !(purpose === "approve" && isApprovalOpen(transactions.approve))
      : mined.final
  })
}

/** The transactions that an order goes on from before they are final. */
export const LASTING = [
  "approve",
  "deposit",
  "refund",
  "redeem",
] as const satisfies readonly TransactionPurpose[]

/** Neither a payout nor a refund is shown any more: the order waits for one again. */
function isEndingGone({ event }: Question): boolean {
  return (
    event.type === "order.observed" &&
    event.seen.destinationRedeemed === null &&
    event.seen.sourceRefunded === null
  )
}

/**
 * A final block had shown the opposite: only an operator may go on from here, unless the chain
 * shows a refund or an end.
 */
function isFinalGone({ event }: Question): boolean {
  const reasons = "alerts" in event ? event.alerts : "reasons" in event ? event.reasons : undefined
  return reasons?.some(({ code }) => code === FINAL_GONE) === true
}

export const FINAL_GONE = "chain.final_fact_gone"

/**
 * The source HTLC is closed, and neither a payout nor the deposit reached us: the cases in which
 * another party could rob us. One endpoint alone raises the alarm and concludes nothing.
 */
function isSourceTakenWithoutPayout({ event }: Question): boolean {
  if (event.type !== "order.observed" || event.agreed === false) return false
  const thefts = [
    "alarm.payout_short",
    "alarm.refund_short",
    ...(event.mayLag ? [] : ["alarm.source_redeemed"]),
  ]
  return event.alerts.some(({ code }) => thefts.includes(code))
}

/**
 * The source HTLC holds a deposit that our node did not show before: the relay used a signature in
 * doubt.
 */
function isNewlyFunded({ context, event }: Question): boolean {
  return (
    event.type === "order.observed" &&
    context.seen.sourceInitiated === null &&
    event.seen.sourceInitiated !== null
  )
}

/** A payout proves the deposit too, in case our source node lags. */
function isOwnDepositNew({ context, event }: Question): boolean {
  const { deposit } = context.transactions
  if (event.type !== "order.observed" || !mayLand(deposit) || deposit.mined?.seen === true)
    return false
  return event.seen.sourceInitiated !== null || event.paid
}

/**
 * Our own refund transaction closed the HTLC. Its receipt tells the fee, so it is confirmed before
 * the order ends. That holds too for a refund that the chain called excluded before, and for one
 * that a later refund replaced: the HTLC shows that it landed.
 */
function isOwnRefundNew({ context, event }: Question): boolean {
  const { refund } = context.transactions
  if (event.type !== "order.observed" || !event.refunded || refund.mined !== null) return false
  return isOwnEnding(context, "refund", event.seen.sourceRefunded?.txid)
}

/** A transaction that the order signed, which nothing has booked or follows by itself. */
function isOwnEnding(
  data: OrderData,
  purpose: "refund" | "redeem",
  shown: string | undefined,
): boolean {
  const { earlierSigned = [], transactions } = data
  const earlier = earlierSigned.filter((one) => one.purpose === purpose && !isFollowed(data, one))
  return [...earlier, ...transactions[purpose].signed].some(({ txid }) => txid === shown)
}

/**
 * The order is about to end while a refund of ours may still land; an ended order is never observed
 * again.
 */
function leavesRefund(question: Question): boolean {
  const { refund } = question.context.transactions
  return (isPaid(question) || isRefunded(question)) && mayLand(refund) && refund.mined === null
}

/**
 * Our own secret may be known to others: only the payout, or the proof that it is lost, ends the
 * order.
 */
export function isRevealed({ ownSecret }: OrderData): boolean {
  return ownSecret?.status === "revealed"
}

/**
 * The payout is shown, and no other party has the secret. After a refund was signed the secret
 * stays ours for ever.
 */
function isRevealDue({ context, event }: Question): boolean {
  if (event.type !== "order.observed" || event.secret !== "reveal") return false
  return context.ownSecret?.status === "unknown" && !wasRefundSigned(context)
}

/**
 * Others may have the secret although this order has not told it, because its journal is an older
 * one. Then there is nothing left to keep, and the payout must be redeemed.
 */
function isSecretTold({ context, event }: Question): boolean {
  if (event.type !== "order.observed" || event.secret !== "told") return false
  return context.ownSecret?.status === "unknown" || context.ownSecret?.status === "withheld"
}

/**
 * The payout is still open, and Ballast redeems it itself: the secret is revealed, or the route has
 * given its voucher and the chain would pay it.
 */
function isRedeemDue({ context, event }: Question): boolean {
  if (event.type !== "order.observed" || context.transactions.redeem.mined !== null) return false
  return (event.secret === "redeem" && isRevealed(context)) || event.redeemable === true
}

/**
 * The order is about to end while our redemption may still land, or after one that counted as
 * excluded took the payout; an ended order is never observed again, and the fee belongs into the
 * books.
 */
function leavesRedeem(question: Question): boolean {
  const { redeem } = question.context.transactions
  if (redeem.mined !== null || !(isPaid(question) || isRefunded(question))) return false
  return mayLand(redeem) || isOwnPayout(question)
}

function isOwnPayout({ context, event }: Question): boolean {
  if (event.type !== "order.observed" || !event.paid) return false
  return isOwnEnding(context, "redeem", event.seen.destinationRedeemed?.txid)
}

/**
 * The order is about to go on while its revocation may still land. After a revocation the machine
 * only looks for a relayed deposit.
 */
function leavesRevoke(question: Question): boolean {
  const { context, event } = question
  const goesOn =
    event.type !== "order.observed" ||
    isPaid(question) ||
    isRefunded(question) ||
    isNewlyFunded(question)
  return goesOn && mayLand(context.transactions.revoke) && isSignatureSubmitted(question)
}

/**
 * The service reported a redemption long ago, and our own node still does not show it. A payout
 * that is shown may wait hours until it is final.
 */
function isReportUnproven({ context, event }: Question): boolean {
  if (event.type !== "order.observed" || context.reportedAt === null) return false
  if (event.paid || event.settling === true || event.agreed === false || event.mayLag === true)
    return false
  // The look before showed the payout: one backend that is behind proves nothing.
  if (context.seen.destinationRedeemed !== null) return false
  return event.at - context.reportedAt > context.policy.reportPatienceMs
}

/**
 * A quote before its order, an approval, a deposit, and the typed data of a gasless one. A fee bump
 * belongs to a deposit that is out already.
 */
export function leadsToNewDeposit(work: Work, { transactions }: OrderData): boolean {
  switch (work.kind) {
    case "fetchQuote":
    case "checkAllowance":
    case "signTypedData":
      return true
    case "planTransaction":
      return work.purpose === "deposit"
    case "signTransaction":
      return (
        (work.purpose === "deposit" || work.purpose === "approve") &&
        transactions[work.purpose].signed.length === 0
      )
    default:
      return false
  }
}
