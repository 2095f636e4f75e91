import { type Address, parseEventLogs, type TransactionReceipt } from "viem"
import { AppError } from "#lib/app-error.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import { readAddress, sameAddress, tokenAbi } from "../htlc.ts"
import type { At } from "../rpc.ts"
import { requireAsset, tokenOf, type Wallet } from "../wallet.ts"
import type { HintedReceipts } from "./hinted-receipts.ts"
import type { KnownOrder } from "./identify-order.ts"
import { type HtlcLog, readHtlcLogs } from "./read-htlc-logs.ts"
import { findReceipt } from "./read-transaction.ts"

/**
 * Reads the amount (smallest unit) that `query.owner` received by a redeem or refund; `null`, never
 * 0, if it cannot be read.
 *
 * For a token, its `Transfer` events show the amount. Native funds leave no event: the order's
 * terms name the payee, or else the owner's balance change over that block gives the amount.
 */
export async function readPaid(paying: Paying, log: HtlcLog): Promise<bigint | null> {
  const owner = readAddress(paying.query.owner)
  if (owner === null) return null
  const token = tokenOf(requireAsset(paying.wallet, paying.query.asset))
  if (token !== null) return readTransfers(paying, log, token, owner)
  const payee = log.name === "Refunded" ? paying.order.initiator : paying.order.redeemer
  if (payee !== null) return payee === owner ? paying.order.units : 0n
  return readBalanceChange(paying, owner, log.height)
}

export type Paying = {
  readonly at: At
  readonly wallet: Wallet
  readonly query: LegQuery
  readonly order: Pick<KnownOrder, "units" | "initiator" | "redeemer">
  readonly hints: Pick<HintedReceipts, "find">
}

async function readTransfers(
  { at, wallet, hints }: Paying,
  log: HtlcLog,
  token: Address,
  owner: Address,
): Promise<bigint | null> {
  const hinted = hints.find(at, log.txid)
  const isHere = hinted?.blockHash.toLowerCase() === log.blockHash.toLowerCase()
  const receipt = isHere ? hinted : await findReceipt(at.client, log.txid)
  // A receipt of another block belongs to another backend, or to a block that a reorganisation
  // removed.
  if (receipt === null || receipt.blockHash.toLowerCase() !== log.blockHash.toLowerCase())
    return unknown(wallet, log)
  const payments = listPayments(receipt, token, log.htlc)
  const settlements = readHtlcLogs(receipt.logs, [log.htlc]).filter(
    ({ name }) => name !== "Initiated",
  )
  const paid = settlements.length === 1 ? payments : pairUp(payments, settlements, log)
  if (paid === null) return null
  return paid.filter(({ to }) => to === owner).reduce((sum, { units }) => sum + units, 0n)
}

/**
 * One of several endpoints without the receipt gives no answer, because the others may know the
 * amount.
 */
function unknown({ rpc }: Paying["wallet"], { txid, height }: HtlcLog): null {
  if (rpc.nodes.length === 1) return null
  throw new AppError({
    code: "evm.logs_missing",
    disposition: "transient",
    message:
      "The EVM endpoint shows an event and lacks its receipt; its backends differ, or it has " +
      "pruned it",
    details: { txid, height },
  })
}

type Payment = { readonly to: Address; readonly units: bigint }

function listPayments(
  receipt: TransactionReceipt,
  token: Address,
  htlc: Address,
): readonly Payment[] {
  return parseEventLogs({ abi: tokenAbi, eventName: "Transfer", logs: receipt.logs })
    .filter(({ address, args }) => sameAddress(address, token) && sameAddress(args.from, htlc))
    .map(({ args }) => ({ to: args.to, units: args.value }))
}

/**
 * Several orders may settle in one transaction: each settlement makes one payment, in the same
 * order, no matter if the contract pays before or after its event. A sum of all payments would
 * credit one order with another's payment.
 */
function pairUp(
  payments: readonly Payment[],
  settlements: readonly HtlcLog[],
  log: HtlcLog,
): readonly Payment[] | null {
  const at = settlements.findIndex(({ index }) => index === log.index)
  const payment = payments[at]
  return payments.length === settlements.length && payment !== undefined ? [payment] : null
}

/**
 * Returns `null` if the owner spent in the same block, or if the only endpoint does not keep those
 * states. One of several endpoints without them gives no answer instead, because the others may
 * know the amount.
 */
async function readBalanceChange(
  { at, wallet }: Paying,
  address: Address,
  height: bigint,
): Promise<bigint | null> {
  const read = async (blockNumber: bigint): Promise<bigint | null> => {
    try {
      return await at.client.getBalance({ address, blockNumber })
    } catch (error) {
      if (wallet.rpc.nodes.length > 1) throw error
      return null // The payment is unknown.
    }
  }
  const [before, after] = await Promise.all([read(height - 1n), read(height)])
  return before === null || after === null || after < before ? null : after - before
}
