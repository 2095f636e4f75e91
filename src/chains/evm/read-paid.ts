import { type Address, parseEventLogs, type TransactionReceipt } from "viem"
import type { LegQuery } from "../port.ts"
import { type HtlcLog, readHtlcLogs } from "./find-logs.ts"
import { readAddress, sameAddress, tokenAbi } from "./htlc.ts"
import type { KnownOrder } from "./identify-order.ts"
import { findReceipt } from "./read-transaction.ts"
import type { EvmClient } from "./rpc.ts"
import { requireAsset, tokenOf, type Wallet } from "./wallet.ts"

/**
 * What `query.owner` received by a redemption or refund; `null` when that cannot be read, never zero instead.
 *
 * A token's `Transfer` events tell it. Native funds leave no event: who must be paid is known from the order's terms, else from
 * the change of the owner's balance over that block.
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
  const mine = settlements.length === 1 ? payments : pairUp(payments, settlements, log)
  if (mine === null) return null
  return mine.filter(({ to }) => to === owner).reduce((sum, { units }) => sum + units, 0n)
}

type Payment = { readonly to: Address; readonly units: bigint }

function listPayments(receipt: TransactionReceipt, token: Address, htlc: Address): readonly Payment[] {
  return parseEventLogs({ abi: tokenAbi, eventName: "Transfer", logs: receipt.logs })
    .filter(({ address, args }) => sameAddress(address, token) && sameAddress(args.from, htlc))
    .map(({ args }) => ({ to: args.to, units: args.value }))
}

/**
 * Several orders settled in one transaction: each settlement makes one payment, in the same order, whether the contract pays before or after
 * its event. Adding them up would let one order pass for another's payment.
 */
function pairUp(
  payments: readonly Payment[],
  settlements: readonly HtlcLog[],
  log: HtlcLog,
): readonly Payment[] | null {
  const at = settlements.findIndex(({ index }) => index === log.index)
  const mine = payments[at]
  return payments.length === settlements.length && mine !== undefined ? [mine] : null
}

/** `null` when the node does not keep those states, and when the owner spent in the same block. */
async function readBalanceChange(client: EvmClient, address: Address, height: bigint): Promise<bigint | null> {
  const read = (blockNumber: bigint): Promise<bigint | null> =>
    // An old state that cannot be read is an answer of its own here: nothing is known of the payment.
    client.getBalance({ address, blockNumber }).catch(() => null)
  const [before, after] = await Promise.all([read(height - 1n), read(height)])
  return before === null || after === null || after < before ? null : after - before
}
