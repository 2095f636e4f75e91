import { createHash } from "node:crypto"
import { PublicKey, SystemProgram, TransactionInstruction } from "@solana/web3.js"

/**
 * The calls of the native-SOL HTLC program, as live deployments publish it (field notes, Solana;
 * the program's Anchor interface description):
 *
 * `initiate` disc | amount u64 | slots u64 | redeemer 32 | secret hash 32, accounts
 * `[PDA w, initiator w signer, system]` · `redeem` disc | secret 32, accounts
 * `[PDA w, initiator w, redeemer w]` · `refund` disc, accounts `[PDA w, initiator w]` ·
 * `instant_refund` disc, accounts `[PDA w, initiator w, redeemer signer]`. PDA seeds
 * `["swap_account", initiator, secret hash]`; numbers little-endian; a discriminator is the first
 * eight bytes of sha256("global:<name>"). Redeem and refund need no signature besides the fee
 * payer's.
 */
export type HtlcCall =
  | { readonly kind: "initiate"; readonly terms: InitiateTerms }
  | { readonly kind: "redeem"; readonly secret: string }
  | { readonly kind: "refund" | "instantRefund" }

export type InitiateTerms = {
  /** Lamports, or the token's smallest units. */
  readonly units: bigint
  /** Duration of the lock in slots, counted from the slot of the initiate. */
  readonly slots: bigint
  readonly redeemer: PublicKey
  /** 32 bytes. */
  readonly secretHash: Buffer
  /** Tokens only: bytes for the destination chain, which the program logs. */
  readonly destinationData?: Buffer | null
}

/** Decodes the data of one instruction of the program; `null` if it is none of the four. Pure. */
export function decodeHtlcCall(bytes: Uint8Array): HtlcCall | null {
  const data = Buffer.from(bytes)
  const is = (discriminator: string, length: number): boolean =>
    data.length === length && data.toString("hex", 0, 8) === discriminator
  if (is(DISCRIMINATORS.redeem, 40)) return { kind: "redeem", secret: data.toString("hex", 8) }
  if (is(DISCRIMINATORS.refund, 8)) return { kind: "refund" }
  if (is(DISCRIMINATORS.instantRefund, 8)) return { kind: "instantRefund" }
  if (!is(DISCRIMINATORS.initiate, 88)) return null
  const terms = {
    units: data.readBigUInt64LE(8),
    slots: data.readBigUInt64LE(16),
    redeemer: new PublicKey(data.subarray(24, 56)),
    secretHash: data.subarray(56, 88),
  }
  return { kind: "initiate", terms }
}

/**
 * Derives the account that stores the record and the funds of one HTLC (a program-derived address).
 */
export function deriveSwapAccount(
  program: PublicKey,
  initiator: PublicKey,
  secretHash: Buffer,
): PublicKey {
  return PublicKey.findProgramAddressSync(
    [Buffer.from("swap_account"), initiator.toBytes(), secretHash],
    program,
  )[0]
}

export function buildInitiate(
  program: PublicKey,
  initiator: PublicKey,
  terms: InitiateTerms,
): TransactionInstruction {
  const numbers = Buffer.alloc(16)
  numbers.writeBigUInt64LE(terms.units, 0)
  numbers.writeBigUInt64LE(terms.slots, 8)
  const discriminator = Buffer.from(DISCRIMINATORS.initiate, "hex")
  return new TransactionInstruction({
    programId: program,
    keys: [
      {
        pubkey: deriveSwapAccount(program, initiator, terms.secretHash),
        isSigner: false,
        isWritable: true,
      },
      { pubkey: initiator, isSigner: true, isWritable: true },
      { pubkey: SystemProgram.programId, isSigner: false, isWritable: false },
    ],
    data: Buffer.concat([discriminator, numbers, terms.redeemer.toBytes(), terms.secretHash]),
  })
}

export function buildRefund(
  program: PublicKey,
  initiator: PublicKey,
  secretHash: Buffer,
): TransactionInstruction {
  return new TransactionInstruction({
    programId: program,
    keys: [
      {
        pubkey: deriveSwapAccount(program, initiator, secretHash),
        isSigner: false,
        isWritable: true,
      },
      { pubkey: initiator, isSigner: false, isWritable: true },
    ],
    data: Buffer.from(DISCRIMINATORS.refund, "hex"),
  })
}

/** Pays the redeemer, and returns the rent to the initiator, whichever account sends it. */
export function buildRedeem(
  program: PublicKey,
  { initiator, redeemer }: { readonly initiator: PublicKey; readonly redeemer: PublicKey },
  secret: Buffer,
): TransactionInstruction {
  const secretHash = createHash("sha256").update(secret).digest()
  return new TransactionInstruction({
    programId: program,
    keys: [
      {
        pubkey: deriveSwapAccount(program, initiator, secretHash),
        isSigner: false,
        isWritable: true,
      },
      { pubkey: initiator, isSigner: false, isWritable: true },
      { pubkey: redeemer, isSigner: false, isWritable: true },
    ],
    data: Buffer.concat([Buffer.from(DISCRIMINATORS.redeem, "hex"), secret]),
  })
}

/** The record of one HTLC. `sponsor` gets the rent back. */
export type SwapRecord = {
  readonly expirySlot: bigint
  readonly initiator: string
  readonly redeemer: string
  readonly secretHash: Buffer
  readonly units: bigint
  readonly sponsor: string
}

/**
 * Decodes the data of a swap account: discriminator, amount, expiry slot, initiator, redeemer,
 * secret hash. `null` if it is none.
 */
export function decodeSwap(data: Buffer): SwapRecord | null {
  const expirySlot = decodeExpirySlot(data)
  if (expirySlot === null) return null
  const keyAt = (at: number): string => new PublicKey(data.subarray(at, at + 32)).toBase58()
  const parties = { initiator: keyAt(24), redeemer: keyAt(56), sponsor: keyAt(24) }
  return {
    expirySlot,
    ...parties,
    units: data.readBigUInt64LE(8),
    secretHash: data.subarray(88, 120),
  }
}

/**
 * Decodes the slot after which a refund is possible from the data of a swap account; `null` if the
 * data is no such record.
 */
export function decodeExpirySlot(data: Buffer): bigint | null {
  if (
    data.length !== SWAP_ACCOUNT_BYTES ||
    data.toString("hex", 0, 8) !== SWAP_ACCOUNT_DISCRIMINATOR
  )
    return null
  return data.readBigUInt64LE(16)
}

/** Discriminator, amount, expiry slot, initiator, redeemer, secret hash. */
export const SWAP_ACCOUNT_BYTES = 120

/** First eight bytes of sha256("account:SwapAccount"). */
export const SWAP_ACCOUNT_DISCRIMINATOR = "357e090e0ec569b6"

/** First eight bytes of sha256("global:<name>"), the same for both programs. */
export const DISCRIMINATORS = {
  initiate: "053f7b71994b940e",
  redeem: "b80c569546c461e1",
  refund: "0260b7fb3fd02e2e",
  instantRefund: "d3ca6729b7933bfb",
} as const
