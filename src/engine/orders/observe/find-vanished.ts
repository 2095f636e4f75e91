import type { Reason } from "#domain/reason.ts"
import {
  isMortal,
  type MinedTransaction,
  type OrderData,
  type SeenOnChain,
  type TransactionPurpose,
  type TransactionTrack,
} from "#order/data.ts"
import { FINAL_GONE, LASTING, wasDepositSigned } from "#order/guards.ts"
import { abilitiesOf } from "#order/kinds/registry.ts"
import { isApprovalOpen, isApprovalVoidOpen } from "#order/mined.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { WorkResult } from "../stepper.ts"
import { findForeignRival } from "./find-foreign-rival.ts"
import { chainOfPurpose, type Job } from "./job.ts"
import {
  type AttemptObservation,
  landedTransaction,
  observeAttempts,
  spendsHtlc,
  withDoubts,
} from "./observe-transaction.ts"

/*
 * Blocks can vanish. A fact that was final leads to a person; any other is observed again by the
 * state that waits for it.
 */

/** The source HTLC is empty, and the order knew a deposit in it. */
export function isDepositMissing(leg: LegObservation, data: OrderData): boolean {
  return (
    isUntouched(leg) &&
    (data.transactions.deposit.mined !== null || data.seen.sourceInitiated !== null)
  )
}

/**
 * The event for a deposit that a reorganisation removed or made fail; `null` while our own
 * transaction is still in a block.
 */
export async function findVanishedDeposit(
  job: Job,
  chain: ChainPort,
  { height }: LegObservation,
): Promise<WorkResult | null> {
  const { transactions, seen } = job.data
  // A relay sent the initiation, so there is no transaction of ours to observe, only the HTLC.
  const observed =
    transactions.deposit.signed.length === 0
      ? null
      : await observeAttempts(chain, job.data, "deposit")
  if (observed !== null && isLanded(observed)) return null
  const final = [transactions.deposit.mined, seen.sourceInitiated].find((known) => known?.final)
  const isRecovered = !wasDepositSigned(job.data)
  if (isRecovered && final != null)
    return { event: { type: "order.held", reasons: [describeGone("deposit", final, height)] } }
  const reasons = final == null ? {} : { reasons: [describeGone("deposit", final, height)] }
  return withDoubts({ event: { type: "deposit.unsettled", ...reasons } }, observed ?? {})
}

/**
 * The event for a refund of ours that the order knew in a block, while the HTLC holds the deposit
 * again; `null` otherwise.
 */
export async function findVanishedRefund(
  job: Job,
  chain: ChainPort,
  leg: LegObservation | null,
): Promise<WorkResult | null> {
  const { mined } = job.data.transactions.refund
  if (leg === null)
    return (await isDropped(job, chain, "refund")) ? { event: { type: "refund.unsettled" } } : null
  const isBack = leg.initiated !== null && leg.refunded === null && leg.redeemed === null
  if (mined === null || !isBack || !leg.agreed || leg.height < mined.height) return null
  const observed = await observeAttempts(chain, job.data, "refund")
  if (isLanded(observed)) return null
  const reasons = mined.final ? { reasons: [describeGone("refund", mined, leg.height)] } : {}
  return withDoubts({ event: { type: "refund.unsettled", ...reasons } }, observed)
}

/**
 * The event for a redemption of ours that the order knew in a block, while the payout HTLC is open
 * again; `null` otherwise.
 */
export async function findVanishedRedeem(
  job: Job,
  chain: ChainPort,
  leg: LegObservation | null,
): Promise<WorkResult | null> {
  const { mined } = job.data.transactions.redeem
  if (leg === null)
    return (await isDropped(job, chain, "redeem")) ? { event: { type: "redeem.unsettled" } } : null
  // No contract holds a payout that a voucher takes: it is open while it is not taken.
  const isOpen = leg.initiated !== null || abilitiesOf(job.data).redeem === "voucher"
  const isBack = isOpen && leg.refunded === null && leg.redeemed === null
  if (mined === null || !isBack || !leg.agreed || leg.height < mined.height) return null
  const observed = await observeAttempts(chain, job.data, "redeem")
  return isLanded(observed) ? null : withDoubts({ event: { type: "redeem.unsettled" } }, observed)
}

/**
 * The HTLC cannot be read, and no node shows our transaction any more: the same bytes are sent
 * again.
 */
async function isDropped(
  { data }: Job,
  chain: ChainPort,
  purpose: "refund" | "redeem",
): Promise<boolean> {
  const { mined } = data.transactions[purpose]
  if (mined === null || mined.final) return false
  return (await observeAttempts(chain, data, purpose)).status === "unseen"
}

/**
 * The alarms for a payout or a refund that was final, and that enough endpoints do not show any
 * more.
 */
export function findGoneEndings(
  { seen }: OrderData,
  source: LegObservation | null,
  destination: LegObservation | null,
): readonly Reason[] {
  return [
    ...goneFrom(source, "refund", seen.sourceRefunded, source?.refunded),
    ...goneFrom(destination, "payout", seen.destinationRedeemed, destination?.redeemed),
  ]
}

