import { PublicKey, SystemProgram, TransactionInstruction } from "@solana/web3.js"

/**
 * The SPL Token program. The HTLC program for tokens accepts this one alone, so tokens of
 * Token-2022 cannot be swapped.
 */
export const TOKEN_PROGRAM = new PublicKey("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
export const TOKEN_2022_PROGRAM = new PublicKey("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb")
export const TOKEN_ACCOUNT_PROGRAM = new PublicKey("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL")

/** The size of a token account of the SPL Token program. */
export const TOKEN_ACCOUNT_BYTES = 165

/** Derives the associated token account: the one place where a wallet keeps one token. */
export function deriveTokenAccount(owner: PublicKey, mint: PublicKey): PublicKey {
  const seeds = [owner.toBytes(), TOKEN_PROGRAM.toBytes(), mint.toBytes()]
  return PublicKey.findProgramAddressSync(seeds, TOKEN_ACCOUNT_PROGRAM)[0]
}

/**
 * Creates the associated token account of `owner`, and does nothing where it exists
 * (`CreateIdempotent`). `owner` pays.
 */
export function buildCreateTokenAccount(owner: PublicKey, mint: PublicKey): TransactionInstruction {
  return new TransactionInstruction({
    programId: TOKEN_ACCOUNT_PROGRAM,
    keys: [
      { pubkey: owner, isSigner: true, isWritable: true },
      { pubkey: deriveTokenAccount(owner, mint), isSigner: false, isWritable: true },
      { pubkey: owner, isSigner: false, isWritable: false },
      { pubkey: mint, isSigner: false, isWritable: false },
      { pubkey: SystemProgram.programId, isSigner: false, isWritable: false },
      { pubkey: TOKEN_PROGRAM, isSigner: false, isWritable: false },
    ],
    data: Buffer.of(1),
  })
}

export type TokenAccount = {
  readonly mint: string
  readonly owner: string
  readonly units: bigint
  readonly isFrozen: boolean
}

/**
 * Decodes a token account of the SPL Token program: mint 32, owner 32, amount u64, …, state u8 at
 * 108. `null` if it is none.
 */
export function decodeTokenAccount(account: ChainAccount | null): TokenAccount | null {
  if (account?.owner !== TOKEN_PROGRAM.toBase58() || account.data.length !== TOKEN_ACCOUNT_BYTES)
    return null
  const { data } = account
  const state = data[STATE_AT]
  if (state !== INITIALIZED && state !== FROZEN) return null
  return {
    mint: new PublicKey(data.subarray(0, 32)).toBase58(),
    owner: new PublicKey(data.subarray(32, 64)).toBase58(),
    units: data.readBigUInt64LE(64),
    isFrozen: state === FROZEN,
  }
}

/**
 * Decodes the decimals of a mint of the SPL Token program: authority 36, supply u64, decimals u8,
 * initialized u8. `null` if it is none.
 */
export function decodeMintDecimals(account: ChainAccount | null): number | null {
  if (account?.owner !== TOKEN_PROGRAM.toBase58() || account.data.length !== MINT_BYTES) return null
  return account.data[45] === 1 ? (account.data[44] ?? null) : null
}

/**
 * The names of the extensions of a Token-2022 mint, for a message. Each may take or block funds,
 * and all are refused. Type-length-value entries follow the account type at 165.
 */
export function listMintExtensions(data: Buffer): string[] {
  const names: string[] = []
  for (
    let at = TOKEN_ACCOUNT_BYTES + 1;
    at + 4 <= data.length;
    at += 4 + data.readUInt16LE(at + 2)
  ) {
    const type = data.readUInt16LE(at)
    if (type === 0) break
    names.push(EXTENSIONS[type] ?? `extension ${type}`)
  }
  return names
}

type ChainAccount = { readonly owner: string; readonly data: Buffer }

const MINT_BYTES = 82
const STATE_AT = 108
const INITIALIZED = 1
const FROZEN = 2

const EXTENSIONS: Readonly<Record<number, string>> = {
  1: "transfer fee",
  3: "mint close authority",
  4: "confidential transfers",
  6: "default account state",
  9: "non-transferable",
  10: "interest",
  12: "permanent delegate",
  14: "transfer hook",
  16: "confidential transfer fee",
  18: "metadata pointer",
  19: "metadata",
  25: "scaled amounts",
  26: "pausable",
}
