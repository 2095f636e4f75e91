import type { SignedTransaction, TransactionPlan } from "#domain/transaction.ts"
import { isMortal, type OrderData, type TransactionPurpose } from "./data.ts"
import { feeOf, withExclusion, withMined, withOutlived, withoutBlock } from "./mined.ts"
import {
  type EventOf,
  recordRetry,
  updateTransactionOn,
  withAlerts,
  withCodes,
  withInitiation,
  withReason,
  withTrack,
} from "./update.ts"

/**
 * Data changes of one transaction's life, for the transaction with the purpose that the transition
 * names.
 */
export const transactionUpdates = {
  storePlan: updateTransactionOn(
    ["transaction.planned"],
    (before, { plan, companion }, purpose) => {
      const data = companion === undefined ? before : withCompanionPlan(before, companion)
      return withPlan(data, purpose, plan)
    },
  ),

  storeSigned: updateTransactionOn(
    ["transaction.signed"],
    (before, { transaction, companion }, purpose) => {
      const data =
        companion === undefined
          ? before
          : withSigned(before, companion.purpose, companion.transaction)
      return withSigned(data, purpose, transaction)
    },
  ),

  storeSent: updateTransactionOn(["transaction.sent"], (before, { at, companion }, purpose) => {
    const data = companion === undefined ? before : withSent(before, companion.purpose, at)
    return withSent(data, purpose, at)
  }),

  storeMined: updateTransactionOn(["transaction.mined"], storeMined),

  /**
   * The key refused a fee bump. The attempt before it waits on, and its next bump as long as after
   * a send: the key would refuse again.
   */
  declineBump: updateTransactionOn(["order.declined"], (data, { at, reasons }, purpose) => {
    const { approve } = data.transactions
    const alone =
      approve.isPaired === true ? withTrack(data, "approve", { ...approve, plan: null }) : data
    return withTrack({ ...alone, reasons }, purpose, {
      ...data.transactions[purpose],
      plan: null,
      sentAt: at,
      waitsSince: at,
    })
  }),

  /** A transaction in the mempool was sent, even if a crash prevented the record of it. */
  storePending: updateTransactionOn(["transaction.pending"], (data, { at }, purpose) => {
    const gone = withoutBlock(data, purpose, data.transactions[purpose].signed)
    const track = gone.transactions[purpose]
    return withTrack(gone, purpose, { ...track, sentAt: track.sentAt ?? at })
  }),

  /** The chain does not show the transaction in a block (any more). */
  dropBlock: updateTransactionOn(
    ["transaction.stuck", "transaction.unseen", "refund.unsettled", "redeem.unsettled"],
    (data, _event, purpose) => withoutBlock(data, purpose, data.transactions[purpose].signed),
  ),

  storeLateness: updateTransactionOn(
    ["transaction.late"],
    (data, { unsent, reasons = [] }, purpose) => {
      const gone = withoutBlock(data, purpose, data.transactions[purpose].signed)
      const isOnly = unsent === true && purpose === "approve" && !hasEarlierApproval(data)
      return { ...withAlerts(gone, reasons), allowanceCleared: data.allowanceCleared || isOnly }
    },
  ),

  storeExclusion: updateTransactionOn(["transaction.excluded"], storeExclusion),

  /**
   * The wait for the next fee bump starts again; otherwise the order would ask for one immediately,
   * and repeatedly. A transaction that no node took still counts as unsent.
   */
  postponeBump: updateTransactionOn(
    ["transaction.unbumpable"],
    (data, { at, reasons }, purpose) => {
      const track = data.transactions[purpose]
      const waiting = withTrack(data, purpose, {
        ...track,
        sentAt: track.sentAt === null ? null : at,
        waitsSince: track.sentAt === null ? null : at,
      })
      return reasons === undefined
        ? waiting
        : { ...waiting, reasons, alerted: withCodes(data.alerted, reasons) }
    },
  ),

  /**
   * The transaction's block is in doubt. The next observation of the transaction decides, so the
   * record of its fee stays.
   */
  doubtBlock: updateTransactionOn(
    ["deposit.unsettled", "refund.unsettled", "redeem.unsettled", "operator.refunded"],
    (data, event, purpose) => {
      const doubted = unsettle(withoutBlock(data, purpose, []), purpose)
      return "reasons" in event && event.reasons !== undefined
        ? withAlerts(doubted, event.reasons)
        : doubted
    },
  ),

  /**
   * An operator looked at the transaction that vanished from a final block: it is observed and sent
   * as if it had never been mined.
   */
  retryDoubted: updateTransactionOn(["operator.retried"], (data, event, purpose) =>
    unsettle(withoutBlock(recordRetry(data, event), purpose, []), purpose),
  ),

  /**
   * The HTLC has a deposit although each of ours counted as excluded: all of them are observed
   * again.
   */
  reopenAll: updateTransactionOn(["deposit.unsettled"], (data, { reasons }, purpose) => {
    const kept = data.earlierSigned ?? []
    const earlier = kept
      .filter((one) => one.purpose === purpose)
      .map(({ plan, raw, txid }) => ({ plan, raw, txid }))
    const track = data.transactions[purpose]
    const signed = [...earlier, ...track.signed]
    const earlierSigned = kept.filter((one) => one.purpose !== purpose)
    const opened = withTrack({ ...data, earlierSigned }, purpose, {
      ...track,
      signed,
      mined: null,
      settled: false,
    })
    return reasons === undefined ? opened : withAlerts(opened, reasons)
  }),
} as const