/**
 * News of one transaction that the order went on from before it was final: its present block, or
 * that another one excluded it. Its fee is booked when it is final, and no other work observes it
 * any more. An approval whose block vanished counts too, because the deposit may have used it, and
 * the void of an approval that it did not use.
 */
export async function findLanded(job: Job): Promise<Landed> {
  const doubts: Reason[] = []
  for (const purpose of listOpen(job.data)) {
    const track = job.data.transactions[purpose]
    const seen = await observeAttempts(chainOfPurpose(job, purpose), job.data, purpose)
    doubts.push(...(seen.doubts ?? []))
    if (seen.status === "excluded" && seen.final) {
      // Another party may spend the input of a refund: the service redeems the same output.
      const foreign = spendsHtlc(purpose) ? null : findForeignRival(job, purpose, seen.by)
      return { news: { excluded: purpose }, doubts, alarms: foreign === null ? [] : [foreign] }
    }
    const landed = landedTransaction(purpose, seen)
    if (landed !== null && isNews(landed, track)) return { news: { landed }, doubts, alarms: [] }
  }
  return { news: {}, doubts, alarms: [] }
}

/** A transaction of ours is in a block that is not final, or its own time is not over. */
export const OPEN = "open"

/**
 * News of the refund and the redemption that the order signed before its deposit was excluded. No
 * other work observes them, and an ended order books nothing more of its own. `null`: nothing is
 * news, and none of them is in a block that may vanish. One with a nonce may still land without
 * end; `followFills` books its fee then.
 */
export async function findLeftEndings(job: Job): Promise<WorkResult | typeof OPEN | null> {
  const { transactions, mined } = job.data
  for (const purpose of ["refund", "redeem"] as const) {
    const track = transactions[purpose]
    const { signed, settled } = track
    if (signed.length === 0 || settled === true) continue
    const seen = await observeAttempts(chainOfPurpose(job, purpose), job.data, purpose)
    if (seen.status === "excluded" && seen.final)
      return withDoubts(tellNews(job.data, { excluded: purpose }), seen)
    const landed = landedTransaction(purpose, seen)
    if (landed !== null && isNews(landed, track))
      return withDoubts(tellNews(job.data, { landed }), seen)
    const isKnown = mined.some(({ txid }) => signed.some((one) => one.txid === txid))
    if (landed === null && isKnown)
      return withDoubts({ event: { type: `${purpose}.unsettled` } }, seen)
    if (landed !== null || signed.some(isMortal)) return OPEN
  }
  return null
}

/** An observation of these transactions alone. */
function tellNews({ seen }: OrderData, news: Landed["news"]): WorkResult {
  const nothing = { serviceOrder: null, paidUnits: null, alerts: [] }
  const ends = { paid: false, refunded: false, lapsed: false, refundable: false }
  return { event: { type: "order.observed", seen, ...nothing, ...ends, ...news } }
}

function listOpen({ transactions }: OrderData): readonly TransactionPurpose[] {
  const lasting = LASTING.filter((purpose) => {
    const { mined } = transactions[purpose]
    if (mined !== null) return !mined.final
    return purpose === "approve" && isApprovalOpen(transactions.approve)
  })
  return isApprovalVoidOpen(transactions) ? [...lasting, "revoke"] : lasting
}

/**
 * A failed transaction is news only when its block is final: until then it may still succeed. A
 * deposit fails after a reorganisation put the relay's before it, and a refund after another
 * account's.
 */
function isNews(
  { txid, height, ok, final }: MinedTransaction,
  { mined }: TransactionTrack,
): boolean {
  if (!ok) return final
  return mined?.txid !== txid || mined.height !== height || final
}

/** `doubts`: contradictions between the endpoints that showed the transactions. */
type Landed = {
  readonly news: { readonly landed?: MinedTransaction; readonly excluded?: TransactionPurpose }
  readonly doubts: readonly Reason[]
  readonly alarms: readonly Reason[]
}

type Known = Pick<SeenOnChain, "txid" | "height" | "final">

function goneFrom(
  leg: LegObservation | null,
  what: "refund" | "payout",
  known: Known | null,
  now: object | null | undefined,
): readonly Reason[] {
  const isGone =
    leg?.agreed === true && known?.final === true && now == null && leg.height >= known.height
  return isGone ? [describeGone(what, known, leg.height)] : []
}

function describeGone(
  what: TransactionPurpose | "payout",
  { txid, height }: Known,
  headHeight: bigint,
): Reason {
  const message =
    `The ${what} ${txid} was final in block ${height}, and at height ${headHeight} the chain ` +
    "does not show it any more: find out what happened to this chain or to its endpoints"
  return {
    code: FINAL_GONE,
    message,
    what,
    txid,
    height: height.toString(),
    headHeight: headHeight.toString(),
  }
}

function isUntouched({ initiated, redeemed, refunded }: LegObservation): boolean {
  return initiated === null && redeemed === null && refunded === null
}

function isLanded(seen: AttemptObservation): boolean {
  return seen.status === "mined" && seen.ok
}
