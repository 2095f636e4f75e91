import { ECPairFactory } from "ecpair"
import fc from "fast-check"
import * as ecc from "tiny-secp256k1"
import { describe, test } from "vitest"
import { networkOf } from "#chains/bitcoin/address.ts"
import { readBitcoinAccount } from "#chains/bitcoin/keys/read-account.ts"
import { createSigner as createBitcoinSigner } from "#chains/bitcoin/signer.ts"
import { toChainId } from "#domain/asset.ts"
import { bytes, compare, text } from "./compare-accounts.ts"

describe("the account without the chain's library is the library's", () => {
  for (const network of ["mainnet", "testnet4", "regtest"] as const) {
    for (const address of ["p2tr", "p2wpkh"] as const) {
      test(`Bitcoin: ${network}, ${address}`, () => {
        const where = {
          chain: toChainId("bitcoin"),
          asset: null,
          network: networkOf(network),
          addressType: address,
        }
        const pairs = ECPairFactory(ecc)
        const wif = fc
          .record({
            key: bytes,
            compressed: fc.boolean(),
            network: fc.constantFrom("mainnet", "testnet"),
          })
          .filter(({ key }) => ecc.isPrivate(key))
          .map(({ key, compressed, network: of }) =>
            pairs.fromPrivateKey(key, { compressed, network: networkOf(of as "mainnet") }).toWIF(),
          )
        const damaged = wif.map((good) => `${good.slice(0, 20)}1${good.slice(21)}`)
        return compare(
          fc.oneof(wif, wif, damaged, text),
          (key) => readBitcoinAccount({ network, address, key }),
          (key) => createBitcoinSigner({ ...where, key, maxFeeRate: 1 }).wallet.address,
        )
      })
    }
  }
})
