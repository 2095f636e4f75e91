import { PublicKey, SystemProgram, Transaction } from "@solana/web3.js"
import type { AnswerFields, HostileContext } from "./hostile-context.ts"

const ATTACKER_KEY = new PublicKey("1nc1nerator11111111111111111111111111111111")
const ONE_SOL = 1_000_000_000n

/** Appends a transfer of one SOL to the honest deposit. */
export function addTransfer(response: AnswerFields, { order }: HostileContext): AnswerFields {
  return rewrite(response, (transaction) =>
    transaction.add(transfer(order.source.swap.owner, ONE_SOL)),
  )
}

/** Replaces the deposit by a plain transfer of the order's amount to the attacker. */
export function payInstead(response: AnswerFields, { order }: HostileContext): AnswerFields {
  const { owner, units } = order.source.swap
  return rewrite(response, (transaction) => {
    transaction.instructions = [transfer(owner, BigInt(units))]
    return transaction
  })
}

function transfer(from: string, lamports: bigint) {
  return SystemProgram.transfer({
    fromPubkey: new PublicKey(from),
    toPubkey: ATTACKER_KEY,
    lamports,
  })
}

function rewrite(
  response: AnswerFields,
  change: (transaction: Transaction) => Transaction,
): AnswerFields {
  const honest = Transaction.from(Buffer.from(String(response["versioned_tx"]), "hex"))
  const hostile = new Transaction({
    feePayer: honest.feePayer ?? null,
    recentBlockhash: honest.recentBlockhash ?? ATTACKER_KEY.toBase58(),
  })
  const bytes = change(hostile.add(...honest.instructions)).serialize({
    requireAllSignatures: false,
  })
  return { ...response, versioned_tx: bytes.toString("hex") }
}
