import {
  type Hex,
  isAddressEqual,
  keccak256,
  recoverTransactionAddress,
  serializeTransaction,
  type Transaction,
  TransactionNotFoundError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type TransactionSerializable,
} from "viem"
import type { SignedTransaction } from "#domain/transaction.ts"
import { assert } from "#lib/assert.ts"
import type { EvmClient } from "../nodes/endpoint.ts"

/**
 * Finds the receipt of a mined transaction; `null` if this node has none, or gives another
 * transaction's.
 */
export async function findReceipt(
  client: EvmClient,
  hash: Hex,
): Promise<TransactionReceipt | null> {
  try {
    const receipt = await client.getTransactionReceipt({ hash })
    return receipt.transactionHash.toLowerCase() === hash ? receipt : null
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

/**
 * The signer of a fetched transaction, recovered from its signature. `null` unless its fields give
 * exactly its hash: so no endpoint can change the nonce of a real transaction, or invent a
 * transaction of our key.
 */
async function proveSigner(transaction: Transaction): Promise<Hex | null> {
  try {
    const { r, s, v, yParity, type } = transaction
    // CAST: a fetched transaction has the fields of the one that was signed; the hash below decides
    // whether it has them all.
    const unsigned = {
      ...transaction,
      data: transaction.input,
      type,
    } as unknown as TransactionSerializable
    const signature = type === "legacy" ? { r, s, v } : { r, s, yParity: yParity ?? Number(v) }
    // CAST: the same serialisation with its signature; the hash decides.
    const serialized = serializeTransaction(
      unsigned,
      signature as Parameters<typeof serializeTransaction>[1],
    )
    if (keccak256(serialized) !== transaction.hash) return null
    // CAST: one of viem's own types.
    return await recoverTransactionAddress({ serializedTransaction: serialized as never })
  } catch {
    return null // A type that viem cannot serialise proves nothing.
  }
}

/** Did our account sign this transaction with this nonce? Recomputed from its fields. */
export async function isSignedWith(
  transaction: Transaction,
  account: Hex,
  nonce: number,
): Promise<boolean> {
  if (transaction.nonce !== nonce || !isAddressEqual(transaction.from, account)) return false
  const signer = await proveSigner(transaction)
  return signer !== null && isAddressEqual(signer, account)
}

export function hashOf(transaction: Pick<SignedTransaction, "txid">): Hex {
  assert(
    /^0x[0-9a-f]{64}$/.test(transaction.txid),
    "a signed EVM transaction has a transaction hash",
    {
      txid: transaction.txid,
    },
  )
  // CAST: the form was checked on the line above.
  return transaction.txid as Hex
}

/** Counts from 1, even if a node's height lags behind its own receipt. */
export function countConfirmations(head: bigint, height: bigint): number {
  return head < height ? 1 : Number(head - height) + 1
}
