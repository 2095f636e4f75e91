import type { SignedTransaction } from "#domain/transaction.ts"
import type { MinedTransaction, OrderData, TransactionPurpose, TransactionTrack } from "./data.ts"
import type { OutlivedNews } from "./events.ts"
import { withTrack } from "./update.ts"

/**
 * The list of our transactions that a block shows, after these were seen. A listed transaction is
 * replaced by its newer record.
 */
export function withMined(
  { mined, transactions }: OrderData,
  ...landed: readonly MinedTransaction[]
): OrderData["mined"] {
  const resourcesOf = (hash: string): readonly string[] =>
    Object.values(transactions).flatMap(({ signed }) =>
      namesOf(signed.find(({ txid }) => txid === hash)),
    )
  const used = landed.flatMap(({ txid }) => resourcesOf(txid))
  // A transaction with the same nonce or input (another attempt, or a void) excludes this one: an
  // earlier block's record of it no longer holds.
  const others = mined.filter(({ txid }) => {
    const isReplaced = landed.some((ours) => ours.txid === txid)
    return !isReplaced && !resourcesOf(txid).some((resource) => used.includes(resource))
  })
  return [...others, ...landed]
}

/** The nonce or inputs with their chain: a redemption uses another chain's account. */
function namesOf(transaction: SignedTransaction | undefined): readonly string[] {
  return (
    transaction?.plan.resources.map((resource) => `${transaction.plan.chain}/${resource}`) ?? []
  )
}

/**
 * A later look at a transaction that the order went on from before it was final: its block, its
 * fee, and whether it is settled now.
 */
export function withLanded(data: OrderData, landed: MinedTransaction): OrderData {
  const { purpose, txid, ok, height, final } = landed
  const mined = ok ? { txid, height, seen: true, final } : null
  const track = { ...data.transactions[purpose], mined, settled: final }
  return {
    ...data,
    networkFeeUnits: data.networkFeeUnits + feeOf(data, landed),
    mined: withMined(data, landed),
    transactions: { ...data.transactions, [purpose]: track },
  }
}

/**
 * The fee to add to the order's sum: each transaction's fee counts once, when its block is final.
 * The sum is in the source chain's coin, so the fee of a redemption is in the books only.
 */
export function feeOf(
  { mined }: OrderData,
  landed: Pick<MinedTransaction, "purpose" | "txid" | "final" | "feeUnits"> | undefined,
): bigint {
  if (
    landed?.final !== true ||
    landed.purpose === "redeem" ||
    mined.some(({ txid, final }) => txid === landed.txid && final)
  )
    return 0n
  return landed.feeUnits
}

/**
 * The chain shows no block with the transaction. The records of the attempts in `signed` are
 * dropped: none of them is in a block now. The fee of a final record that is dropped is no longer
 * paid. A deposit that a relay made with our signature stays; with no attempts, any deposit is in
 * doubt.
 */
export function withoutBlock(
  data: OrderData,
  purpose: TransactionPurpose,
  signed: readonly SignedTransaction[],
): OrderData {
  const mined = data.mined.filter(
    ({ txid }) => !signed.some((transaction) => transaction.txid === txid),
  )
  const unpaid = data.mined.filter(
    (record) => record.final && record.purpose !== "redeem" && !mined.includes(record),
  )
  const networkFeeUnits = unpaid.reduce((sum, { feeUnits }) => sum - feeUnits, data.networkFeeUnits)
  const cleared = withTrack({ ...data, mined, networkFeeUnits }, purpose, {
    ...data.transactions[purpose],
    mined: null,
    settled: false,
  })
  const { sourceInitiated } = data.seen
  const own = [data.transactions.deposit.mined, ...signed].map((transaction) => transaction?.txid)
  const isGone = data.gasless === null || signed.length === 0 || own.includes(sourceInitiated?.txid)
  return purpose === "deposit" && isGone
    ? { ...cleared, seen: { ...cleared.seen, sourceInitiated: null } }
    : cleared
}

/**
 * A final block shows that another transaction used the nonce or input, so none of the attempts can
 * land.
 */
export function withExclusion(data: OrderData, purpose: TransactionPurpose): OrderData {
  const gone = withoutBlock(data, purpose, data.transactions[purpose].signed)
  return withTrack(gone, purpose, { ...gone.transactions[purpose], settled: true })
}

/**
 * These attempts leave their track, by the time alone or for one that succeeded: each may still
 * land and cost its fee, so it is observed until that is known.
 */
export function withOutlived(
  data: OrderData,
  purpose: TransactionPurpose,
  outlived: readonly SignedTransaction[],
  at: number,
): OrderData {
  const track = data.transactions[purpose]
  const left = track.signed.filter((transaction) => !outlived.includes(transaction))
  const open = outlived.map((transaction) => ({ ...transaction, purpose, openSince: at }))
  const earlierSigned = [...(data.earlierSigned ?? []), ...open]
  return withTrack({ ...data, earlierSigned }, purpose, { ...track, signed: left })
}

/** An outlived transaction is observed by itself until its final block, which is recorded then. */
export function isFollowed(
  { mined }: OrderData,
  { txid, openSince }: OrderData["earlierSigned"][number],
): boolean {
  return openSince !== undefined || mined.some((one) => one.txid === txid && one.final)
}

/** Books the block of an outlived transaction, or drops the record of a block that vanished. */
export function withOutlivedNews(
  data: OrderData,
  { txid, landed, isOver }: OutlivedNews,
): OrderData {
  const mined =
    landed === null ? data.mined.filter((one) => one.txid !== txid) : withMined(data, landed)
  const earlierSigned = data.earlierSigned.map(({ openSince, ...one }) =>
    openSince === undefined || (isOver && one.txid === txid) ? one : { ...one, openSince },
  )
  const networkFeeUnits = data.networkFeeUnits + feeOf(data, landed ?? undefined)
  return { ...data, networkFeeUnits, mined, earlierSigned }
}

/**
 * The void of the approval may have landed, and its fee is not known yet: the deposit used the
 * allowance of another order, so the approval was not needed. An approval in a block has the nonce.
 */
export function isApprovalVoidOpen({ approve, revoke }: OrderData["transactions"]): boolean {
  const { signed, mined, settled } = revoke
  const isVoid = signed.at(-1)?.plan.action === "void"
  return isVoid && approve.mined === null && mined?.final !== true && settled !== true
}

/**
 * The order went on without knowing whether its approval landed: its deposit was sent with it, or a
 * reorganisation removed the block, and the relay or the contract found an allowance all the same.
 * Its fee is not known yet.
 */
export function isApprovalOpen({
  signed,
  sentAt,
  mined,
  settled,
  isPaired,
}: TransactionTrack): boolean {
  return (
    signed.length > 0 &&
    (sentAt !== null || isPaired === true) &&
    mined === null &&
    settled !== true
  )
}
