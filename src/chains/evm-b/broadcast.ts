import { type Hex, isHex } from "viem"
import type { SignedMove } from "#domain/move.ts"
import { AppError, toAppError } from "#lib/app-error.ts"
import { assert } from "#lib/assert.ts"
import { type Client, nullWhenMissing, type Rpc } from "./rpc.ts"

/**
 * Sends the stored bytes to every endpoint at once; one that takes them, or has them already, is enough.
 *
 * A node's refusal proves nothing about the other nodes or about later, so everything else is `evm.broadcast_uncertain`.
 */
export async function broadcast(move: SignedMove, rpc: Rpc): Promise<void> {
  const { raw, txid } = move
  assert(isHex(raw) && isHex(txid), "signed bytes are hex", { txid })
  const outcomes = await rpc.callEach((client) => sendTo(client, raw))
  if (outcomes.some(({ status }) => status === "fulfilled")) return
  const failures = outcomes.flatMap((one) => (one.status === "rejected" ? [toFailure(one.reason)] : []))
  if (failures.some(isAlreadyKnown)) return
  if (failures.some(isNonceTooLow) && (await isMined(rpc, txid))) return
  const reason = failures.map(({ message }) => message).join(" | ")
  throw new AppError({
    code: "evm.broadcast_uncertain",
    disposition: "uncertain",
    message: `no node took the transaction (${reason}); observe it before anything else is done`,
    details: { txid, reason },
    cause: failures[0],
  })
}

function sendTo(client: Client, serializedTransaction: Hex): Promise<Hex> {
  return client.sendRawTransaction({ serializedTransaction })
}

function toFailure(error: unknown): AppError {
  return toAppError(error, { code: "evm.broadcast", disposition: "uncertain" })
}

/** geth and reth "already known", Nethermind "AlreadyKnown", anvil and others "already imported", Besu "Known transaction". */
function isAlreadyKnown({ details }: AppError): boolean {
  return /already ?known|already imported|known transaction/i.test(String(details["rpcMessage"]))
}

function isNonceTooLow({ details }: AppError): boolean {
  return /nonce.*too low|nonce is too low|OldNonce/i.test(String(details["rpcMessage"]))
}

/** The nonce may be used up by these very bytes. */
async function isMined(rpc: Rpc, hash: Hex): Promise<boolean> {
  const answers = await rpc.readEach((client) => nullWhenMissing(client.getTransactionReceipt({ hash })))
  return answers.some((one) => one.status === "fulfilled" && one.value !== null)
}