function withPlan(data: OrderData, purpose: TransactionPurpose, plan: TransactionPlan): OrderData {
  const track = data.transactions[purpose]
  if (plan.attempt > 0) return withTrack(data, purpose, { ...track, plan })
  // Attempt 0 starts a new transaction: the engine plans one only when the one before is settled.
  // The old bytes are kept: the proof at the order's end asks for each of them.
  const kept = track.signed.map((transaction) => ({ ...transaction, purpose }))
  const earlierSigned = [...(data.earlierSigned ?? []), ...kept]
  return withTrack({ ...data, earlierSigned }, purpose, {
    plan,
    signed: [],
    sentAt: null,
    mined: null,
    settled: false,
  })
}

function withCompanionPlan(
  data: OrderData,
  { purpose, plan }: NonNullable<EventOf<"transaction.planned">["companion"]>,
): OrderData {
  const planned = withPlan(data, purpose, plan)
  if (purpose !== "approve") return planned
  return withTrack(planned, purpose, { ...planned.transactions[purpose], isPaired: true })
}

function withSigned(
  data: OrderData,
  purpose: TransactionPurpose,
  transaction: SignedTransaction,
): OrderData {
  const track = data.transactions[purpose]
  const signed = withTrack(data, purpose, {
    ...track,
    plan: null,
    signed: [...track.signed, transaction],
    waitsSince: null,
    settled: false,
  })
  return purpose === "approve" ? { ...signed, allowanceCleared: false } : signed
}

function withSent(data: OrderData, purpose: TransactionPurpose, at: number): OrderData {
  const track = data.transactions[purpose]
  return withTrack(data, purpose, { ...track, sentAt: at, waitsSince: track.waitsSince ?? at })
}

function storeMined(
  before: OrderData,
  event: EventOf<"transaction.mined">,
  purpose: TransactionPurpose,
): OrderData {
  const data = event.excluded === undefined ? before : withExclusion(before, event.excluded)
  const { txid, ok, height, final, seen = final, feeUnits, heldUnits = 0n, landed, at } = event
  const track = data.transactions[purpose]
  const record = { purpose, txid, ok, height, final, feeUnits, heldUnits }
  const known = {
    ...(ok ? withSuccess(data, event, purpose) : withFailure(data, txid, purpose)),
    networkFeeUnits:
      data.networkFeeUnits + feeOf(data, { ...event, purpose }) + feeOf(data, landed),
    mined: withMined(data, ...(landed ? [landed] : []), record),
    allowanceCleared: data.allowanceCleared || (final && clearsAllowance(data, event, purpose)),
  }
  const mined = ok ? { txid, height, seen, final } : null
  const sentAt = track.sentAt ?? at
  const after = { ...track, sentAt, waitsSince: null, mined, settled: final }
  const others = ok ? track.signed.filter((one) => one.txid !== txid && isMortal(one)) : []
  const whole = withTrack(known, purpose, after)
  return others.length === 0 ? whole : withOutlived(whole, purpose, others, at)
}

function withSuccess(
  data: OrderData,
  event: EventOf<"transaction.mined">,
  purpose: TransactionPurpose,
): OrderData {
  return purpose === "deposit" ? withInitiation(data, event) : data
}

function withFailure(data: OrderData, txid: string, purpose: TransactionPurpose): OrderData {
  return withReason(withoutBlock(data, purpose, []), {
    code: `${purpose}.reverted`,
    message: `The ${purpose} transaction was included but failed on chain`,
    txid,
  })
}

/**
 * A mined revocation ends the allowance, and also a reverted one: it is tried once. A reverted
 * approval never set an allowance. A void ends no allowance but that of the approval whose nonce it
 * uses.
 */
function clearsAllowance(
  data: OrderData,
  { txid, ok }: EventOf<"transaction.mined">,
  purpose: TransactionPurpose,
): boolean {
  if (purpose === "approve") return !ok && !hasEarlierApproval(data)
  if (purpose !== "revoke") return false
  const revocation = data.transactions.revoke.signed.find(
    (transaction) => transaction.txid === txid,
  )
  return revocation?.plan.action !== "void" || !hasEarlierApproval(data)
}

/** A later approval was to replace it, and its allowance may stand. */
function hasEarlierApproval({ earlierSigned = [] }: OrderData): boolean {
  return earlierSigned.some(({ purpose }) => purpose === "approve")
}

function storeExclusion(
  before: OrderData,
  { at, by, landed, excluded, unproven }: EventOf<"transaction.excluded">,
  purpose: TransactionPurpose,
): OrderData {
  const data = excluded === undefined ? before : withExclusion(before, excluded)
  const gone = withExclusion(data, purpose)
  const { signed } = gone.transactions[purpose]
  const over = unproven === true ? withOutlived(gone, purpose, signed, at) : gone
  const counted = {
    ...over,
    replans: data.replans + (purpose === "deposit" ? 1 : 0),
    allowanceCleared: data.allowanceCleared || (purpose === "approve" && !hasEarlierApproval(data)),
    networkFeeUnits: data.networkFeeUnits + feeOf(data, landed),
    mined: landed ? withMined(data, landed) : over.mined,
  }
  return withReason(counted, {
    code: `${purpose}.excluded`,
    message: describeExclusion(purpose, by, unproven),
    by,
  })
}

function describeExclusion(purpose: TransactionPurpose, by: string, unproven?: true): string {
  if (unproven === true)
    return `No block showed the ${purpose} within its time, so another one is planned`
  return by === "expired"
    ? `The time of the ${purpose} is over, so it can never land`
    : `Another transaction used the nonce or input of the ${purpose}, so it can never land`
}

function unsettle(data: OrderData, purpose: TransactionPurpose): OrderData {
  return withTrack(data, purpose, { ...data.transactions[purpose], settled: false })
}
