import type { ReportedLeg, ServiceOrder } from "#domain/leg.ts"
import type { Reason } from "#domain/reason.ts"
import type { PayoutLock } from "#domain/time-to-redeem.ts"
import { mustExist } from "#lib/assert.ts"
import {
  agreedEnd,
  type KnownLock,
  listOpenEarlier,
  type OrderData,
  type SeenOnChain,
  type TransferredUnits,
} from "#order/data.ts"
import type { OrderEvent } from "#order/events.ts"
import { isRevealed, mayHaveDeposit } from "#order/guards.ts"
import { abilitiesOf } from "#order/kinds/registry.ts"
import type { LegObservation, OnChain } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import { serviceFor } from "../../context.ts"
import { findContractAlarms } from "../deposit/check-contracts.ts"
import { resendDropped } from "../deposit/resend-dropped.ts"
import { findOwnPayout, findSilence, readVoucher } from "../route/read-voucher.ts"
import type { WorkResult } from "../stepper.ts"
import { declinesWhenRefused, runsWhilePaused, type WorkEntry } from "../work-entry.ts"
import { decideSecretStep, findShownSecret } from "./decide-secret-step.ts"
import { canRefund, findAlerts, findEmptyRefund, findShortPayout } from "./find-alerts.ts"
import { describeBlocked, findUnpayable } from "./find-blocked-payout.ts"
import { findOutlivedNews } from "./find-outlived.ts"
import {
  findGoneEndings,
  findLanded,
  findVanishedDeposit,
  findVanishedRedeem,
  findVanishedRefund,
  isDepositMissing,
} from "./find-vanished.ts"
import {
  configuredChains,
  deferWhileStopped,
  deferWork,
  destinationChain,
  isTooLate,
  type Job,
  type Performer,
} from "./job.ts"
import { withDoubts } from "./observe-transaction.ts"
import { estimateLock, keepLock } from "./payout-lock.ts"
import { countPayoutWait, mayPayoutLag } from "./payout-wait.ts"
import { readInTime } from "./read-in-time.ts"
import { readAbsenceOrNull, readHeadOrNull, readLegOrNull } from "./read-leg.ts"
import { readLegs, waitWithoutLegs } from "./read-legs.ts"
import { endCapOf } from "./time-to-redeem.ts"

/** The solver no longer funds a destination this long after the last moment for the deposit. */
const LAPSE_AFTER_MS = 5 * 60_000
const RESTING_MS = 60 * 60_000

/**
 * Observes an order in three places: the service, which reports, and our own source and destination
 * nodes, which prove. Each of the three reads may fail alone.
 */
