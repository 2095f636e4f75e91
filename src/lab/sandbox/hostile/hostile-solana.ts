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

/** Appends the same transfer to the relay's transaction; the user's own one stays honest. */
export function addRelayedTransfer(
  response: AnswerFields,
  { order }: HostileContext,
): AnswerFields {
  const served = response["versioned_tx_gasless"]
  if (typeof served !== "string") return response
  const honest = Transaction.from(Buffer.from(served, "base64"))
  const hostile = copy(honest).add(transfer(order.source.swap.owner, ONE_SOL))
  return { ...response, versioned_tx_gasless: serialize(hostile).toString("base64") }
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
  return { ...response, versioned_tx: serialize(change(copy(honest))).toString("hex") }
}

function copy(honest: Transaction): Transaction {
  const { feePayer = null, recentBlockhash = ATTACKER_KEY.toBase58() } = honest
  return new Transaction({ feePayer, recentBlockhash }).add(...honest.instructions)
}

function serialize(transaction: Transaction): Buffer {
  return transaction.serialize({ requireAllSignatures: false })
}
