import type { ChainPort, LegObservation, LegQuery, OnChain } from "#chains/port.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import type { Reason } from "#domain/reason.ts"
import { present } from "#lib/assert.ts"
import type { OrderData, SeenOnChain, TransferredUnits } from "#order/data.ts"
import type { OrderEvent } from "#order/events.ts"
import { decodeOrder } from "#order/step.ts"
import { destinationQuery, sourceQuery } from "../leg-queries.ts"
import { deferred, destinationChain, type Job, type Performer, sourceChain } from "./job.ts"
import { observeAttempts } from "./observe-transaction.ts"

/** A destination that is not funded this long after the last moment for depositing is not going to be. */
const LAPSE_AFTER_MS = 5 * 60_000
/** How long a reported redemption may stay without even a funding on our destination node. */
const UNFUNDED_REPORT_MS = 30_000
/** How many orders back one payment may have been shown before. */
const RECENT_ORDERS = 500
const RESTING_MS = 60 * 60_000

/** Plain read of three witnesses: the service (its word), our source node, our destination node (the truth). Each may fail alone. */
export const observeOrder: Performer = async (job) => {
  const { data } = job
  if (data.deposit === null || (data.gasless === null && data.transactions.deposit.signed.length === 0)) {
    return deferred(data.reasons, RESTING_MS)
  }
  const [source, destination] = [sourceChain(job), destinationChain(job)]
  const serviceOrder = await attempt(job, () =>
    job.context.service.fetchOrder(present(data.created, "the created order").orderId),
  )
  const known = { ...data, serviceOrder: trustworthy(data, serviceOrder) }
  const shown = await attempt(job, () => observe(source, sourceQuery(known)))
  const destinationLeg = await attempt(job, () => observe(destination, destinationQuery(known, destination.traits)))
  const seen = shown !== null && isBehind(shown, data) ? null : shown
  const lost = seen !== null && isUntouched(seen) && wasFunded(data)
  if (lost && (await vanished(job, source))) return { event: { type: "deposit.unsettled" } }
  // A deposit that stands in a block, in an HTLC that is empty: one of the two answers is old, so that neither takes back what was known.
  const sourceLeg = lost ? null : seen
  if (sourceLeg === null && destinationLeg === null) {
    return deferred([
      { code: "watch.unreadable", message: "Neither our source node nor our destination node can be read" },
    ])
  }
  return { event: conclude(job, known.serviceOrder, sourceLeg, destinationLeg) }
}

type Observed = Extract<OrderEvent, { type: "order.observed" }>

function conclude(
  job: Job,
  serviceOrder: ServiceOrder | null,
  source: LegObservation | null,
  destination: LegObservation | null,
): Omit<Observed, "at"> {
  const { data, nowMs } = job
  const terms = present(data.terms, "the order's terms")
  const seen = {
    sourceInitiated: update(data.seen.sourceInitiated, source, source?.initiated, nowMs),
    sourceRedeemed: update(data.seen.sourceRedeemed, source, source?.redeemed, nowMs),
    sourceRefunded: update(data.seen.sourceRefunded, source, source?.refunded, nowMs),
    destinationInitiated: update(data.seen.destinationInitiated, destination, destination?.initiated, nowMs),
    destinationRedeemed: update(data.seen.destinationRedeemed, destination, destination?.redeemed, nowMs),
    refundableAtHeight: source === null ? data.seen.refundableAtHeight : source.refundableAt,
    sourceHeight: source?.height ?? data.seen.sourceHeight,
  }
  const paidUnits = destination?.redeemed?.paidUnits ?? null
  const redeemed = destination?.redeemed ?? null
  const owedUnits = terms.destinationUnits + claimedByOthers(job, redeemed)
  const enough = paidUnits !== null && paidUnits + data.policy.payoutToleranceUnits >= owedUnits
  const paid = redeemed?.final === true && enough
  // A destination that could not be read is not an empty one.
  const unfilled = destination !== null && seen.destinationInitiated === null
  const lapsed = unfilled && nowMs > present(data.sendUntilMs, "the deposit window") + LAPSE_AFTER_MS
  return {
    type: "order.observed",
    serviceOrder,
    seen,
    paidUnits,
    moved: {
      receipt: destination === null ? data.receipt : receiptOf(job, redeemed),
      returned: source === null ? data.returned : unitsOf(source.refunded, source.refunded?.paidUnits),
      rentReturned:
        source === null ? data.rentReturned : unitsOf(source.refunded ?? source.redeemed, releasedUnits(source)),
    },
    paid,
    refunded: source?.refunded?.final === true,
    lapsed,
    refundable: isRefundable(job, seen, paidUnits !== null && !enough),
    alerts: [
      ...findAlerts(job, serviceOrder, seen, destination, lapsed),
      ...(redeemed?.final === true && !enough ? findShortPayout(job, seen, paidUnits, owedUnits) : []),
    ],
  }
}

