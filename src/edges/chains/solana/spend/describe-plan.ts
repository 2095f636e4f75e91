import { TransactionMessage, VersionedMessage } from "@solana/web3.js"
import type { TransactionPlan } from "#domain/transaction.ts"

/** The instructions of an unsigned transaction, and the message to sign in base64. Pure. */
export function describeSolanaPlan({ unsigned }: TransactionPlan): Record<string, unknown> {
  const message = VersionedMessage.deserialize(Buffer.from(unsigned, "base64"))
  const { payerKey, recentBlockhash, instructions } = TransactionMessage.decompile(message)
  return {
    feePayer: payerKey.toBase58(),
    blockhash: recentBlockhash,
    instructions: instructions.map(({ programId, keys, data }) => ({
      program: programId.toBase58(),
      accounts: keys.map(({ pubkey, isSigner, isWritable }) =>
        [
          pubkey.toBase58(),
          ...(isSigner ? ["signer"] : []),
          ...(isWritable ? ["writable"] : []),
        ].join(" "),
      ),
      data: Buffer.from(data).toString("hex"),
    })),
    message: unsigned,
  }
}
