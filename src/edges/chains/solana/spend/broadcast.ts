import { z } from "zod"
import type { SignedTransaction } from "#domain/transaction.ts"
import { AppError, toAppError } from "#lib/app-error.ts"
import { says } from "#nodes/node-words.ts"
import type { Commitment } from "../node.ts"
import type { Rpc } from "../rpc.ts"

/**
 * Sends the stored bytes to all endpoints in parallel. Succeeds if one endpoint accepts the
 * transaction or already knows it.
 *
 * The node's dry run stays on: a node does not send a transaction that fails in it, and it names
 * the reason. Such a failure proves nothing about other nodes or a later time, so every failure is
 * `solana.broadcast_uncertain` (uncertain). The exception is a signature or a form that every node
 * rejects as invalid: `solana.invalid_transaction` (refused).
 */
export async function broadcast(
  transaction: SignedTransaction,
  rpc: Rpc,
  commitment: Commitment,
): Promise<void> {
  const options = { encoding: "base64", preflightCommitment: commitment, maxRetries: 0 }
  const params = [transaction.raw, options]
  const failures = await Promise.all(rpc.endpoints.map((endpoint) => sendTo(endpoint, params)))
  if (failures.includes(null)) return
  const errors = failures.filter((failure) => failure !== null)
  const never = errors.length > 0 && errors.every(isNeverValid)
  const reason = errors.map((error) => String(error.details["found"] ?? error.message)).join(" | ")
  throw new AppError({
    code: never ? "solana.invalid_transaction" : "solana.broadcast_uncertain",
    disposition: never ? "refused" : "uncertain",
    message: never
      ? `no node accepts the transaction as valid (${reason}); it cannot land; plan a new ` +
        "transaction"
      : `no node accepted the transaction (${reason}); observe it before the next step`,
    details: { txid: transaction.txid, reason },
    cause: errors[0],
  })
}

/** Returns `null` if the endpoint has the transaction. */
async function sendTo(
  { write }: Rpc["endpoints"][number],
  params: readonly unknown[],
): Promise<AppError | null> {
  try {
    await write("sendTransaction", params, z.unknown())
    return null
  } catch (error) {
    const failure = toAppError(error, { code: "solana.broadcast", disposition: "uncertain" })
    return says(failure, "known") ? null : failure
  }
}

/** -32003: signature verification failed. -32602: not a transaction, or too large. */
function isNeverValid(failure: AppError): boolean {
  const { rpcCode } = failure.details
  return rpcCode === -32003 || rpcCode === -32602
}