/**
 * The units that one redeeming transaction owes to other orders of ours. Where the redeemer chooses the outputs, one payment could be
 * shown for two orders; elsewhere the contract itself pays each.
 */
function claimedByOthers(job: Job, redeemed: OnChain | null): bigint {
  if (redeemed?.final !== true || !destinationChain(job).traits.onePayoutMayServeSeveralOrders) return 0n
  return listPaidBy(job, redeemed.txid).reduce(
    (sum, { terms }) => sum + present(terms, "the order's terms").destinationUnits,
    0n,
  )
}

function listPaidBy(job: Job, txid: string): OrderData[] {
  const { context, data } = job
  const { sameAddress } = destinationChain(job)
  // Most name the transaction nowhere, and need not be read for that.
  return context.journal
    .listOrders({ limit: RECENT_ORDERS })
    .filter(({ id, to, deposited }) => id !== data.id && to === data.request.to && deposited)
    .filter(({ snapshot }) => snapshot.includes(txid))
    .map(({ snapshot }) => decodeOrder(snapshot).data)
    .filter(({ request }) => sameAddress(request.destinationOwner, data.request.destinationOwner))
    .filter(({ seen }) => seen.destinationRedeemed?.txid === txid)
}

function unitsOf(part: OnChain | null, units: bigint | null | undefined): TransferredUnits | null {
  return part === null || units == null ? null : { txid: part.txid, units }
}

function releasedUnits({ refunded, redeemed }: LegObservation): bigint | null {
  return (refunded ?? redeemed)?.releasedUnits ?? null
}

/**
 * What the wallet got for this order. Where one transaction pays for several orders, each books what it was promised, and the last
 * one what is left; never more than promised, because the rest is somebody's gift and shows as such when balances are compared.
 */
function receiptOf(job: Job, redeemed: LegObservation["redeemed"]): TransferredUnits | null {
  const { data } = job
  const receipt = unitsOf(redeemed, redeemed?.paidUnits)
  if (receipt === null) return null
  const isKnown = data.receipt?.txid === receipt.txid
  // Where a contract pays, the same transaction may pay another amount in the block that a reorganisation put it into.
  if (!destinationChain(job).traits.onePayoutMayServeSeveralOrders)
    return isKnown && data.receipt?.units === receipt.units ? data.receipt : receipt
  if (isKnown) return data.receipt
  const promised = present(data.terms, "the order's terms").destinationUnits
  const left =
    receipt.units - listPaidBy(job, receipt.txid).reduce((sum, other) => sum + (other.receipt?.units ?? 0n), 0n)
  return { ...receipt, units: left < 0n ? 0n : left > promised ? promised : left }
}

function findShortPayout(
  { data, nowMs }: Job,
  seen: OrderData["seen"],
  paidUnits: bigint | null,
  owedUnits: bigint,
): Reason[] {
  const seenAt = seen.destinationRedeemed?.at ?? nowMs
  if (paidUnits === null && nowMs - seenAt <= data.policy.reportPatienceMs) return []
  const found = paidUnits === null ? "an unreadable amount" : paidUnits.toString()
  const message = `The payout was redeemed, and our wallet got ${found} of ${owedUnits} units: contact the service`
  const redeemTx = seen.destinationRedeemed?.txid ?? ""
  return [{ code: "alarm.payout_short", message, redeemTx, expected: owedUnits.toString(), found }]
}

/** A payout that went to somebody else is no reason to leave our deposit to them. */
function isRefundable(job: Job, seen: OrderData["seen"], unpaid: boolean): boolean {
  const paidOut = seen.destinationRedeemed !== null && !unpaid
  const over = seen.sourceRedeemed !== null || seen.sourceRefunded !== null || paidOut
  if (over || seen.refundableAtHeight === null || seen.sourceHeight === null) return false
  return canRefund(job) && seen.sourceHeight >= seen.refundableAtHeight
}

function canRefund(job: Job): boolean {
  return job.data.deposit?.isRefundableByUs === true
}