export const observeOrder: Performer = async (job) => {
  const { data } = job
  if (data.deposit === null || !mayHaveDeposit(data)) return deferWork(data.reasons, RESTING_MS)
  const { destination } = configuredChains(job)
  // Neither a silent service nor a silent destination delays the refund that the source allows.
  const inTime = <T>(what: string, read: () => Promise<T>): Promise<T | null> =>
    readOrNull(job, () => readInTime(job.context, `${data.id} ${what}`, read))
  const serviceOrder = await inTime("service", () => readReport(job))
  const known = { ...data, serviceOrder: keepVerifiedFields(data, serviceOrder) }
  const informed = { ...job, data: known }
  const legs = await readLegs(informed, serviceOrder, () => readPayout(informed))
  if (legs === null) return deferWork(data.reasons, waitWithoutLegs(job, serviceOrder))
  const { source: observed, payout: payoutLeg, isGone } = legs
  const { leg: destinationLeg, alerts: reused } = findOwnPayout(job, payoutLeg)
  const seen = unlessBehind(observed, data)
  const lost = seen !== null && isDepositMissing(seen, data)
  // Once our secret is told, no failed read may keep the order from its redemption.
  const search = (read: () => Promise<WorkResult | null>): Promise<WorkResult | null> =>
    isRevealed(data) ? readOrNull(job, read) : read()
  const vanished = await search(() => findVanishedSource(job, lost, seen, destinationLeg))
  if (vanished !== null) return vanished
  // The deposit is in a block and its HTLC is empty: one of the two answers is old, so neither
  // replaces the known observations.
  const sourceLeg = lost ? null : seen
  const isRedeemed = data.transactions.redeem.mined !== null && destination !== null
  const reopened = isRedeemed
    ? await search(() => findVanishedRedeem(job, destination, destinationLeg))
    : null
  if (reopened !== null) return reopened
  const heads = await readHeads(job, sourceLeg, destinationLeg)
  const contracts = await inTime("contracts", () => findContractAlarms(job))
  const doubts = [
    ...doubtsOf(observed, destinationLeg),
    ...findGoneEndings(data, sourceLeg, destinationLeg),
  ]
  const found = await readOrNull(job, () => findLanded(job))
  const outlived = listOpenEarlier(data).length === 0 ? {} : await findOutlivedNews(job)
  const event = conclude(job, {
    isGone,
    serviceOrder: known.serviceOrder,
    source: sourceLeg,
    destination: destinationLeg,
    heads,
    alarms: listAlarms(contracts, doubts, found?.alarms ?? null),
  })
  const blocked = await findBlocked(job, destination, event)
  const given = await inTime("voucher", () => readVoucher(job, sourceLeg, payoutLeg))
  const { alerts: unclear, ...voucher } = given ?? { alerts: [] }
  const silence = findSilence(job, voucher.voucher)
  const alerts = listAlarms(event.alerts, blocked, reused, unclear, silence)
  const isUnread = sourceLeg === null && destinationLeg === null
  if (isUnread && tellsNothing(event)) return withDoubts(deferWork([UNREADABLE]), found ?? {})
  const news = { ...found?.news, ...outlived }
  const result = { event: { ...event, ...voucher, alerts, ...news } }
  return withDoubts(result, found ?? {})
}

/** What became of our deposit, or of our refund, where the source does not show it any more. */
async function findVanishedSource(
  job: Job,
  isLost: boolean,
  seen: LegObservation | null,
  payout: LegObservation | null,
): Promise<WorkResult | null> {
  const { source } = configuredChains(job)
  if (source === null) return null
  const unsettled = isLost && seen !== null ? await leaveOrRepeat(job, source, seen, payout) : null
  return unsettled ?? findVanishedRefund(job, source, seen)
}

/** `null`: the order's route has no service that reports. */
async function readReport({ context, data }: Job): Promise<ServiceOrder | null> {
  if (!abilitiesOf(data).isReported) return null
  return serviceFor(context, data).fetchOrder(mustExist(data.created, "the created order").orderId)
}

/** One empty look is not enough to give the payout up: it may be of a node without its blocks. */
async function readPayout(job: Job): Promise<LegObservation | null> {
  const leg = await readLegOrNull(job, "destination")
  const isGivenUp = leg?.initiated === null && hasLapsed(job, job.data.seen, leg)
  return isGivenUp ? readAbsenceOrNull(job) : leg
}

/** A redemption that the payee cannot get is tried, and an operator must know why it fails. */
async function findBlocked(
  job: Job,
  destination: ChainPort | null,
  { secret }: Pick<Observed, "secret">,
): Promise<readonly Reason[]> {
  if (secret !== "redeem" || destination === null) return []
  const read = () => findUnpayable(job, destination)
  const key = `${job.data.id} payee`
  const faults = await readOrNull(job, () => readInTime(job.context, key, read))
  return describeBlocked(job, faults ?? [])
}

function listAlarms(...alarms: readonly (readonly Reason[] | null)[]): readonly Reason[] {
  return alarms.flatMap((some) => some ?? [])
}

function tellsNothing({ secret, refundable, alerts }: Omit<Observed, "at">): boolean {
  return secret === undefined && !refundable && alerts.length === 0
}

const UNREADABLE: Reason = {
  code: "watch.unreadable",
  message: "Neither our source node nor our destination node can be read",
}

