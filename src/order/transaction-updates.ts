import type { SignedTransaction } from "#domain/transaction.ts"
import type { MinedTransaction, OrderData, TransactionPurpose, TransactionTrack } from "./data.ts"
import { feeOf, withMined } from "./mined.ts"
import { type EventOf, updateTransactionOn, withCodes, withInitiation, withReason } from "./update.ts"

/** Data changes of one transaction's life, for the transaction with the purpose that the transition names. */
export const transactionUpdates = {
  storePlan: updateTransactionOn(["transaction.planned"], (data, { plan }, purpose) => {
    // Attempt 0 starts a new transaction: the engine plans one only when the one before is settled.
    const fresh = plan.attempt === 0 ? { signed: [], sentAt: null, mined: null, settled: false } : {}
    return withTrack(data, purpose, { ...data.transactions[purpose], plan, ...fresh })
  }),

  storeSigned: updateTransactionOn(["transaction.signed"], (data, { transaction }, purpose) => {
    const track = data.transactions[purpose]
    const attempts = { plan: null, signed: [...track.signed, transaction], settled: false }
    const signed = withTrack(data, purpose, { ...track, ...attempts })
    return purpose === "approve" ? { ...signed, allowanceCleared: false } : signed
  }),

  storeSent: updateTransactionOn(["transaction.sent"], (data, { at }, purpose) =>
    withTrack(data, purpose, { ...data.transactions[purpose], sentAt: at }),
  ),

  storeMined: updateTransactionOn(["transaction.mined"], storeMined),

  /** A transaction in the mempool was sent, even if a crash prevented the record of it. */
  storePending: updateTransactionOn(["transaction.pending"], (data, { at }, purpose) => {
    const gone = withoutBlock(data, purpose, data.transactions[purpose].signed)
    const track = gone.transactions[purpose]
    return withTrack(gone, purpose, { ...track, sentAt: track.sentAt ?? at })
  }),

  /** The chain does not show the transaction in a block (any more). */
  dropBlock: updateTransactionOn(["transaction.stuck", "transaction.unseen"], (data, _event, purpose) =>
    withoutBlock(data, purpose, data.transactions[purpose].signed),
  ),

  storeLateness: updateTransactionOn(["transaction.late"], (data, { unsent }, purpose) => {
    const gone = withoutBlock(data, purpose, data.transactions[purpose].signed)
    return { ...gone, allowanceCleared: data.allowanceCleared || (unsent === true && purpose === "approve") }
  }),

  storeExclusion: updateTransactionOn(["transaction.excluded"], storeExclusion),

  /** The wait for the next fee bump starts again; otherwise the order would ask for one immediately, and repeatedly. */
  postponeBump: updateTransactionOn(["transaction.unbumpable"], (data, { at, reasons }, purpose) => {
    const waiting = withTrack(data, purpose, { ...data.transactions[purpose], sentAt: at })
    return reasons === undefined ? waiting : { ...waiting, reasons, alerted: withCodes(data.alerted, reasons) }
  }),

  /** The transaction's block is in doubt. The next observation of the transaction decides, so the record of its fee stays. */
  doubtBlock: updateTransactionOn(["deposit.unsettled"], (data, _event, purpose) => withoutBlock(data, purpose, [])),
} as const

function storeMined(data: OrderData, event: EventOf<"transaction.mined">, purpose: TransactionPurpose): OrderData {
  const { txid, ok, height, final, feeUnits, heldUnits = 0n, landed, at } = event
  const track = data.transactions[purpose]
  const record = { purpose, txid, ok, height, final, feeUnits, heldUnits }
  const known = {
    ...(ok ? withSuccess(data, event, purpose) : withFailure(data, txid, purpose)),
    networkFeeUnits: data.networkFeeUnits + feeOf(data, event) + feeOf(data, landed),
    mined: withMined(data, ...(landed ? [landed] : []), record),
    allowanceCleared: data.allowanceCleared || (final && clearsAllowance(purpose, ok)),
  }
  const mined = ok ? { txid, height, final } : null
  return withTrack(known, purpose, { ...track, sentAt: track.sentAt ?? at, mined, settled: final })
}

function withSuccess(data: OrderData, event: EventOf<"transaction.mined">, purpose: TransactionPurpose): OrderData {
  return purpose === "deposit" ? withInitiation(data, event) : data
}

function withFailure(data: OrderData, txid: string, purpose: TransactionPurpose): OrderData {
  return withReason(withoutBlock(data, purpose, []), {
    code: `${purpose}.reverted`,
    message: `The ${purpose} transaction was included but failed on chain`,
    txid,
  })
}

/** A mined revocation ends the allowance, and also a reverted one: it is tried once. A reverted approval never set an allowance. */
function clearsAllowance(purpose: TransactionPurpose, ok: boolean): boolean {
  return purpose === "revoke" || (purpose === "approve" && !ok)
}

function storeExclusion(
  data: OrderData,
  { by, landed }: EventOf<"transaction.excluded">,
  purpose: TransactionPurpose,
): OrderData {
  const gone = withoutBlock(data, purpose, data.transactions[purpose].signed)
  const over = withTrack(gone, purpose, { ...gone.transactions[purpose], settled: true })
  const counted = {
    ...over,
    replans: data.replans + (purpose === "deposit" ? 1 : 0),
    allowanceCleared: data.allowanceCleared || purpose === "approve",
    networkFeeUnits: data.networkFeeUnits + feeOf(data, landed),
    mined: landed ? withMined(data, landed) : over.mined,
  }
  return withReason(counted, {
    code: `${purpose}.excluded`,
    message: `Another transaction used the nonce or input of the ${purpose}, so it can never land`,
    by,
  })
}

/** The chain shows no block with the transaction. The records of the attempts in `signed` are dropped: none of them is in a block now. */
function withoutBlock(data: OrderData, purpose: TransactionPurpose, signed: readonly SignedTransaction[]): OrderData {
  const mined = withoutRecords(data.mined, signed)
  const cleared = withTrack({ ...data, mined }, purpose, { ...data.transactions[purpose], mined: null })
  return purpose === "deposit" ? { ...cleared, seen: { ...cleared.seen, sourceInitiated: null } } : cleared
}

function withoutRecords(
  mined: readonly MinedTransaction[],
  signed: readonly SignedTransaction[],
): readonly MinedTransaction[] {
  return mined.filter(({ txid }) => !signed.some((transaction) => transaction.txid === txid))
}

function withTrack(data: OrderData, purpose: TransactionPurpose, track: TransactionTrack): OrderData {
  return { ...data, transactions: { ...data.transactions, [purpose]: track } }
}
