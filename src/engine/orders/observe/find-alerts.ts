import { chainOf } from "#domain/asset.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import type { Reason } from "#domain/reason.ts"
import { isLockEnding } from "#domain/redeem-fee-cap.ts"
import { readReportedTxids } from "#domain/route/reported-txids.ts"
import { leftOf, type PayoutLock } from "#domain/time-to-redeem.ts"
import { agreedEnd, type OrderData } from "#order/data.ts"
import { isRevealed } from "#order/guards.ts"
import { abilitiesOf } from "#order/kinds/registry.ts"
import { payoutEndMs } from "#order/payout-deadline.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import { quoteSourcesOf, txidFormIn } from "../../context.ts"
import type { UnreadLeg } from "../../memory.ts"
import { LEG_UNREADABLE, TOLD_PAYOUT } from "../../watches/pause.ts"
import { chainOfLeg, findUnreadLegs } from "../../watches/unread-legs.ts"
import { configuredChains, destinationChain, type Job } from "./job.ts"

/** How long our destination node may show no funding for a redemption that the service reports. */
const UNFUNDED_REPORT_MS = 30_000
/**
 * How long our destination node may show no funding after our source node showed the redemption.
 * Both were read side by side, so the destination's answer may be the older one, and an endpoint
 * behind a load balancer may be some seconds behind the others.
 */
const EMPTY_DESTINATION_MS = 10_000

/** The alerts of one observation. The order raises each code once. */
export function findAlerts(job: Job, observed: Observation): Reason[] {
  const { serviceOrder, seen, source, destination, lock, lapsed } = observed
  return [
    ...findMissingService(job),
    ...findMissingChain(job),
    ...findMissingPayout(job, seen, destination),
    ...findUnprovenReport(job, serviceOrder, seen, destination),
    ...findEndingLock(job, seen, { lapsed, isUnread: source === null }),
    ...findEndingPayout(job, destination, lock),
    ...findUnreadAlarms(job, seen),
  ]
}

type Observation = {
  readonly serviceOrder: ServiceOrder | null
  readonly seen: OrderData["seen"]
  readonly source: LegObservation | null
  readonly destination: LegObservation | null
  readonly lock: PayoutLock
  readonly lapsed: boolean
}

/** The chains still show each end of the order, but nothing can be asked or told. */
function findMissingService({ context, data }: Job): Reason[] {
  if (data.service == null || quoteSourcesOf(context).has(data.service)) return []
  const message =
    `The service ${data.service} is not configured any more; the order is only observed on the ` +
    "chains. Refunds need no service"
  return [{ code: "config.service_missing", message, service: data.service }]
}

/** The other leg is observed alone, and its refund or redemption leaves. */
function findMissingChain(job: Job): Reason[] {
  const { source, destination } = configuredChains(job)
  if (source !== null && destination !== null) return []
  const { from, to } = job.data.request
  const [leg, asset] = source === null ? ["source", from] : ["destination", to]
  const chain = chainOf(asset)
  const message =
    `The chain ${chain} is not configured any more, so the ${leg} leg is not observed, and ` +
    "nothing is sent there: add it again"
  return [{ code: "config.chain_missing", message, chain }]
}

export function findShortPayout(
  { data, nowMs }: Job,
  seen: OrderData["seen"],
  paidUnits: bigint | null,
  owedUnits: bigint,
): Reason[] {
  const seenAt = seen.destinationRedeemed?.at ?? nowMs
  if (paidUnits === null && nowMs - seenAt <= data.policy.reportPatienceMs) return []
  const found = paidUnits === null ? "an unreadable amount" : paidUnits.toString()
  const message =
    `The payout was redeemed, and our wallet got ${found} of ${owedUnits} units: contact the ` +
    "service"
  const redeemTx = seen.destinationRedeemed?.txid ?? ""
  return [{ code: "alarm.payout_short", message, redeemTx, expected: owedUnits.toString(), found }]
}

/**
 * The source HTLC is closed by a refund, and nothing of it reached us: a contract paid from or to
 * another account.
 */
