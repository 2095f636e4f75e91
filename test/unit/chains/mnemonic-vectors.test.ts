import { expect, test } from "vitest"
import { networkOf } from "#chains/bitcoin/address.ts"
import { createSigner as createBitcoinSigner } from "#chains/bitcoin/signer.ts"
import { createEvmSigner } from "#chains/evm/signer.ts"
import { readMnemonic } from "#chains/mnemonic.ts"
import { formatMnemonic } from "#chains/mnemonic-text.ts"
import { createSigner as createSolanaSigner } from "#chains/solana/signer.ts"
import { deriveStarknetKey } from "#chains/starknet/keys/derive-key.ts"
import { toChainId } from "#domain/asset.ts"
import { mustExist } from "#lib/assert.ts"
import { Secret } from "#lib/secret.ts"

/** The mnemonic of the test vectors of BIP-84 and BIP-86. */
const ABOUT =
  "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"

const secretOf = (words: string, index: number): Secret =>
  new Secret(formatMnemonic(words, index), "keystore:test")

test.each([
  ["BIP-84, first receiving address", "p2wpkh", 0, "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"],
  ["BIP-84, second receiving address", "p2wpkh", 1, "bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g"],
  [
    "BIP-86, first receiving address",
    "p2tr",
    0,
    "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
  ],
  [
    "BIP-86, second receiving address",
    "p2tr",
    1,
    "bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh",
  ],
] as const)("Bitcoin: %s", (_name, addressType, index, address) => {
  const where = {
    chain: toChainId("bitcoin"),
    asset: null,
    network: networkOf("mainnet"),
    addressType,
    maxFeeRate: 1,
  }
  expect(createBitcoinSigner({ ...where, key: secretOf(ABOUT, index) }).wallet.address).toBe(
    address,
  )
})

test("EVM: the accounts that Anvil and Hardhat print for their mnemonic", () => {
  const words = "test test test test test test test test test test test junk"
  expect(createEvmSigner(secretOf(words, 0)).account).toBe(
    "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
  )
  expect(createEvmSigner(secretOf(words, 1)).account).toBe(
    "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  )
})

test("Solana: the account that Phantom shows for the mnemonic of BIP-84", () => {
  expect(createSolanaSigner(secretOf(ABOUT, 0)).account).toBe(
    "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk",
  )
})

// starkware-libs/starkware-crypto-utils, test/js/key_derivation.spec.ts: layer starkex, application
// starkdeployement.
test("Starknet: StarkWare's vector of derivation and grinding", () => {
  const words =
    "range mountain blast problem vibrant void vivid doctor cluster enough melody salt layer " +
    "language laptop boat major space monkey unit glimpse pause change vibrant"
  const account = mustExist(readMnemonic(formatMnemonic(words, 0)), "the mnemonic")
  const path = "m/2645'/579218131'/891216374'/1961790679'/2135936222'/0"
  expect(deriveStarknetKey(account, path)).toBe(
    "0x6cf0a8bf113352eb863157a45c5e5567abb34f8d32cddafd2c22aa803f4892c",
  )
})

test("a mnemonic with a wrong checksum is no mnemonic", () => {
  expect(readMnemonic(formatMnemonic(ABOUT.replace(/about$/, "abandon"), 0))).toBe(null)
})