function findAlerts(
  job: Job,
  serviceOrder: ServiceOrder | null,
  seen: OrderData["seen"],
  destination: LegObservation | null,
  lapsed: boolean,
): Reason[] {
  const { data, nowMs } = job
  const alerts: Reason[] = []
  if (seen.sourceRedeemed !== null && seen.destinationRedeemed === null && isPayoutMissing(job, seen, destination)) {
    alerts.push({
      code: "alarm.source_redeemed",
      message: "The source was redeemed and our destination node shows no payout: contact the service with both hashes",
      redeemTx: seen.sourceRedeemed.txid,
    })
  }
  const reportedAt = data.reportedAt ?? (serviceOrder?.destination.redeemTx != null ? nowMs : null)
  const patienceMs = isUnfunded(job, destination) ? UNFUNDED_REPORT_MS : data.policy.reportPatienceMs
  if (reportedAt !== null && seen.destinationRedeemed === null && nowMs - reportedAt > patienceMs) {
    const redeemTx = serviceOrder?.destination.redeemTx ?? ""
    alerts.push({
      code: "alarm.report_unproven",
      message: "The service reports a redemption that our own node does not show",
      redeemTx,
    })
  }
  const over = seen.sourceRefunded !== null || seen.sourceRedeemed !== null || seen.destinationRedeemed !== null
  if (!over && seen.sourceInitiated !== null && (lapsed || isLockEnding(data, seen))) {
    const at = seen.refundableAtHeight?.toString() ?? "unknown"
    const by = canRefund(job) ? "Ballast sends it itself" : "only the service can: the refund key is not ours"
    alerts.push({
      code: "alarm.refund_watch",
      message: `The deposit was not filled; a refund is possible from height ${at}, and ${by}`,
      refundableAtHeight: at,
    })
  }
  return alerts
}

/** Nothing is on its way to us, or it went back to the solver, or it has been on its way for too long. */
function isPayoutMissing({ data, nowMs }: Job, seen: OrderData["seen"], destination: LegObservation | null): boolean {
  const takenAt = seen.sourceRedeemed?.at ?? nowMs
  const tookBack = destination !== null && destination.refunded !== null
  // A destination that could not be read is not an empty one.
  const nothingThere = destination !== null && seen.destinationInitiated === null
  return nothingThere || tookBack || nowMs - takenAt > data.policy.reportPatienceMs
}

/** Our node shows no funding of a leg whose redemption is reported: a lie, unless both may still wait for a block. */
function isUnfunded(job: Job, destination: LegObservation | null): boolean {
  return destination?.initiated === null && !destinationChain(job).traits.redemptionMayPrecedeFunding
}

/** Three quarters of the lock are over, whatever the clock says. */
function isLockEnding(
  { deposit }: OrderData,
  { refundableAtHeight: at, sourceHeight: height }: OrderData["seen"],
): boolean {
  return deposit !== null && at !== null && height !== null && (at - height) * 4n <= deposit.timelock
}

/** The service's later word may add progress, but never change what was verified. */
function trustworthy(data: OrderData, serviceOrder: ServiceOrder | null): ServiceOrder | null {
  if (serviceOrder === null || data.serviceOrder === null) return data.serviceOrder
  const { source, destination, affiliateFees } = data.serviceOrder
  return {
    ...serviceOrder,
    affiliateFees,
    source: { ...serviceOrder.source, swapId: source.swapId, secretHash: source.secretHash, timelock: source.timelock },
    destination: {
      ...serviceOrder.destination,
      swapId: destination.swapId,
      redeemer: destination.redeemer,
      secretHash: destination.secretHash,
    },
  }
}

async function observe(chain: ChainPort, query: LegQuery): Promise<LegObservation> {
  return chain.observeLeg(query)
}

/** A node that has not come to the block of the deposit cannot say that there is none. */
function isBehind({ height, initiated }: LegObservation, { seen, transactions }: OrderData): boolean {
  const known = seen.sourceInitiated?.height ?? transactions.deposit.mined?.height ?? 0n
  return initiated === null && height < known
}

function isUntouched({ initiated, redeemed, refunded }: LegObservation): boolean {
  return initiated === null && redeemed === null && refunded === null
}

function wasFunded({ transactions, seen }: OrderData): boolean {
  return transactions.deposit.mined !== null || seen.sourceInitiated !== null
}

/** A reorganisation took the deposit out of the chain, or made it fail: back to watching the transaction itself. */
async function vanished({ data }: Job, chain: ChainPort): Promise<boolean> {
  const track = data.transactions.deposit
  // What a relay initiated is no transaction of ours: the HTLC itself is all that there is to look at.
  if (track.signed.length === 0) return true
  const seen = await observeAttempts(chain, track)
  return seen.status !== "mined" || !seen.ok
}

async function attempt<T>(job: Job, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    job.context.log.warn(
      { order: job.data.id, err: error },
      "A witness could not be read; the others are still believed",
    )
    return null
  }
}

/** A chain that was read replaces what was known, also by nothing (a reorganisation); one that was not changes nothing. */
function update(
  known: SeenOnChain | null,
  leg: LegObservation | null,
  part: OnChain | null | undefined,
  at: number,
): SeenOnChain | null {
  if (leg === null) return known
  if (part == null) return null
  const { txid, height, final } = part
  return { txid, height, final, at: known?.txid === txid ? known.at : at }
}