type Heads = { readonly source: bigint | null; readonly destination: bigint | null }

/**
 * The heights of the chains with a leg that was not read: a deadline that is known needs nothing
 * else.
 */
async function readHeads(
  job: Job,
  source: LegObservation | null,
  destination: LegObservation | null,
): Promise<Heads> {
  const { data } = job
  const isRefundDue =
    source === null && canRefund(job) && findRefundHeight(data) !== null && !isRevealed(data)
  const isLockAsked = destination === null && data.ownSecret != null
  const [sourceHead, destinationHead] = await Promise.all([
    isRefundDue ? readHeadOrNull(job, "source") : null,
    isLockAsked ? readHeadOrNull(job, "destination") : null,
  ])
  return { source: sourceHead, destination: destinationHead }
}

/**
 * The height of the refund: as an observation showed it, or by the deposit's block and the verified
 * timelock. The chain refuses a refund that is one block too early.
 */
function findRefundHeight({ seen, deposit }: OrderData): bigint | null {
  if (seen.refundableAtHeight !== null) return seen.refundableAtHeight
  if (deposit === null || seen.sourceInitiated === null) return null
  return seen.sourceInitiated.height + deposit.timelock + 1n
}

/**
 * The event for a deposit that vanished; `null` while the payout comes first, and then the signed
 * deposit is only sent again.
 */
async function leaveOrRepeat(
  job: Job,
  source: ChainPort,
  seen: LegObservation,
  payout: LegObservation | null,
): Promise<WorkResult | null> {
  if (mayVanish(job.data, seen, payout)) return findVanishedDeposit(job, source, seen)
  if (!seen.agreed || job.data.transactions.deposit.signed.length === 0 || isTooLate(job))
    return null
  const mayLeave = (): boolean => deferWhileStopped(job) === null
  if (!mayLeave()) return null
  await job.begin()
  await resendDropped(job, source, "deposit", mayLeave)
  return null
}

/**
 * Whether the order may go back to wait for its deposit. One endpoint alone cannot make a deposit
 * vanish. Once our secret is told, the payout comes first as long as its HTLC is not known to be
 * empty: whatever became of the deposit, only a redemption in time brings the money.
 */
function mayVanish(
  { ownSecret }: OrderData,
  { agreed }: LegObservation,
  payout: LegObservation | null,
): boolean {
  const isOver =
    payout !== null &&
    (payout.initiated === null || payout.redeemed !== null || payout.refunded !== null)
  return agreed && (ownSecret?.status !== "revealed" || isOver)
}

