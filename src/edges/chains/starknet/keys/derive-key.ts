import { HDKey } from "@scure/bip32"
import { ec } from "starknet"
import type { SeededAccount } from "#chains/mnemonic.ts"
import { mustExist } from "#lib/assert.ts"

/**
 * The private key of one account in hex: BIP-44 with coin type 9004, and then ground to the curve's
 * order (community.starknet.io, "Account keys and addresses derivation standard"; EIP-2645
 * describes the grinding). Braavos derives the same key. Argent X derives from another seed: import
 * the single key that it shows.
 */
export function deriveStarknetKey(
  { seed, index }: SeededAccount,
  path: string = starknetPath(index),
): string {
  const { privateKey } = HDKey.fromMasterSeed(seed).derive(path)
  return `0x${ec.starkCurve.grindKey(mustExist(privateKey, "the derived key"))}`
}

export function starknetPath(index: number): string {
  return `m/44'/9004'/0'/0/${index}`
}
