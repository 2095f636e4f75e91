import {
  type Hex,
  type Transaction,
  TransactionNotFoundError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from "viem"
import type { SignedTransaction } from "#domain/transaction.ts"
import { assert } from "#lib/assert.ts"
import type { EvmClient } from "./rpc.ts"

/** Finds the receipt of a mined transaction; `null` if this node has none. */
export async function findReceipt(client: EvmClient, hash: Hex): Promise<TransactionReceipt | null> {
  try {
    return await client.getTransactionReceipt({ hash })
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return null
    throw error
  }
}

/** Finds a transaction in a block or in this node's mempool, or `null`. */
export async function findTransaction(client: EvmClient, hash: Hex): Promise<Transaction | null> {
  try {
    return await client.getTransaction({ hash })
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return null
    throw error
  }
}

export function hashOf(transaction: SignedTransaction): Hex {
  assert(/^0x[0-9a-f]{64}$/.test(transaction.txid), "a signed EVM transaction has a transaction hash", {
    txid: transaction.txid,
  })
  // CAST: the form was checked on the line above.
  return transaction.txid as Hex
}

/** Counts from 1, even if a node's height lags behind its own receipt. */
export function countConfirmations(head: bigint, height: bigint): number {
  return head < height ? 1 : Number(head - height) + 1
}
