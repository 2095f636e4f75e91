import type { MinedTransaction, OrderData } from "./data.ts"

/** The list of our transactions that a block shows, after these were seen. A listed transaction is replaced by its newer record. */
export function withMined(
  { mined, transactions }: OrderData,
  ...landed: readonly MinedTransaction[]
): OrderData["mined"] {
  const resourcesOf = (hash: string): readonly string[] =>
    Object.values(transactions).flatMap(
      ({ signed }) => signed.find((transaction) => transaction.txid === hash)?.plan.resources ?? [],
    )
  const used = landed.flatMap(({ txid }) => resourcesOf(txid))
  // A transaction with the same nonce or input (another attempt, or a void) excludes this one: an earlier block's record of it no longer holds.
  const others = mined.filter(({ txid }) => {
    const isReplaced = landed.some((ours) => ours.txid === txid)
    return !isReplaced && !resourcesOf(txid).some((resource) => used.includes(resource))
  })
  return [...others, ...landed]
}

/** A later look at a transaction that the order went on from before it was final: its block, its fee, and whether it is settled now. */
export function withLanded(data: OrderData, landed: MinedTransaction): OrderData {
  const { purpose, txid, height, final } = landed
  const track = { ...data.transactions[purpose], mined: { txid, height, seen: true, final }, settled: final }
  return {
    ...data,
    networkFeeUnits: data.networkFeeUnits + feeOf(data, landed),
    mined: withMined(data, landed),
    transactions: { ...data.transactions, [purpose]: track },
  }
}

/** The fee to add to the order's sum: each transaction's fee counts once, when its block is final. */
export function feeOf(
  { mined }: OrderData,
  landed: Pick<MinedTransaction, "txid" | "final" | "feeUnits"> | undefined,
): bigint {
  if (landed?.final !== true || mined.some(({ txid, final }) => txid === landed.txid && final)) return 0n
  return landed.feeUnits
}
