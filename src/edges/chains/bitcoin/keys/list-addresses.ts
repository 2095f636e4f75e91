import type { SeededAccount } from "#chains/mnemonic.ts"
import { toChainId } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"
import type { Secret } from "#lib/secret.ts"
import type { KeyAddress } from "#ports/key-holder.ts"
import { networkOf } from "../address.ts"
import { createSigner } from "../signer.ts"
import { bitcoinPath } from "./derive-key.ts"

const KINDS = [
  { name: "mainnet", addressType: "p2tr" },
  { name: "mainnet", addressType: "p2wpkh" },
  { name: "testnet", addressType: "p2tr" },
  { name: "testnet", addressType: "p2wpkh" },
  { name: "regtest", addressType: "p2tr" },
] as const

/**
 * Both kinds of address, on each network that the key is for. Throws `config.key` (fatal) for a key
 * of none.
 */
export function listBitcoinAddresses(
  key: Secret,
  seeded: SeededAccount | null,
): readonly KeyAddress[] {
  const found = KINDS.flatMap(({ name, addressType }): KeyAddress[] => {
    const network = networkOf(name)
    try {
      const { wallet } = createSigner({
        chain: toChainId("bitcoin"),
        asset: null,
        network,
        addressType,
        key,
        maxFeeRate: 1,
      })
      const path = seeded === null ? null : bitcoinPath(seeded.index, { network, addressType })
      return [{ what: `bitcoin ${name}, address: ${addressType}`, path, address: wallet.address }]
    } catch (error) {
      // A WIF is for the main network or for the others.
      if (error instanceof AppError && error.code === "config.key") return []
      throw error
    }
  })
  if (found.length > 0) return found
  throw new AppError({
    code: "config.key",
    disposition: "fatal",
    message:
      `${key} is not a compressed private key (WIF) of any Bitcoin network; export it again ` +
      "from the wallet",
    details: { reference: key.reference },
  })
}
