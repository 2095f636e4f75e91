import type { ChainPort, LegObservation, LegQuery, OnChain } from "#chains/port.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import type { Reason } from "#domain/reason.ts"
import { present } from "#lib/assert.ts"
import type { OrderData, SeenOnChain, TransferredUnits } from "#order/data.ts"
import type { OrderEvent } from "#order/events.ts"
import { decodeOrder } from "#order/step.ts"
import { destinationQuery, sourceQuery } from "../leg-queries.ts"
import { declinesWhenRefused, runsWhilePaused, type WorkEntry } from "../work-entry.ts"
import { deferWork, destinationChain, type Job, type Performer, sourceChain } from "./job.ts"
import { observeAttempts } from "./observe-transaction.ts"

/** The solver no longer funds a destination this long after the last moment for the deposit. */
const LAPSE_AFTER_MS = 5 * 60_000
/** How long our destination node may show no funding for a redemption that the service reports. */
const UNFUNDED_REPORT_MS = 30_000
/** One payout transaction is compared with this many earlier orders. */
const RECENT_ORDERS = 500
const RESTING_MS = 60 * 60_000

/**
 * Observes an order in three places: the service, which reports, and our own source and destination nodes, which prove. Each of the three
 * reads may fail alone.
 */
export const observeOrder: Performer = async (job) => {
  const { data } = job
  if (data.deposit === null || (data.gasless === null && data.transactions.deposit.signed.length === 0)) {
    return deferWork(data.reasons, RESTING_MS)
  }
  const [source, destination] = [sourceChain(job), destinationChain(job)]
  const serviceOrder = await readOrNull(job, () =>
    job.context.service.fetchOrder(present(data.created, "the created order").orderId),
  )
  const known = { ...data, serviceOrder: keepVerifiedFields(data, serviceOrder) }
  const observed = await readOrNull(job, () => observe(source, sourceQuery(known)))
  const destinationLeg = await readOrNull(job, () =>
    observe(destination, destinationQuery(known, destination.family === "bitcoin")),
  )
  const seen = observed !== null && isBehind(observed, data) ? null : observed
  const lost = seen !== null && isUntouched(seen) && wasFunded(data)
  if (lost && (await hasVanished(job, source))) return { event: { type: "deposit.unsettled" } }
  // The deposit is in a block and its HTLC is empty: one of the two answers is old, so neither replaces the known observations.
  const sourceLeg = lost ? null : seen
  if (sourceLeg === null && destinationLeg === null) {
    return deferWork([
      { code: "watch.unreadable", message: "Neither our source node nor our destination node can be read" },
    ])
  }
  return { event: conclude(job, known.serviceOrder, sourceLeg, destinationLeg) }
}

export const observeOrderWork: WorkEntry<"observeOrder"> = {
  perform: observeOrder,
  lane: null,
  spends: false,
  whilePaused: runsWhilePaused,
  onRefused: declinesWhenRefused,
  repeat: "Plain read.",
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
  const owedUnits = terms.destinationUnits + owedToOtherOrders(job, redeemed)
  const enough = paidUnits !== null && paidUnits + data.policy.payoutToleranceUnits >= owedUnits
  const paid = redeemed?.final === true && enough
  // Only a destination that was read can be empty.
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
 * The units that other orders of ours are owed by the same Bitcoin payout transaction. The redeemer chooses its outputs, so one payment
 * could otherwise be counted for two orders. On other chains the contract pays each order itself.
 */
function owedToOtherOrders(job: Job, redeemed: OnChain | null): bigint {
  if (redeemed?.final !== true || destinationChain(job).family !== "bitcoin") return 0n
  return listPaidBy(job, redeemed.txid).reduce(
    (sum, { terms }) => sum + present(terms, "the order's terms").destinationUnits,
    0n,
  )
}

function listPaidBy(job: Job, txid: string): OrderData[] {
  const { context, data } = job
  const { sameAddress } = destinationChain(job)
  // The text search is cheap; only snapshots that mention the transaction are decoded.
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
 * The payout that this order books. When one Bitcoin transaction pays several orders, each books its promised amount and the last one the
 * rest, but never more than promised. The reconciliation shows a surplus as paid from outside.
 */
function receiptOf(job: Job, redeemed: LegObservation["redeemed"]): TransferredUnits | null {
  const { data } = job
  const receipt = unitsOf(redeemed, redeemed?.paidUnits)
  if (receipt === null) return null
  const isKnown = data.receipt?.txid === receipt.txid
  // A contract may pay another amount when a reorganisation puts the same transaction into another block.
  if (destinationChain(job).family !== "bitcoin")
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

/** A payout that did not reach us (`unpaid`) does not give up our claim to the refund. */
function isRefundable(job: Job, seen: OrderData["seen"], unpaid: boolean): boolean {
  const paidOut = seen.destinationRedeemed !== null && !unpaid
  const isOver = seen.sourceRedeemed !== null || seen.sourceRefunded !== null || paidOut
  if (isOver || seen.refundableAtHeight === null || seen.sourceHeight === null) return false
  return canRefund(job) && seen.sourceHeight >= seen.refundableAtHeight
}

function canRefund(job: Job): boolean {
  return sourceChain(job).family !== "bitcoin" || job.data.deposit?.extras["refundKeyOurs"] === true
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
  const isOver = seen.sourceRefunded !== null || seen.sourceRedeemed !== null || seen.destinationRedeemed !== null
  if (!isOver && seen.sourceInitiated !== null && (lapsed || isLockEnding(data, seen))) {
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

/** No payout is on its way, the solver took it back, or it has been on its way for longer than `reportPatienceMs`. */
function isPayoutMissing({ data, nowMs }: Job, seen: OrderData["seen"], destination: LegObservation | null): boolean {
  const redeemedAt = seen.sourceRedeemed?.at ?? nowMs
  const wasRefunded = destination !== null && destination.refunded !== null
  // Only a destination that was read can be empty.
  const isEmpty = destination !== null && seen.destinationInitiated === null
  return isEmpty || wasRefunded || nowMs - redeemedAt > data.policy.reportPatienceMs
}

/** Our node shows no funding, so a reported redemption is false. On Bitcoin the payout may only be waiting for its block. */
function isUnfunded(job: Job, destination: LegObservation | null): boolean {
  return destination?.initiated === null && destinationChain(job).family !== "bitcoin"
}

/** Three quarters of the timelock are over, counted in the chain's own heights. */
function isLockEnding(
  { deposit }: OrderData,
  { refundableAtHeight: at, sourceHeight: height }: OrderData["seen"],
): boolean {
  return deposit !== null && at !== null && height !== null && (at - height) * 4n <= deposit.timelock
}

/** A later report of the service may add progress; the verified fields stay as they were verified. */
function keepVerifiedFields(data: OrderData, serviceOrder: ServiceOrder | null): ServiceOrder | null {
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

/** A node below the block of the deposit cannot prove that there is no deposit. */
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

/** A reorganisation removed the deposit or made it fail, so the order must observe the transaction itself again. */
async function hasVanished({ data }: Job, chain: ChainPort): Promise<boolean> {
  const track = data.transactions.deposit
  // A relay sent the initiation, so there is no transaction of ours to observe, only the HTLC.
  if (track.signed.length === 0) return true
  const seen = await observeAttempts(chain, track)
  return seen.status !== "mined" || !seen.ok
}

async function readOrNull<T>(job: Job, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    job.context.log.warn(
      { order: job.data.id, err: error },
      "The service or a node could not be read; the other reads still count",
    )
    return null
  }
}

/** A leg that was read replaces the known observation, also with `null` (a reorganisation). An unread leg changes nothing. */
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
