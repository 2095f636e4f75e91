import { PublicKey } from "@solana/web3.js"
import { deriveTokenAccount } from "../tokens.ts"
import { wordOf } from "./presets.ts"

/** Mints pay a token account, never its owner: a mint to a wallet is lost. */
export function payeeOf(account: string, mint: string): string {
  return wordOf(deriveTokenAccount(new PublicKey(account), new PublicKey(mint)))
}