export function findEmptyRefund({ data }: Job, seen: OrderData["seen"]): Reason[] {
  const refundTx = seen.sourceRefunded?.txid ?? ""
  const expected = data.request.sourceUnits.toString()
  const got = `our wallet got 0 of ${expected} units`
  const message = `The deposit was refunded, and ${got}: contact the service`
  return [{ code: "alarm.refund_short", message, refundTx, expected, found: "0" }]
}

export function canRefund(job: Job): boolean {
  return job.data.deposit?.isRefundableByUs === true
}

function findMissingPayout(
  job: Job,
  seen: OrderData["seen"],
  destination: LegObservation | null,
): Reason[] {
  const { sourceRedeemed, destinationRedeemed } = seen
  if (
    sourceRedeemed === null ||
    destinationRedeemed !== null ||
    !isPayoutMissing(job, seen, destination)
  )
    return []
  const message =
    "The source was redeemed and our destination node shows no payout: contact the service " +
    "with both hashes"
  return [{ code: "alarm.source_redeemed", message, redeemTx: sourceRedeemed.txid }]
}

function findUnprovenReport(
  job: Job,
  serviceOrder: ServiceOrder | null,
  seen: OrderData["seen"],
  destination: LegObservation | null,
): Reason[] {
  const { data, nowMs } = job
  const redeemTx = serviceOrder?.destination.redeemTx ?? null
  const { reportedAt } = data
  const patienceMs = isUnfunded(job, destination)
    ? UNFUNDED_REPORT_MS
    : data.policy.reportPatienceMs
  if (reportedAt === null || seen.destinationRedeemed !== null || nowMs - reportedAt <= patienceMs)
    return []
  const message = "The service reports a redemption that our own node does not show"
  const reported = readReportedTxids(redeemTx, txidFormIn(job.context, data.request.to))
  return [{ code: "alarm.report_unproven", message, redeemTx: reported.join(",") }]
}

function findEndingLock(
  job: Job,
  seen: OrderData["seen"],
  { lapsed, isUnread }: { readonly lapsed: boolean; readonly isUnread: boolean },
): Reason[] {
  const isOver =
    !abilitiesOf(job.data).refund ||
    [seen.sourceRefunded, seen.sourceRedeemed, seen.destinationRedeemed].some(
      (end) => agreedEnd(end) !== null,
    )
  const { deposit } = job.data
  const { refundableAtHeight: refundableAt, sourceHeight: height } = seen
  const isEnding =
    deposit !== null &&
    height !== null &&
    isLockEnding(
      { left: leftOf({ refundableAt, height }), timelock: deposit.timelock },
      ALARM_PARTS,
      false,
    )
  if (isOver || seen.sourceInitiated === null || !(lapsed || isEnding)) return []
  const at = seen.refundableAtHeight?.toString() ?? "unknown"
  const ours = isRevealed(job.data)
    ? "none is sent while our secret is told, because the payout comes first"
    : isUnread
      ? `Ballast tries it then although it cannot read the deposit: check it with \`ballast ` +
        `order ${job.data.id}\``
      : "Ballast sends it itself"
  const by = canRefund(job) ? ours : "only the service can: the refund key is not ours"
  const message = `The deposit was not filled; a refund is possible from height ${at}, and ${by}`
  return [{ code: "alarm.refund_watch", message, refundableAtHeight: at }]
}

/** An alarm about a lock is raised with a quarter of it left. */
const ALARM_PARTS = 4n

/**
 * Our secret is told, and only a quarter of the payout's lock is left. `delay`: why our redemption
 * waits, where it is known.
 */
export function findEndingPayout(
  { data }: Job,
  destination: LegObservation | null,
  lock: PayoutLock,
  delay?: Reason,
): Reason[] {
  if (!isRevealed(data) || data.serviceOrder === null || data.transactions.redeem.mined !== null)
    return []
  const { refundableAt } = lock
  const isOver =
    destination !== null && (destination.initiated === null || destination.redeemed !== null)
  if (isOver || refundableAt === null) return []
  const { timelock } = data.serviceOrder.destination
  if (!isLockEnding({ left: leftOf(lock), timelock }, ALARM_PARTS, false)) return []
  const message =
    "The secret is told and the payout is not redeemed; the solver can take it back from " +
    `height ${refundableAt}: ${delay?.message ?? "see why our redemption does not land"}`
  return [{ code: PAYOUT_ENDING, message, refundableAtHeight: refundableAt.toString() }]
}

