import { base58 } from "@scure/base"
import { Keypair } from "@solana/web3.js"
import { ECPairFactory } from "ecpair"
import fc from "fast-check"
import * as ecc from "tiny-secp256k1"
import { describe, expect, test } from "vitest"
import { networkOf } from "#chains/bitcoin/address.ts"
import { readBitcoinAccount } from "#chains/bitcoin/keys/read-account.ts"
import { createSigner as createBitcoinSigner } from "#chains/bitcoin/signer.ts"
import { readEvmAccount } from "#chains/evm/keys/read-account.ts"
import { createEvmSigner } from "#chains/evm/signer.ts"
import { createMnemonic } from "#chains/mnemonic.ts"
import { formatMnemonic } from "#chains/mnemonic-text.ts"
import { readSolanaAccount } from "#chains/solana/keys/read-account.ts"
import { createSigner as createSolanaSigner } from "#chains/solana/signer.ts"
import { listStarknetKeys } from "#chains/starknet/keys/list-addresses.ts"
import { readStarknetAccount } from "#chains/starknet/keys/read-account.ts"
import { toChainId } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"
import { Secret } from "#lib/secret.ts"

/**
 * `ballast check` and `ballast wallet` derive accounts without the chains' libraries. The libraries
 * judge here: each text gives the same account, or is refused with the same error.
 */
const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
const hex = bytes.map((key) => Buffer.from(key).toString("hex"))
const ORDER = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
const edges = [
  "0".repeat(64),
  `${"0".repeat(63)}1`,
  ORDER,
  `${ORDER.slice(0, -1)}0`,
  `${ORDER.slice(0, -1)}2`,
  "f".repeat(64),
  "",
  "0x",
  "0x0",
  "0x1",
  "0X12",
  "12345",
  "zz",
  "not a key",
  `0x${"0".repeat(65)}`,
  "0x1 ",
  " 0x1",
  "0800000000000010ffffffffffffffffb781126dcae7b2321e66a241adc64d2f",
  "0800000000000010ffffffffffffffffb781126dcae7b2321e66a241adc64d2e",
  "bip39 0 not a mnemonic",
  "bip39 x abandon",
  `\n${"7".repeat(64)}\n`,
  "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ",
]
const mnemonic = fc
  .record({ index: fc.integer({ min: 0, max: 999_999 }), again: fc.nat() })
  .map(({ index }) => formatMnemonic(createMnemonic(), index))
const text = fc.oneof(
  ...[
    { arbitrary: hex, weight: 4 },
    { arbitrary: hex.map((key) => `0x${key.toUpperCase()}`), weight: 2 },
  ],
  ...[
    { arbitrary: fc.constantFrom(...edges), weight: 4 },
    { arbitrary: fc.string(), weight: 1 },
  ],
  ...[
    { arbitrary: fc.base64String(), weight: 1 },
    { arbitrary: fc.integer({ min: 1 }).map((n) => n.toString(16)), weight: 1 },
  ],
)

type Answer = { readonly account: string } | { readonly code: string; readonly message: string }

async function answer(read: () => string | Promise<string>): Promise<Answer> {
  try {
    return { account: await read() }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { code: error.code, message: error.message }
  }
}

/** Each property tries the edges first, then random texts and mnemonics. */
async function compare(
  texts: fc.Arbitrary<string>,
  light: (key: Secret) => Promise<string>,
  judge: (key: Secret) => string,
): Promise<void> {
  const property = fc.asyncProperty(texts, async (written) => {
    const key = new Secret(written, "env:KEY")
    expect(await answer(() => light(key))).toEqual(await answer(() => judge(key)))
  })
  await fc.assert(property, { numRuns: 150, examples: edges.map((edge) => [edge]) })
  await fc.assert(
    fc.asyncProperty(mnemonic, async (written) => {
      const key = new Secret(written, "keystore:k.json")
      const found = await answer(() => light(key))
      expect(found).toEqual(await answer(() => judge(key)))
      expect(found).toHaveProperty("account")
    }),
    { numRuns: 4 },
  )
}

describe("the account without the chain's library is the library's", () => {
  test("EVM", () => compare(text, readEvmAccount, (key) => createEvmSigner(key).account))

  test("Solana", async () => {
    const pair = bytes.map((seed) => Keypair.fromSeed(seed).secretKey)
    const damaged = fc.record({ pair, at: fc.nat({ max: 63 }) }).map(({ pair: whole, at }) => {
      return whole.map((byte, index) => (index === at ? byte ^ 1 : byte))
    })
    const texts = fc.oneof(
      pair.map((key) => base58.encode(key)),
      pair.map((key) => ` ${JSON.stringify([...key])}\n`),
      damaged.map((key) => base58.encode(key)),
      fc.constantFrom("[1,2", "[300]", "[]", base58.encode(new Uint8Array(32))),
      text,
    )
    await compare(
      texts,
      (key) => readSolanaAccount(key, []),
      (key) => createSolanaSigner(key).account,
    )
  })

  test("Starknet: the account is configured, and the key is checked", () =>
    compare(
      text,
      (key) => readStarknetAccount({ account: "0x123", key }, []),
      (key) => (listStarknetKeys(key, null).length === 1 ? "0x123" : ""),
    ))

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
