import { base58 } from "@scure/base"
import { Keypair, VersionedMessage, VersionedTransaction } from "@solana/web3.js"
import { z } from "zod"
import type { SignedTransaction, TransactionPlan } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { present } from "#lib/assert.ts"
import type { Secret } from "#lib/secret.ts"
import { checkPlan } from "./check-plan.ts"
import { readBase58 } from "./read-base58.ts"
import type { Wallet } from "./wallet.ts"

/**
 * The one door to the key, and only plans that `checkPlan` lets through reach it.
 *
 * Ed25519 signatures are deterministic (RFC 8032): the same plan gives the same bytes, and its first signature is the transaction id.
 * The secret is base 58 of 64 bytes (as wallets export it) or a JSON array of 64 numbers (as the command-line tools write it). Throws
 * `config.solana_key` (fatal) for anything else.
 */
export function createSigner(key: Secret): Signer {
  return {
    account: readKeypair(key).publicKey.toBase58(),
    signTransaction: (plan, wallet) => {
      const transaction = new VersionedTransaction(VersionedMessage.deserialize(checkPlan(plan, wallet)))
      transaction.sign([readKeypair(key)])
      const txid = base58.encode(present(transaction.signatures[0], "signature"))
      return { plan, raw: Buffer.from(transaction.serialize()).toString("base64"), txid }
    },
  }
}

export type Signer = {
  /** The public key: our address. */
  readonly account: string
  signTransaction(plan: TransactionPlan, wallet: Wallet): SignedTransaction
}

function readKeypair(key: Secret): Keypair {
  const bytes = parseKey(key.reveal().trim())
  try {
    if (bytes?.length === 64) return Keypair.fromSecretKey(bytes)
  } catch {
    // The public half does not belong to the private one. What the library says is dropped: nothing near a key is repeated.
  }
  throw new AppError({
    code: "config.solana_key",
    disposition: "fatal",
    message: `${key.reference} is not a Solana key; expected base 58 of 64 bytes or a JSON array of 64 numbers`,
    details: { reference: key.reference },
  })
}

function parseKey(text: string): Uint8Array | null {
  if (!text.startsWith("[")) return readBase58(text)
  try {
    return Uint8Array.from(z.array(z.int().min(0).max(255)).parse(JSON.parse(text)))
  } catch {
    // As above: a parser's message would quote the key.
    return null
  }
}
