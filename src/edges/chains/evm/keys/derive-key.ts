import { HDKey } from "@scure/bip32"
import type { SeededAccount } from "#chains/mnemonic.ts"
import { mustExist } from "#lib/assert.ts"

/**
 * The private key of one account in hex, by BIP-44: the path of most wallets, with the account in
 * the last place.
 */
export function deriveEvmKey({ seed, index }: SeededAccount): string {
  const { privateKey } = HDKey.fromMasterSeed(seed).derive(evmPath(index))
  return `0x${Buffer.from(mustExist(privateKey, "the derived key")).toString("hex")}`
}

export function evmPath(index: number): string {
  return `m/44'/60'/0'/0/${index}`
}
