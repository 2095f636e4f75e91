import { createHash } from "node:crypto"
import { PublicKey, SystemProgram, TransactionInstruction } from "@solana/web3.js"

/** Encodes and decodes the instructions of `program/htlc.c`. */
export const htlcProgram = {
  /** The program's published address on test networks. */
  id: new PublicKey("6eksgdCnSjUaGQWZ6iYvauv1qzvYPF33RTGTM1ZuyENx"),

  findAddress(program: PublicKey, initiator: PublicKey, secretHash: Buffer): PublicKey {
    return PublicKey.findProgramAddressSync(
      [Buffer.from("swap_account"), initiator.toBytes(), secretHash],
      program,
    )[0]
  },

  initiate(program: PublicKey, initiator: PublicKey, terms: Terms): TransactionInstruction {
    const numbers = Buffer.alloc(16)
    numbers.writeBigUInt64LE(terms.units, 0)
    numbers.writeBigUInt64LE(terms.slots, 8)
    const data = Buffer.concat([
      discriminator("initiate"),
      numbers,
      terms.redeemer.toBytes(),
      terms.secretHash,
    ])
    const keys = [
      writable(htlcProgram.findAddress(program, initiator, terms.secretHash)),
      { pubkey: initiator, isSigner: true, isWritable: true },
      { pubkey: SystemProgram.programId, isSigner: false, isWritable: false },
    ]
    return new TransactionInstruction({ programId: program, keys, data })
  },

  redeem(program: PublicKey, parties: Parties, secret: Buffer): TransactionInstruction {
    const keys = [parties.address, parties.initiator, parties.redeemer].map(writable)
    return new TransactionInstruction({
      programId: program,
      keys,
      data: Buffer.concat([discriminator("redeem"), secret]),
    })
  },

  refund(program: PublicKey, parties: Parties): TransactionInstruction {
    const keys = [parties.address, parties.initiator].map(writable)
    return new TransactionInstruction({ programId: program, keys, data: discriminator("refund") })
  },

  /** Decodes the data of one instruction; `null` if it is not an instruction of the program. */
  read(bytes: Uint8Array): Call | null {
    const data = Buffer.from(bytes)
    const starts = (name: string, length: number): boolean =>
      data.length === length && data.subarray(0, 8).equals(discriminator(name))
    if (starts("redeem", 40)) return { kind: "redeem", secret: data.subarray(8) }
    if (starts("refund", 8)) return { kind: "refund" }
    if (!starts("initiate", 88)) return null
    return {
      kind: "initiate",
      terms: {
        units: data.readBigUInt64LE(8),
        slots: data.readBigUInt64LE(16),
        redeemer: new PublicKey(data.subarray(24, 56)),
        secretHash: data.subarray(56, 88),
      },
    }
  },
}

export type Terms = {
  readonly units: bigint
  readonly slots: bigint
  readonly redeemer: PublicKey
  readonly secretHash: Buffer
}

type Parties = {
  readonly address: PublicKey
  readonly initiator: PublicKey
  readonly redeemer: PublicKey
}

export type Call =
  | { readonly kind: "initiate"; readonly terms: Terms }
  | { readonly kind: "redeem"; readonly secret: Buffer }
  | { readonly kind: "refund" }

/** Anchor's rule: the first eight bytes of sha256("global:<name>"). */
export function discriminator(name: string): Buffer {
  return createHash("sha256").update(`global:${name}`).digest().subarray(0, 8)
}

function writable(pubkey: PublicKey): {
  pubkey: PublicKey
  isSigner: boolean
  isWritable: boolean
} {
  return { pubkey, isSigner: false, isWritable: true }
}
