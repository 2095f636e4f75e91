import { base58 } from "@scure/base"
import { Keypair } from "@solana/web3.js"
import fc from "fast-check"
import { describe, test } from "vitest"
import { readEvmAccount } from "#chains/evm/keys/read-account.ts"
import { createEvmSigner } from "#chains/evm/signer.ts"
import { readSolanaAccount } from "#chains/solana/keys/read-account.ts"
import { createSigner as createSolanaSigner } from "#chains/solana/signer.ts"
import { listStarknetKeys } from "#chains/starknet/keys/list-addresses.ts"
import { readStarknetAccount } from "#chains/starknet/keys/read-account.ts"
import { bytes, compare, text } from "./compare-accounts.ts"

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
})
