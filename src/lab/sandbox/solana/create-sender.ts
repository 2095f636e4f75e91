import { setTimeout as sleep } from "node:timers/promises"
import {
  ComputeBudgetProgram,
  type Connection,
  type Keypair,
  type PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from "@solana/web3.js"

const SEND_TIMEOUT_MS = 15_000

export type Sender = {
  transfer(from: Keypair, to: PublicKey, lamports: bigint): Promise<string>
  /**
   * The first signer pays. Resolves when the transaction is in a confirmed block. Rejects with the
   * program's reason if it fails.
   */
  send(
    signers: readonly Keypair[],
    instructions: readonly TransactionInstruction[],
  ): Promise<string>
  /** The same for a signed, serialized transaction. */
  submit(transaction: Uint8Array): Promise<string>
}

export function createSender(connection: Connection, slotTimeMs: number): Sender {
  let sent = 0
  const submit: Sender["submit"] = async (transaction) => {
    const options = { maxRetries: 0, preflightCommitment: "confirmed" } as const
    const signature = await connection.sendRawTransaction(transaction, options)
    await waitUntilConfirmed(connection, signature, slotTimeMs)
    return signature
  }
  const send: Sender["send"] = async (signers, instructions) => {
    const { blockhash } = await connection.getLatestBlockhash("confirmed")
    const [payer] = signers
    const transaction = new Transaction({
      feePayer: payer?.publicKey ?? null,
      recentBlockhash: blockhash,
    })
    // Two equal transfers with the same blockhash would be the same transaction. A different
    // compute unit limit makes them distinct.
    sent += 1
    transaction.add(
      ComputeBudgetProgram.setComputeUnitLimit({ units: 200_000 + (sent % 10_000) }),
      ...instructions,
    )
    transaction.sign(...signers)
    return submit(transaction.serialize())
  }
  const transfer: Sender["transfer"] = (from, to, lamports) =>
    send([from], [SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports })])
  return { send, submit, transfer }
}

async function waitUntilConfirmed(
  connection: Connection,
  signature: string,
  slotTimeMs: number,
): Promise<void> {
  const until = Date.now() + SEND_TIMEOUT_MS
  while (Date.now() < until) {
    const { value } = await connection.getSignatureStatuses([signature])
    const status = value[0]
    if (status?.err)
      throw new Error(`transaction ${signature} failed: ${JSON.stringify(status.err)}`)
    if (status?.confirmationStatus === "confirmed" || status?.confirmationStatus === "finalized")
      return
    await sleep(Math.min(slotTimeMs, 100))
  }
  throw new Error(`transaction ${signature} was not confirmed within ${SEND_TIMEOUT_MS} ms`)
}
