import {
  ComputeBudgetProgram,
  type Connection,
  type Keypair,
  Transaction,
  type TransactionInstruction,
} from "@solana/web3.js"

/** Signs and sends one transaction, and returns its signature once it is confirmed. */
export async function send(
  connection: Connection,
  signers: readonly Keypair[],
  instructions: readonly TransactionInstruction[],
): Promise<string> {
  const { blockhash } = await connection.getLatestBlockhash("confirmed")
  const transaction = new Transaction({
    feePayer: signers[0]?.publicKey ?? null,
    recentBlockhash: blockhash,
  })
  // A limit of its own makes equal instructions another transaction.
  const units = 300_000 + Math.floor(Math.random() * 10_000)
  transaction.add(ComputeBudgetProgram.setComputeUnitLimit({ units }), ...instructions)
  transaction.sign(...signers)
  const signature = await connection.sendRawTransaction(transaction.serialize(), {
    preflightCommitment: "confirmed",
  })
  for (let tries = 0; tries < 300; tries++) {
    const status = (await connection.getSignatureStatuses([signature])).value[0]
    if (status?.err) throw new Error(JSON.stringify(status.err))
    if (status?.confirmationStatus === "confirmed" || status?.confirmationStatus === "finalized")
      return signature
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error("not confirmed")
}
