import { PublicKey, SystemProgram, TransactionInstruction } from "@solana/web3.js"
import {
  DISCRIMINATORS,
  type HtlcCall,
  type InitiateTerms,
  SWAP_ACCOUNT_DISCRIMINATOR,
  type SwapRecord,
} from "./htlc.ts"
import { deriveTokenAccount, TOKEN_PROGRAM } from "./tokens.ts"

/**
 * The calls of the HTLC program for SPL tokens, as live deployments publish it (the program's
 * Anchor interface description, 0.4.0). One program holds all mints. The discriminators are those
 * of the native program.
 *
 * `initiate` disc | slots u64 | redeemer 32 | secret hash 32 | amount u64 | destination data
 * Option<bytes>, accounts `[identity w, swap data w, vault w, initiator signer, initiator's token
 * account w, mint, sponsor w signer, token program,
 * system]` · `redeem` disc | secret 32, accounts `[identity, swap data w, vault w, redeemer's token
 * account w, sponsor w, token program]` · `refund` disc, the same accounts with the initiator's
 * token account. PDA seeds: identity `[]`, swap data `[initiator, secret hash]`, vault `[mint]`.
 * The identity is the authority of every vault. The sponsor pays the rent of the swap data and gets
 * it back.
 */
export function decodeSplCall(bytes: Uint8Array): HtlcCall | null {
  const data = Buffer.from(bytes)
  const is = (discriminator: string): boolean => data.toString("hex", 0, 8) === discriminator
  if (is(DISCRIMINATORS.redeem) && data.length === 40)
    return { kind: "redeem", secret: data.toString("hex", 8) }
  if (is(DISCRIMINATORS.refund) && data.length === 8) return { kind: "refund" }
  if (is(DISCRIMINATORS.instantRefund) && data.length === 8) return { kind: "instantRefund" }
  if (!is(DISCRIMINATORS.initiate) || data.length <= OPTION_AT) return null
  const destinationData = readOption(data.subarray(OPTION_AT))
  if (destinationData === undefined) return null
  const terms = {
    slots: data.readBigUInt64LE(8),
    redeemer: new PublicKey(data.subarray(16, 48)),
    secretHash: data.subarray(48, 80),
    units: data.readBigUInt64LE(80),
    destinationData,
  }
  return { kind: "initiate", terms }
}

export function deriveSwapData(
  program: PublicKey,
  initiator: PublicKey,
  secretHash: Buffer,
): PublicKey {
  return PublicKey.findProgramAddressSync([initiator.toBytes(), secretHash], program)[0]
}

export function deriveIdentity(program: PublicKey): PublicKey {
  return PublicKey.findProgramAddressSync([], program)[0]
}

/** The program's token account for one mint. */
export function deriveVault(program: PublicKey, mint: PublicKey): PublicKey {
  return PublicKey.findProgramAddressSync([mint.toBytes()], program)[0]
}

/**
 * Deposits from the initiator's associated token account. The initiator is the sponsor too, unless
 * a relay sponsors a gasless deposit.
 */
export function buildSplInitiate(
  program: PublicKey,
  { initiator, mint, sponsor = initiator }: SplParties,
  terms: InitiateTerms,
): TransactionInstruction {
  const amounts = Buffer.alloc(16)
  amounts.writeBigUInt64LE(terms.slots, 0)
  amounts.writeBigUInt64LE(terms.units, 8)
  const discriminator = Buffer.from(DISCRIMINATORS.initiate, "hex")
  const head = [
    discriminator,
    amounts.subarray(0, 8),
    terms.redeemer.toBytes(),
    terms.secretHash,
    amounts.subarray(8),
  ]
  return new TransactionInstruction({
    programId: program,
    keys: [
      { pubkey: deriveIdentity(program), isSigner: false, isWritable: true },
      {
        pubkey: deriveSwapData(program, initiator, terms.secretHash),
        isSigner: false,
        isWritable: true,
      },
      { pubkey: deriveVault(program, mint), isSigner: false, isWritable: true },
      { pubkey: initiator, isSigner: true, isWritable: false },
      { pubkey: deriveTokenAccount(initiator, mint), isSigner: false, isWritable: true },
      { pubkey: mint, isSigner: false, isWritable: false },
      { pubkey: sponsor, isSigner: true, isWritable: true },
      { pubkey: TOKEN_PROGRAM, isSigner: false, isWritable: false },
      { pubkey: SystemProgram.programId, isSigner: false, isWritable: false },
    ],
    data: Buffer.concat([...head, ...writeOption(terms.destinationData ?? null)]),
  })
}

