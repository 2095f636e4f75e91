import { createHash } from "node:crypto"
import { Keypair, PublicKey, SystemProgram, TransactionInstruction } from "@solana/web3.js"

/**
 * The SPL Token program and the program of associated token accounts; every cluster has them at
 * these addresses.
 */
export const TOKEN_PROGRAM = new PublicKey("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
const ACCOUNT_PROGRAM = new PublicKey("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL")

/**
 * The key pair of a local mint. It depends on the symbol alone, so that a configuration can name
 * the mint's address.
 */
export function mintKeyOf(symbol: string): Keypair {
  return Keypair.fromSeed(createHash("sha256").update(`ballast sandbox solana ${symbol}`).digest())
}

/** Derives the associated token account. */
export function findTokenAccount(owner: PublicKey, mint: PublicKey): PublicKey {
  const seeds = [owner.toBytes(), TOKEN_PROGRAM.toBytes(), mint.toBytes()]
  return PublicKey.findProgramAddressSync(seeds, ACCOUNT_PROGRAM)[0]
}

/** Creates the associated token account if it is missing. */
export function createTokenAccount(
  payer: PublicKey,
  owner: PublicKey,
  mint: PublicKey,
): TransactionInstruction {
  const keys = [
    { pubkey: payer, isSigner: true, isWritable: true },
    { pubkey: findTokenAccount(owner, mint), isSigner: false, isWritable: true },
    ...[owner, mint, SystemProgram.programId, TOKEN_PROGRAM].map((pubkey) => ({
      pubkey,
      isSigner: false,
      isWritable: false,
    })),
  ]
  return new TransactionInstruction({ programId: ACCOUNT_PROGRAM, keys, data: Buffer.of(1) })
}

/** Creates a mint with its supply under `authority`, without a freeze authority. */
export function createMint(options: {
  payer: PublicKey
  mint: PublicKey
  authority: PublicKey
  decimals: number
  rentLamports: number
}): TransactionInstruction[] {
  const { payer, mint, authority, decimals, rentLamports } = options
  const account = SystemProgram.createAccount({
    fromPubkey: payer,
    newAccountPubkey: mint,
    lamports: rentLamports,
    space: MINT_BYTES,
    programId: TOKEN_PROGRAM,
  })
  // InitializeMint2: decimals, mint authority, no freeze authority.
  const data = Buffer.concat([Buffer.of(20, decimals), authority.toBytes(), Buffer.of(0)])
  const keys = [{ pubkey: mint, isSigner: false, isWritable: true }]
  return [account, new TransactionInstruction({ programId: TOKEN_PROGRAM, keys, data })]
}

/** Mints new units for an owner, into the associated token account or another `account`. */
export function mintTo(options: {
  mint: PublicKey
  authority: PublicKey
  owner: PublicKey
  units: bigint
  account?: PublicKey
}) {
  const { account = findTokenAccount(options.owner, options.mint) } = options
  const data = Buffer.alloc(9)
  data[0] = 7
  data.writeBigUInt64LE(options.units, 1)
  const keys = [
    { pubkey: options.mint, isSigner: false, isWritable: true },
    { pubkey: account, isSigner: false, isWritable: true },
    { pubkey: options.authority, isSigner: true, isWritable: false },
  ]
  return new TransactionInstruction({ programId: TOKEN_PROGRAM, keys, data })
}

/** The units in a token account's data. */
export function readTokenUnits(data: Buffer): bigint {
  return data.readBigUInt64LE(64)
}

export const MINT_BYTES = 82
