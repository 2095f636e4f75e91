import type { TransactionPlan } from "#domain/transaction.ts"
import { mustExist } from "#lib/assert.ts"
import { readTransaction } from "../legs/read-transaction.ts"

/** The instructions of an unsigned transaction, and the message to sign in base64. Pure. */
export function describeSolanaPlan({ unsigned }: TransactionPlan): Record<string, unknown> {
  const read = readTransaction.fromMessage(Buffer.from(unsigned, "base64"))
  const { message, instructions } = mustExist(read, "the message of a plan of ours")
  return {
    feePayer: message.staticAccountKeys[0]?.toBase58(),
    blockhash: message.recentBlockhash,
    instructions: instructions.map(({ program, accounts, data }) => ({
      program: program.address,
      accounts: accounts.map(({ address, lookup, signer, writable }) =>
        [
          address ?? `${lookup?.table}[${lookup?.index}]`,
          ...(signer ? ["signer"] : []),
          ...(writable ? ["writable"] : []),
        ].join(" "),
      ),
      data: Buffer.from(data).toString("hex"),
    })),
    message: unsigned,
  }
}
