import { PublicKey, SystemProgram, TransactionInstruction } from "@solana/web3.js"
import { discriminator, type Terms } from "./htlc-program.ts"
import { findTokenAccount, TOKEN_PROGRAM } from "./spl-tokens.ts"

/** Encodes and decodes the instructions of `program/spl-htlc.c`, one HTLC program for all mints. */
export const splProgram = {
  /** The program's published address on test networks. */
  id: new PublicKey("2WXpY8havGjfRxme9LUxtjFHTh1EfU3ur4v6wiK4KdNC"),

  findAddress(program: PublicKey, initiator: PublicKey, secretHash: Buffer): PublicKey {
    return PublicKey.findProgramAddressSync([initiator.toBytes(), secretHash], program)[0]
  },

  findIdentity(program: PublicKey): PublicKey {
    return PublicKey.findProgramAddressSync([], program)[0]
  },

  findVault(program: PublicKey, mint: PublicKey): PublicKey {
    return PublicKey.findProgramAddressSync([mint.toBytes()], program)[0]
  },

  initiate(program: PublicKey, parties: SplInitiators, terms: SplTerms): TransactionInstruction {
    const { initiator, sponsor, mint } = parties
    const keys = [
      writable(splProgram.findIdentity(program)),
      writable(splProgram.findAddress(program, initiator, terms.secretHash)),
      writable(splProgram.findVault(program, mint)),
      { pubkey: initiator, isSigner: true, isWritable: false },
      writable(findTokenAccount(initiator, mint)),
      readonly(mint),
      { pubkey: sponsor, isSigner: true, isWritable: true },
      readonly(TOKEN_PROGRAM),
      readonly(SystemProgram.programId),
    ]
    const { slots, redeemer, secretHash, units, destinationData } = terms
    const data = [discriminator("initiate"), u64(slots), redeemer.toBytes(), secretHash, u64(units)]
    const option =
      destinationData === null
        ? [Buffer.of(0)]
        : [Buffer.of(1), u32(destinationData.length), destinationData]
    return new TransactionInstruction({
      programId: program,
      keys,
      data: Buffer.concat([...data, ...option]),
    })
  },

  /** `owner` receives the tokens: the redeemer of a redeem, the initiator of a refund. */
  settle(program: PublicKey, parties: SplSettlers, secret: Buffer | null): TransactionInstruction {
    const { address, owner, mint, sponsor } = parties
    const keys = [
      readonly(splProgram.findIdentity(program)),
      writable(address),
      writable(splProgram.findVault(program, mint)),
      writable(findTokenAccount(owner, mint)),
      writable(sponsor),
      readonly(TOKEN_PROGRAM),
    ]
    const data =
      secret === null ? discriminator("refund") : Buffer.concat([discriminator("redeem"), secret])
    return new TransactionInstruction({ programId: program, keys, data })
  },

  /** Decodes the data of one instruction; `null` if it is not an instruction of the program. */
  read(bytes: Uint8Array): SplCall | null {
    const data = Buffer.from(bytes)
    const starts = (name: string): boolean => data.subarray(0, 8).equals(discriminator(name))
    if (starts("redeem") && data.length === 40) return { kind: "redeem", secret: data.subarray(8) }
    if (starts("refund")) return { kind: "refund" }
    if (!starts("initiate") || data.length < 89) return null
    return {
      kind: "initiate",
      terms: {
        slots: data.readBigUInt64LE(8),
        redeemer: new PublicKey(data.subarray(16, 48)),
        secretHash: data.subarray(48, 80),
        units: data.readBigUInt64LE(80),
        destinationData: data[88] === 1 ? data.subarray(93) : null,
      },
    }
  },

  /** The account that paid the rent of an open swap, from the swap's data. */
  readSponsor(data: Buffer): PublicKey {
    return new PublicKey(data.subarray(121, 153))
  },
}

type SplTerms = Terms & { readonly destinationData: Buffer | null }
type SplInitiators = {
  readonly initiator: PublicKey
  readonly sponsor: PublicKey
  readonly mint: PublicKey
}
type SplSettlers = {
  readonly address: PublicKey
  readonly owner: PublicKey
  readonly mint: PublicKey
  readonly sponsor: PublicKey
}
type SplCall =
  | { readonly kind: "initiate"; readonly terms: SplTerms }
  | { readonly kind: "redeem"; readonly secret: Buffer }
  | { readonly kind: "refund" }

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function writable(pubkey: PublicKey) {
  return { pubkey, isSigner: false, isWritable: true }
}

function readonly(pubkey: PublicKey) {
  return { pubkey, isSigner: false, isWritable: false }
}