function doubtsOf(...legs: readonly (LegObservation | null)[]): readonly Reason[] {
  return legs.flatMap((leg) => leg?.doubts ?? [])
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

/** `isGone`: the deposit has left its HTLC, which could not be read. */
type Readings = {
  readonly isGone: boolean
  readonly serviceOrder: ServiceOrder | null
  readonly source: LegObservation | null
  readonly destination: LegObservation | null
  readonly heads: Heads
  readonly alarms: readonly Reason[]
}

function conclude(job: Job, readings: Readings): Omit<Observed, "at"> {
  const { data } = job
  const { serviceOrder, source, destination, heads, alarms } = readings
  const seen = mergeObservations(job, readings)
  const lock = decideLock(job, destination, heads.destination)
  const redeemed = destination?.redeemed ?? null
  const returned = returnedBy(source)
  const { paidUnits, owedUnits, isEnough } = judgePayout(job, redeemed)
  const lapsed = hasLapsed(job, seen, destination)
  const chains = configuredChains(job)
  const secretStep = decideSecretStep(job, seen, destination, {
    lock,
    isShown: readings.isGone || findShownSecret(data, serviceOrder, source, destination),
    isDecided: isRevealDecided(job),
  })
  return {
    type: "order.observed",
    serviceOrder,
    seen,
    paidUnits,
    moved: {
      receipt: isProof(destination) ? receiptOf(job, redeemed) : data.receipt,
      returned: isProof(source) ? unitsOf(returned, returned?.paidUnits) : data.returned,
      rentReturned: isProof(source)
        ? unitsOf(source.refunded ?? source.redeemed, releasedUnits(source))
        : data.rentReturned,
    },
    ...judgeEndings(
      { leg: destination, ending: isEnough ? redeemed : null },
      { leg: source, ending: returned },
    ),
    lapsed,
    refundable: chains.source !== null && isRefundable(job, seen, paidUnits !== null && !isEnough),
    ...(chains.destination === null ? {} : secretStep),
    mayLag: mayPayoutLag(job, seen, destination),
    alerts: [
      ...findAlerts(job, { serviceOrder, seen, source, destination, lock, lapsed }),
      ...alarms,
      ...(redeemed?.final === true && !isEnough
        ? findShortPayout(job, seen, paidUnits, owedUnits)
        : []),
      ...(source?.refunded?.final === true && returned === null ? findEmptyRefund(job, seen) : []),
    ],
  }
}

/** The lock of the payout as it is read, or as it is known. */
function decideLock(
  { data, nowMs }: Job,
  destination: LegObservation | null,
  head: bigint | null,
): PayoutLock {
  if (destination !== null && destination.refundableAt !== null) return destination
  return estimateLock(data, destination?.height ?? head, nowMs)
}

/**
 * The journal has the decision to tell our secret, and the order does not know it: it was restored
 * from a backup.
 */
function isRevealDecided({ context, data }: Job): boolean {
  const status = data.ownSecret?.status ?? "revealed"
  if (status !== "unknown" && status !== "withheld") return false
  return context.journal.listSecretDecisions(data.id).includes("reveal")
}

type Ending = { readonly leg: LegObservation | null; readonly ending: OnChain | null }

function judgeEndings(
  payout: Ending,
  refund: Ending,
): Pick<Observed, "paid" | "refunded"> & Required<Pick<Observed, "agreed" | "settling">> {
  const counts = ({ leg, ending }: Ending, isDeep: (part: OnChain) => boolean): boolean =>
    ending !== null && isDeep(ending) && isAgreed(leg)
  const isSeen = ({ seen }: OnChain): boolean => seen
  const isFinal = ({ final }: OnChain): boolean => final
  return {
    agreed: isAgreed(payout.leg) && isAgreed(refund.leg),
    settling: counts(payout, isSeen) || counts(refund, isSeen),
    paid: counts(payout, isFinal),
    refunded: counts(refund, isFinal),
  }
}

/** Without agreement one endpoint alone may have invented the facts, so they end nothing. */
function isAgreed(leg: LegObservation | null): boolean {
  return leg?.agreed ?? true
}

/**
 * A leg that was read with agreement. The books follow no other one: one endpoint alone may invent
 * a transfer to us.
 */
function isProof(leg: LegObservation | null): leg is LegObservation {
  return leg !== null && isAgreed(leg)
}

/** The refund of the source, unless it closed the HTLC without bringing anything back to us. */
function returnedBy(source: LegObservation | null): LegObservation["refunded"] {
  const refunded = source?.refunded ?? null
  return refunded?.paidUnits === 0n ? null : refunded
}

function mergeObservations(
  job: Job,
  { serviceOrder, source, destination, heads }: Readings,
): OrderData["seen"] {
  const { data, nowMs } = job
  const { seen } = data
  const sourceRedeemed = update(seen.sourceRedeemed, source, source?.redeemed, nowMs)
  const isReported = data.reportedAt !== null || serviceOrder?.destination.redeemTx != null
  const isPayoutDue = sourceRedeemed !== null || isReported
  const payoutLock = data.ownSecret == null ? undefined : keepLock(data, destination, nowMs)
  return {
    sourceInitiated: update(seen.sourceInitiated, source, source?.initiated, nowMs),
    sourceRedeemed,
    sourceRefunded: update(seen.sourceRefunded, source, source?.refunded, nowMs),
    destinationInitiated: update(
      seen.destinationInitiated,
      destination,
      destination?.initiated,
      nowMs,
    ),
    destinationRedeemed: update(
      seen.destinationRedeemed,
      destination,
      destination?.redeemed,
      nowMs,
    ),
    refundableAtHeight: source === null ? findRefundHeight(data) : source.refundableAt,
    sourceHeight: source?.height ?? heads.source ?? seen.sourceHeight,
    payoutWait: isPayoutDue ? countPayoutWait(data, destination, nowMs) : null,
    ...(payoutLock === undefined ? {} : { payoutLock: withCap(job, payoutLock) }),
  }
}

/** The cap is unknown while the payout's chain is not configured. */
function withCap(job: Job, lock: KnownLock): KnownLock {
  const { destination } = configuredChains(job)
  return destination === null ? lock : { ...lock, capUnits: endCapOf(job, destination) }
}

/** `paidUnits` is `null` when nothing was redeemed, or when the paid amount cannot be read. */
function judgePayout(
  job: Job,
  redeemed: LegObservation["redeemed"],
): { paidUnits: bigint | null; owedUnits: bigint; isEnough: boolean } {
  const { terms } = job.data
  const paidUnits = redeemed?.paidUnits ?? null
  const owedUnits =
    mustExist(terms, "the order's terms").destinationUnits + owedToOtherOrders(job, redeemed)
  const isEnough =
    paidUnits !== null &&
    paidUnits > 0n &&
    paidUnits + job.data.payoutFeeUnits + ownFeeOf(job, redeemed) >= owedUnits
  return { paidUnits, owedUnits, isEnough }
}

/**
 * The most that our own redemption's fee takes out of the payout, where the HTLC's amount pays it.
 */
function ownFeeOf(job: Job, redeemed: LegObservation["redeemed"]): bigint {
  if (redeemed === null || !destinationChain(job).traits.refundFeeTakenFromAmount) return 0n
  const own = job.data.transactions.redeem.signed.find(({ txid }) => txid === redeemed.txid)
  return own?.plan.maxFeeUnits ?? 0n
}

/**
 * The destination was read, it is not funded, and the time in which the solver funds it is over.
 */
function hasLapsed(
  { data, nowMs }: Job,
  seen: OrderData["seen"],
  destination: LegObservation | null,
): boolean {
  const isUnfilled =
    destination !== null &&
    isAgreed(destination) &&
    seen.destinationInitiated === null &&
    seen.sourceRedeemed === null
  return (
    abilitiesOf(data).refund &&
    isUnfilled &&
    nowMs > mustExist(data.sendUntilMs, "the deposit window") + LAPSE_AFTER_MS
  )
}

/**
 * The units that other orders of ours are owed by the same payout transaction. Where the redeemer
 * chooses its outputs, one payment could otherwise be counted for two orders. On other chains the
 * contract pays each order itself.
 */
function owedToOtherOrders(job: Job, redeemed: OnChain | null): bigint {
  if (redeemed?.final !== true || !destinationChain(job).traits.onePayoutMayServeSeveralOrders)
    return 0n
  return listPaidBy(job, redeemed.txid).reduce(
    (sum, { terms }) => sum + mustExist(terms, "the order's terms").destinationUnits,
    0n,
  )
}

function listPaidBy(job: Job, txid: string): OrderData[] {
  const { context, data } = job
  const { sameAddress } = destinationChain(job)
  return context.journal
    .listPaidBy(data.request.to, txid)
    .filter(({ id, deposited }) => id !== data.id && deposited)
    .map((row) => context.memory.orders.read(row).data)
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
 * The payout that this order books. When one transaction pays several orders, each books its
 * promised amount and the last one the rest, but never more than promised. The reconciliation shows
 * a surplus as paid from outside.
 */
function receiptOf(job: Job, redeemed: LegObservation["redeemed"]): TransferredUnits | null {
  const { data } = job
  const receipt = unitsOf(redeemed, redeemed?.paidUnits)
  if (receipt === null) return null
  const isKnown = data.receipt?.txid === receipt.txid
  // A contract may pay another amount when a reorganisation puts the same transaction into another
  // block.
  if (!destinationChain(job).traits.onePayoutMayServeSeveralOrders)
    return isKnown && data.receipt?.units === receipt.units ? data.receipt : receipt
  if (isKnown) return data.receipt
  const promised = mustExist(data.terms, "the order's terms").destinationUnits
  const left =
    receipt.units -
    listPaidBy(job, receipt.txid).reduce((sum, other) => sum + (other.receipt?.units ?? 0n), 0n)
  return { ...receipt, units: left < 0n ? 0n : left > promised ? promised : left }
}

/**
 * After a payout that did not reach us (`unpaid`), the deposit stays refundable. An end that one
 * endpoint alone shows keeps no refund back: the chain refuses it, or the end was invented.
 */
function isRefundable(job: Job, seen: OrderData["seen"], unpaid: boolean): boolean {
  const paidOut = agreedEnd(seen.destinationRedeemed) !== null && !unpaid
  const ends = [agreedEnd(seen.sourceRedeemed), agreedEnd(seen.sourceRefunded)]
  const isOver = ends.some((end) => end !== null) || paidOut
  // Others may know our secret, so the payout is to be redeemed; a refund would race their
  // redemption of the source.
  if (isRevealed(job.data)) return false
  if (isOver || seen.refundableAtHeight === null || seen.sourceHeight === null) return false
  return canRefund(job) && seen.sourceHeight >= seen.refundableAtHeight
}

/**
 * A later report of the service may add progress; the verified fields stay as they were verified.
 */
function keepVerifiedFields(
  data: OrderData,
  serviceOrder: ServiceOrder | null,
): ServiceOrder | null {
  if (serviceOrder === null || data.serviceOrder === null) return data.serviceOrder
  const { source, destination, affiliateFees } = data.serviceOrder
  return {
    ...serviceOrder,
    affiliateFees,
    source: {
      ...serviceOrder.source,
      swapId: source.swapId,
      secretHash: source.secretHash,
      timelock: source.timelock,
    },
    destination: {
      ...serviceOrder.destination,
      swapId: destination.swapId,
      redeemer: destination.redeemer,
      secretHash: destination.secretHash,
      ...(data.ownSecret == null ? {} : verifiedTerms(destination)),
    },
  }
}

/** The terms by which a payout with our own secret is proven and redeemed. */
function verifiedTerms({ initiator, timelock, delegate }: ReportedLeg): Partial<ReportedLeg> {
  return { initiator, timelock, delegate }
}

/** A node below the block of the deposit cannot prove that there is no deposit. */
function isBehind(
  { height, initiated }: LegObservation,
  { seen, transactions }: OrderData,
): boolean {
  const known = seen.sourceInitiated?.height ?? transactions.deposit.mined?.height ?? 0n
  return initiated === null && height < known
}

function unlessBehind(leg: LegObservation | null, data: OrderData): LegObservation | null {
  return leg !== null && isBehind(leg, data) ? null : leg
}

async function readOrNull<T>(job: Job, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    job.noteUnread?.(error)
    job.context.log.warn(
      { order: job.data.id, err: error },
      "The service or a node could not be read; the other reads still count",
    )
    return null
  }
}

/**
 * A leg that was read replaces the known observation, also with `null` (a reorganisation). An
 * unread leg changes nothing, and a leg without agreement only adds.
 */
function update(
  known: SeenOnChain | null,
  leg: LegObservation | null,
  part: OnChain | null | undefined,
  at: number,
): SeenOnChain | null {
  if (leg === null || (!leg.agreed && known !== null)) return known
  if (part == null) return null
  const { txid, height, final } = part
  const alone = leg.agreed ? {} : { isAlone: true as const }
  return { txid, height, final, at: known?.txid === txid ? known.at : at, ...alone }
}
