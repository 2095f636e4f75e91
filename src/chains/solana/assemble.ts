import { createHash } from "node:crypto"
import {
  ComputeBudgetProgram,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedMessage,
  VersionedTransaction,
} from "@solana/web3.js"

/**
 * The one form in which we send: a legacy message with unit limit, unit price and one HTLC instruction, our key alone as signer and
 * fee payer. Legacy, because nothing here needs lookup tables and every node and explorer reads it.
 */
export function assembleMessage(parts: {
  account: string
  blockhash: string
  unitPriceMicroLamports: bigint
  instruction: TransactionInstruction
}): Uint8Array {
  const instructions = [
    ComputeBudgetProgram.setComputeUnitLimit({ units: Number(UNIT_LIMIT) }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: parts.unitPriceMicroLamports }),
    parts.instruction,
  ]
  const payerKey = new PublicKey(parts.account)
  return new TransactionMessage({ payerKey, recentBlockhash: parts.blockhash, instructions })
    .compileToLegacyMessage()
    .serialize()
}

/** Initiate takes about 12 000 compute units here and 20 000 in the live program, more where the address search takes long. */
export const UNIT_LIMIT = 100_000n

/** What the network takes for one signature plus the units that we allow, in lamports, rounded up as the runtime does. */
export function feeOf(unitLimit: bigint, unitPriceMicroLamports: bigint): bigint {
  return SIGNATURE_LAMPORTS + (unitLimit * unitPriceMicroLamports + 999_999n) / 1_000_000n
}

/** A transaction with empty signature slots, for simulation. */
export function unsignedTransaction(message: Uint8Array): string {
  return Buffer.from(new VersionedTransaction(VersionedMessage.deserialize(message)).serialize()).toString("base64")
}

export function digestOf(message: Uint8Array): string {
  return createHash("sha256").update(message).digest("hex")
}

/** What an initiate reserves: at most one of ours may be under way for one swap account. */
export function swapAccountResource(swapAccount: string): string {
  return `order-pda:${swapAccount}`
}

const SIGNATURE_LAMPORTS = 5_000n

/** 32 zero bytes, for messages that are only simulated: the node puts a real one in. */
export const NO_BLOCKHASH = SystemProgram.programId.toBase58()
