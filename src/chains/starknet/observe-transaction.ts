import { z } from "zod"
import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { formatFelt } from "./felt.ts"
import { feltSchema, fetchBlockNumber, fetchNonce } from "./read-chain.ts"
import { type Answer, RPC_CODES, rpcCodeOf } from "./rpc.ts"
import type { Wallet } from "./wallet.ts"

/**
 * Reports the state of one of our signed transactions: in a block, in the mempool, or unseen. `excluded` needs proof:
 * the account's nonce is past ours, and every endpoint says that it does not know the hash. The function reads the
 * nonce first, so that it finds a transaction that is mined between the reads and does not exclude it.
 */
export async function observeStarknetTransaction(
  wallet: Wallet,
  transaction: SignedTransaction,
): Promise<TransactionObservation> {
  const nonce = nonceOf(transaction)
  const nonceUsed = (await fetchNonce(wallet.rpc, wallet.accountFelt)) > nonce
  const answers = await wallet.rpc.askEach("starknet_getTransactionStatus", [transaction.txid], statusSchema)
  const statuses = answers.flatMap((answer) => (answer.ok ? [answer.value.finality_status] : []))
  if (statuses.some((status) => ACCEPTED.includes(status))) return readMined(wallet, transaction.txid)
  if (statuses.some((status) => status !== "REJECTED")) return { status: "pending" }
  // The remaining answers are "not found", "rejected" or errors.
  const missing = answers.filter(isMissing).length
  if (!nonceUsed && missing > 0) return { status: "unseen" }
  const failed = answers.find((answer) => !isMissing(answer))
  if (failed && !failed.ok) throw asTransient(failed.error)
  return { status: "excluded", by: `nonce:${nonce}`, final: await isNonceUsedDeep(wallet, nonce) }
}

export const receiptSchema = z.object({
  execution_status: z.enum(["SUCCEEDED", "REVERTED"]),
  actual_fee: z.object({ amount: feltSchema }),
  // Absent while the block is pre-confirmed.
  block_hash: z.string().optional(),
  block_number: z.int().nonnegative().optional(),
  events: z.array(
    z
      .object({ from_address: feltSchema, keys: z.array(feltSchema), data: z.array(feltSchema) })
      .transform(({ from_address, keys, data }) => ({ from: from_address, keys, data })),
  ),
})

const statusSchema = z.object({ finality_status: z.string() })
const ACCEPTED: readonly string[] = ["ACCEPTED_ON_L2", "ACCEPTED_ON_L1"]

function nonceOf(transaction: SignedTransaction): bigint {
  return BigInt(z.object({ nonce: z.string() }).parse(JSON.parse(transaction.raw)).nonce)
}

function isMissing(answer: Answer<unknown>): boolean {
  return answer.ok || rpcCodeOf(answer.error) === RPC_CODES.transactionNotFound
}

async function readMined(wallet: Wallet, txid: string): Promise<TransactionObservation> {
  const receipt = await wallet.rpc.read("starknet_getTransactionReceipt", [txid], receiptSchema)
  if (receipt.block_number === undefined || receipt.block_hash === undefined) return { status: "pending" }
  const height = BigInt(receipt.block_number)
  const confirmations = countConfirmations(await fetchBlockNumber(wallet.rpc), height)
  return {
    status: "mined",
    ok: receipt.execution_status === "SUCCEEDED",
    height,
    confirmations,
    final: confirmations >= wallet.confirmations,
    feeUnits: receipt.actual_fee.amount,
  }
}

/** Counts from 1, even if an endpoint lags behind the one with the receipt. */
export function countConfirmations(head: bigint, height: bigint): number {
  return head < height ? 1 : Number(head - height) + 1
}

/** Whether the account had used the nonce `confirmations` blocks ago. */
async function isNonceUsedDeep(wallet: Wallet, nonce: bigint): Promise<boolean> {
  const depth = (await fetchBlockNumber(wallet.rpc)) - BigInt(wallet.confirmations) + 1n
  if (depth < 0n) return false
  const params = [{ block_number: Number(depth) }, formatFelt(wallet.accountFelt)]
  return (await wallet.rpc.read("starknet_getNonce", params, feltSchema)) > nonce
}

function asTransient(error: AppError): AppError {
  if (error.disposition === "transient") return error
  return new AppError({
    code: error.code,
    disposition: error.disposition === "fatal" ? "fatal" : "transient",
    message: error.message,
    details: error.details,
    cause: error,
  })
}