export const PAYOUT_ENDING = "alarm.payout_unredeemed"

/**
 * An alarm for each leg that could not be read for so long that an operator must know, with the
 * deadline and the command.
 */
export function findUnreadAlarms(job: Job, seen: OrderData["seen"]): Reason[] {
  return findUnreadLegs(job.context, { ...job.data, seen }).map((leg) => {
    const { side, cause } = leg
    const since = new Date(leg.sinceMs).toISOString()
    const act = side === "source" ? tellRefund(job, seen) : tellRedemption(job, seen)
    const message =
      `Ballast cannot read its ${side} leg on ${chainOfLeg(leg)} (${cause}) since ${since}. ` +
      `${act}`
    const hides = hidesLoss(job, leg) ? { hides: TOLD_PAYOUT } : {}
    return { code: LEG_UNREADABLE, message, side, since, ...hides }
  })
}

/** The payout of a told secret may be lost behind the unread leg: no block has our redemption. */
function hidesLoss({ data }: Job, { side }: UnreadLeg): boolean {
  return side === "destination" && isRevealed(data) && data.transactions.redeem.mined === null
}

function tellRefund(job: Job, seen: OrderData["seen"]): string {
  const { id } = job.data
  const from =
    seen.refundableAtHeight === null ? "an unknown height" : `height ${seen.refundableAtHeight}`
  if (isRevealed(job.data)) return "Our secret is told, so the payout comes first"
  const { mined } = job.data.transactions.refund
  if (mined !== null)
    return (
      `Our refund is in block ${mined.height}, and its end is not confirmed: check the ` +
      "endpoints"
    )
  if (!abilitiesOf(job.data).refund) return "Nothing returns the deposit: check the endpoints"
  if (!canRefund(job))
    return `A refund is possible from ${from}, and only the service can send it: contact it`
  return (
    `A refund is possible from ${from}, and is tried then without that read: check the ` +
    `endpoints, and send it with \`ballast refund ${id}\``
  )
}

function tellRedemption({ data }: Job, seen: OrderData["seen"]): string {
  if (!isRevealed(data))
    return "Ballast cannot redeem the payout: check the endpoints, and contact the service"
  const { mined } = data.transactions.redeem
  if (mined !== null)
    return (
      `Our redemption is in block ${mined.height}, and its end is not confirmed: check the ` +
      "endpoints"
    )
  const endMs = payoutEndMs({ ...data, seen })
  const until = endMs === null ? "at an unknown time" : `about ${new Date(endMs).toISOString()}`
  const at = seen.payoutLock === undefined ? "" : ` (height ${seen.payoutLock.refundableAt})`
  return (
    `The payout must be redeemed before its lock ends ${until}${at}, and is tried without that ` +
    `read: check the endpoints, and send it with \`ballast redeem ${data.id}\``
  )
}

/**
 * No payout is on its way, the solver took it back, or it has been on its way for longer than
 * `reportPatienceMs`.
 */
function isPayoutMissing(
  { data, nowMs }: Job,
  seen: OrderData["seen"],
  destination: LegObservation | null,
): boolean {
  const redeemedAt = seen.sourceRedeemed?.at ?? nowMs
  const wasRefunded = destination !== null && destination.refunded !== null
  // Only a destination that was read can be empty.
  const isEmpty = destination !== null && seen.destinationInitiated === null
  const waitedMs = nowMs - redeemedAt
  return (
    (isEmpty && waitedMs >= EMPTY_DESTINATION_MS) ||
    wasRefunded ||
    waitedMs > data.policy.reportPatienceMs
  )
}

/**
 * Our node shows no funding, so a reported redemption is false. On some chains both may only be
 * waiting for a block.
 */
function isUnfunded(job: Job, destination: LegObservation | null): boolean {
  return (
    destination?.initiated === null && !destinationChain(job).traits.redemptionMayPrecedeFunding
  )
}
