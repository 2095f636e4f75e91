import { type Address, parseEventLogs, type TransactionReceipt } from "viem"
import type { LegQuery } from "../port.ts"

import { readAddress, sameAddress, tokenAbi } from "./htlc.ts"
import type { KnownOrder } from "./identify-order.ts"
import { type HtlcLog, readHtlcLogs } from "./read-htlc-logs.ts"
import { findReceipt } from "./read-transaction.ts"
import type { EvmClient } from "./rpc.ts"
import { requireAsset, tokenOf, type Wallet } from "./wallet.ts"

/**
 * Reads the amount (smallest unit) that `query.owner` received by a redeem or refund; `null`, never 0, if it cannot be
 * read.
 *
 * For a token, its `Transfer` events show the amount. Native funds leave no event: the order's terms name the payee, or
 * else the owner's balance change over that block gives the amount.
 */
export async function readPaid(paying: Paying, log: HtlcLog): Promise<bigint | null> {
  const owner = readAddress(paying.query.owner)
  if (owner === null) return null
  const token = tokenOf(requireAsset(paying.wallet, paying.query.asset))
  if (token !== null) return readTransfers(paying, log, token, owner)
  const payee = log.name === "Refunded" ? paying.order.initiator : paying.order.redeemer
  if (payee !== null) return payee === owner ? paying.order.units : 0n
  return readBalanceChange(paying.client, owner, log.height)
}

export type Paying = {
  readonly client: EvmClient
  readonly wallet: Wallet
  readonly query: LegQuery
  readonly order: KnownOrder
}

async function readTransfers({ client }: Paying, log: HtlcLog, token: Address, owner: Address): Promise<bigint | null> {
  const receipt = await findReceipt(client, log.txid)
  if (receipt === null) return null
  const payments = listPayments(receipt, token, log.htlc)
  const settlements = readHtlcLogs(receipt.logs, [log.htlc]).filter(({ name }) => name !== "Initiated")
  const paid = settlements.length === 1 ? payments : pairUp(payments, settlements, log)
  if (paid === null) return null
  return paid.filter(({ to }) => to === owner).reduce((sum, { units }) => sum + units, 0n)
}

type Payment = { readonly to: Address; readonly units: bigint }

function listPayments(receipt: TransactionReceipt, token: Address, htlc: Address): readonly Payment[] {
  return parseEventLogs({ abi: tokenAbi, eventName: "Transfer", logs: receipt.logs })
    .filter(({ address, args }) => sameAddress(address, token) && sameAddress(args.from, htlc))
    .map(({ args }) => ({ to: args.to, units: args.value }))
}

/**
 * Several orders may settle in one transaction: each settlement makes one payment, in the same order, no matter if the
 * contract pays before or after its event. A sum of all payments would credit one order with another's payment.
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

/** Returns `null` if the node does not keep those states, or if the owner spent in the same block. */
async function readBalanceChange(client: EvmClient, address: Address, height: bigint): Promise<bigint | null> {
  const read = (blockNumber: bigint): Promise<bigint | null> =>
    // A node may lack an old state; then the payment is unknown (`null`).
    client.getBalance({ address, blockNumber }).catch(() => null)
  const [before, after] = await Promise.all([read(height - 1n), read(height)])
  return before === null || after === null || after < before ? null : after - before
}