/**
 * Refunds into the initiator's associated token account, and returns the rent to the sponsor: the
 * initiator, or the relay of a gasless deposit.
 */
export function buildSplRefund(
  program: PublicKey,
  { initiator, mint, sponsor = initiator }: SplParties,
  swapData: PublicKey,
): TransactionInstruction {
  return new TransactionInstruction({
    programId: program,
    keys: [
      { pubkey: deriveIdentity(program), isSigner: false, isWritable: false },
      { pubkey: swapData, isSigner: false, isWritable: true },
      { pubkey: deriveVault(program, mint), isSigner: false, isWritable: true },
      { pubkey: deriveTokenAccount(initiator, mint), isSigner: false, isWritable: true },
      { pubkey: sponsor, isSigner: false, isWritable: true },
      { pubkey: TOKEN_PROGRAM, isSigner: false, isWritable: false },
    ],
    data: Buffer.from(DISCRIMINATORS.refund, "hex"),
  })
}

type SplParties = {
  readonly initiator: PublicKey
  readonly mint: PublicKey
  /** Absent: the initiator. */
  readonly sponsor?: PublicKey
}

/**
 * Pays into the redeemer's associated token account, and returns the rent to the sponsor that the
 * record names.
 */
export function buildSplRedeem(
  program: PublicKey,
  { redeemer, mint }: { readonly redeemer: PublicKey; readonly mint: PublicKey },
  { swapData, sponsor }: { readonly swapData: PublicKey; readonly sponsor: PublicKey },
  secret: Buffer,
): TransactionInstruction {
  return new TransactionInstruction({
    programId: program,
    keys: [
      { pubkey: deriveIdentity(program), isSigner: false, isWritable: false },
      { pubkey: swapData, isSigner: false, isWritable: true },
      { pubkey: deriveVault(program, mint), isSigner: false, isWritable: true },
      { pubkey: deriveTokenAccount(redeemer, mint), isSigner: false, isWritable: true },
      { pubkey: sponsor, isSigner: false, isWritable: true },
      { pubkey: TOKEN_PROGRAM, isSigner: false, isWritable: false },
    ],
    data: Buffer.concat([Buffer.from(DISCRIMINATORS.redeem, "hex"), secret]),
  })
}

/**
 * Decodes the record of one swap: discriminator, expiry slot u64, initiator, redeemer, secret hash,
 * amount u64, bump u8, sponsor. It does not name the mint. `null` if the data is no such record.
 */
export function decodeSplSwap(data: Buffer): SwapRecord | null {
  if (data.length !== SPL_SWAP_BYTES || data.toString("hex", 0, 8) !== SWAP_ACCOUNT_DISCRIMINATOR)
    return null
  const keyAt = (at: number): string => new PublicKey(data.subarray(at, at + 32)).toBase58()
  return {
    expirySlot: data.readBigUInt64LE(8),
    initiator: keyAt(16),
    redeemer: keyAt(48),
    secretHash: data.subarray(80, 112),
    units: data.readBigUInt64LE(112),
    sponsor: keyAt(121),
  }
}

export const SPL_SWAP_BYTES = 153

/** An upper bound for the identity account, which holds no data that the interface describes. */
export const IDENTITY_BYTES = 16

/** The longest destination data that we deposit with. The program only logs it. */
export const MAX_DESTINATION_DATA_BYTES = 256

/**
 * Where the accounts of each call stand in its list. An instant refund has the redeemer before the
 * sponsor.
 */
export const INITIATE_AT = { swapData: 1, vault: 2, tokenAccount: 4, mint: 5, sponsor: 6 } as const
export const SETTLE_AT = { swapData: 1, vault: 2, tokenAccount: 3, sponsor: 4 } as const

const OPTION_AT = 88

/**
 * Borsh's option of bytes: 0, or 1 with a u32 length. `undefined` if the bytes are none, or more.
 */
function readOption(bytes: Buffer): Buffer | null | undefined {
  if (bytes[0] === 0) return bytes.length === 1 ? null : undefined
  const isWhole = bytes[0] === 1 && bytes.length >= 5 && bytes.readUInt32LE(1) === bytes.length - 5
  return isWhole ? bytes.subarray(5) : undefined
}

function writeOption(value: Buffer | null): Buffer[] {
  if (value === null) return [Buffer.of(0)]
  const length = Buffer.alloc(4)
  length.writeUInt32LE(value.length)
  return [Buffer.of(1), length, value]
}
