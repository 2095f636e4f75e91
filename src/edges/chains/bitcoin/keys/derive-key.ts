import { HDKey } from "@scure/bip32"
import type { Network } from "bitcoinjs-lib"
import type { SeededAccount } from "#chains/mnemonic.ts"
import { mustExist } from "#lib/assert.ts"
import type { AddressType } from "../wallet.ts"

/** The private key of one address: BIP-86 for P2TR and BIP-84 for P2WPKH. 32 bytes. */
export function deriveBitcoinKey(
  { seed, index }: SeededAccount,
  where: { readonly network: Pick<Network, "bech32">; readonly addressType: AddressType },
): Uint8Array {
  const { privateKey } = HDKey.fromMasterSeed(seed).derive(bitcoinPath(index, where))
  return mustExist(privateKey, "the derived key")
}

/** Coin type 0 is the main network, and 1 every test network (SLIP-44). */
export function bitcoinPath(
  index: number,
  {
    network,
    addressType,
  }: { readonly network: Pick<Network, "bech32">; readonly addressType: AddressType },
): string {
  return `m/${addressType === "p2tr" ? 86 : 84}'/${network.bech32 === "bc" ? 0 : 1}'/0'/0/${index}`
}
