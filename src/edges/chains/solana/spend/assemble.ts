import { createHash } from "node:crypto"
import {
  type AddressLookupTableAccount,
  ComputeBudgetProgram,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedMessage,
  VersionedTransaction,
} from "@solana/web3.js"
import type { TransactionPlan } from "#domain/transaction.ts"

/**
 * Assembles the only form of message that we send: a legacy message with a unit limit, a unit price
 * and one HTLC instruction. A refund of a token may create our token account before it. Our key is
 * the fee payer, and the only signer of an HTLC call. The message is legacy because it needs no
 * lookup tables, and every node and explorer reads it; with a `table` it is one of version 0.
 * `unitPriceMicroLamports` is per compute unit.
 */
export function assembleMessage(parts: {
  account: string
  blockhash: string
  unitLimit: bigint
  unitPriceMicroLamports: bigint
  instructions: readonly TransactionInstruction[]
  table?: AddressLookupTableAccount
}): Uint8Array {
  const instructions = [
    ComputeBudgetProgram.setComputeUnitLimit({ units: Number(parts.unitLimit) }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: parts.unitPriceMicroLamports }),
    ...parts.instructions,
  ]
  const payerKey = new PublicKey(parts.account)
  const { blockhash: recentBlockhash, table } = parts
  const message = new TransactionMessage({ payerKey, recentBlockhash, instructions })
  return table === undefined
    ? message.compileToLegacyMessage().serialize()
    : message.compileToV0Message([table]).serialize()
}

/**
 * An initiate takes 12 000 compute units in tests and 20 000 in the live program, more if the
 * address search is long.
 */
const NATIVE_UNIT_LIMIT = 100_000n

/**
 * A first initiate of a token takes 50 000 in tests: it creates three accounts. The address
 * searches can double that.
 */
const TOKEN_UNIT_LIMIT = 250_000n

export function unitLimitOf(token: string | null): bigint {
  return token === null ? NATIVE_UNIT_LIMIT : TOKEN_UNIT_LIMIT
}

/**
 * The network's fee in lamports: one signature plus the allowed compute units, rounded up as the
 * runtime does.
 */
export function feeOf(unitLimit: bigint, unitPriceMicroLamports: bigint): bigint {
  return SIGNATURE_LAMPORTS + (unitLimit * unitPriceMicroLamports + 999_999n) / 1_000_000n
}

/**
 * The highest price per compute unit, in micro-lamports, with which the fee is at most `feeUnits`.
 */
export function priceWithin(feeUnits: bigint, unitLimit: bigint): bigint {
  return feeUnits <= SIGNATURE_LAMPORTS
    ? 0n
    : ((feeUnits - SIGNATURE_LAMPORTS) * 1_000_000n) / unitLimit
}

/** Serializes (base64) a transaction with empty signature slots, for the node's simulation. */
export function unsignedTransaction(message: Uint8Array): string {
  return Buffer.from(
    new VersionedTransaction(VersionedMessage.deserialize(message)).serialize(),
  ).toString("base64")
}

/** SHA-256 of the message, hex. */
export function digestOf(message: Uint8Array): string {
  return createHash("sha256").update(message).digest("hex")
}

/**
 * The resource that an initiate reserves: at most one initiate of ours may be pending for one swap
 * account.
 */
export function swapAccountResource(swapAccount: string): string {
  return `${SWAP_ACCOUNT_PREFIX}${swapAccount}`
}

/** The swap account that a plan's resources name; `null` where the plan is no deposit. */
export function swapAccountOf({ resources }: Pick<TransactionPlan, "resources">): string | null {
  const resource = resources.find((candidate) => candidate.startsWith(SWAP_ACCOUNT_PREFIX))
  return resource === undefined ? null : resource.slice(SWAP_ACCOUNT_PREFIX.length)
}

const SWAP_ACCOUNT_PREFIX = "order-pda:"

/**
 * The resource that names the second key of a transaction by its seed: an account that the
 * transaction opens signs it too. Such a key has no power afterwards.
 */
export function extraKeyResource(seed: Buffer): string {
  return `${EXTRA_KEY_PREFIX}${seed.toString("hex")}`
}

/** The seed of 32 bytes; `null` where our key signs alone. */
export function extraKeyOf(resources: readonly string[]): Buffer | null {
  const named = resources.find((one) => one.startsWith(EXTRA_KEY_PREFIX))
  const hex = named?.slice(EXTRA_KEY_PREFIX.length) ?? ""
  return /^[0-9a-f]{64}$/.test(hex) ? Buffer.from(hex, "hex") : null
}

const EXTRA_KEY_PREFIX = "extra-key:"

/** The fee of each signature. */
export const SIGNATURE_LAMPORTS = 5_000n

/** 32 zero bytes, for messages that are only simulated: the node inserts a real blockhash. */
export const NO_BLOCKHASH = SystemProgram.programId.toBase58()
