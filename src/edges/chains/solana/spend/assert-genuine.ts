import { createPublicKey, verify } from "node:crypto"
import { base58 } from "@scure/base"
import { type PublicKey, VersionedTransaction } from "@solana/web3.js"
import { AppError } from "#lib/app-error.ts"
import type { FoundTransaction } from "../node.ts"

/**
 * Checks that the bytes which an endpoint shows for a transaction are the transaction: its first
 * signature is the id, and every signer has signed the message. Returns it. An endpoint can
 * still invent the block and the effects, but no call without its signature. Throws
 * `solana.nonsense` (transient).
 */
export function assertGenuine(found: FoundTransaction, txid: string): VersionedTransaction {
  const transaction = parse(found)
  if (transaction !== null && isSigned(transaction, txid)) return transaction
  throw new AppError({
    code: "solana.nonsense",
    disposition: "transient",
    message:
      `the node shows bytes for transaction ${txid} that its signers have not signed; a second ` +
      "read may return the right ones",
    details: { txid },
  })
}

function isSigned({ message, signatures }: VersionedTransaction, txid: string): boolean {
  const [first] = signatures
  return (
    first !== undefined &&
    base58.encode(first) === txid &&
    signatures.length === message.header.numRequiredSignatures &&
    signatures.every((signature, index) =>
      isSignedBy(message.staticAccountKeys[index], message.serialize(), signature),
    )
  )
}

function parse({ transaction }: FoundTransaction): VersionedTransaction | null {
  try {
    return VersionedTransaction.deserialize(transaction)
  } catch {
    // The library throws for every malformed input.
    return null
  }
}

/** RFC 8410: the prefix of an Ed25519 public key in DER. */
const DER_PREFIX = Buffer.from("302a300506032b6570032100", "hex")

function isSignedBy(
  signer: PublicKey | undefined,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (signer === undefined) return false
  const key = createPublicKey({
    key: Buffer.concat([DER_PREFIX, signer.toBytes()]),
    format: "der",
    type: "spki",
  })
  return verify(null, message, key, signature)
}
