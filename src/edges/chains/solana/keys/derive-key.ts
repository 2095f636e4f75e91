import { Keypair } from "@solana/web3.js"
import { HDKey } from "micro-key-producer/slip10.js"
import type { SeededAccount } from "#chains/mnemonic.ts"

/**
 * The keypair of one account by SLIP-10, with the path of Phantom and of `solana-keygen` with
 * `?key=INDEX/0`. 64 bytes.
 */
export function deriveSolanaKey({ seed, index }: SeededAccount): Uint8Array {
  return Keypair.fromSeed(HDKey.fromMasterSeed(seed).derive(solanaPath(index)).privateKey).secretKey
}

export function solanaPath(index: number): string {
  return `m/44'/501'/${index}'/0'`
}
