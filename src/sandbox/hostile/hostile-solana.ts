import { PublicKey, SystemProgram, Transaction } from "@solana/web3.js"
import type { Response, Scene } from "./hostile-modes.ts"

const THIEF = new PublicKey("1nc1nerator11111111111111111111111111111111")
const ONE_SOL = 1_000_000_000n

/** The honest deposit and, behind it, a transfer of one SOL. */
export function addTransfer(response: Response, { order }: Scene): Response {
  return rewrite(response, (transaction) => transaction.add(transfer(order.source.swap.owner, ONE_SOL)))
}

/** A plain transfer of the order's amount in the place of the deposit. */
export function payInstead(response: Response, { order }: Scene): Response {
  const { owner, units } = order.source.swap
  return rewrite(response, (transaction) => {
    transaction.instructions = [transfer(owner, BigInt(units))]
    return transaction
  })
}

function transfer(from: string, lamports: bigint) {
  return SystemProgram.transfer({ fromPubkey: new PublicKey(from), toPubkey: THIEF, lamports })
}

function rewrite(response: Response, change: (transaction: Transaction) => Transaction): Response {
  const honest = Transaction.from(Buffer.from(String(response["versioned_tx"]), "hex"))
  const hostile = new Transaction({
    feePayer: honest.feePayer ?? null,
    recentBlockhash: honest.recentBlockhash ?? THIEF.toBase58(),
  })
  const bytes = change(hostile.add(...honest.instructions)).serialize({ requireAllSignatures: false })
  return { ...response, versioned_tx: bytes.toString("hex") }
}
