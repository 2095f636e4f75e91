import { createHash, randomBytes } from "node:crypto"
import {
  type Hex,
  recoverTransactionAddress,
  type TransactionSerialized,
  verifyTypedData,
} from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { describe, expect, test } from "vitest"
import { openKeyAccount } from "#chains/evm/keys/account.ts"

/** The first and the last private key of the curve, and others. */
const KEYS: readonly Hex[] = [
  `0x${"0".repeat(63)}1`,
  "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140",
  ...Array.from({ length: 20 }, (): Hex => `0x${randomBytes(32).toString("hex")}`),
]

const TYPED = {
  domain: {
    name: "HTLC",
    version: "3",
    chainId: 84_532,
    verifyingContract: `0x${"34".repeat(20)}`,
  },
  types: {
    Initiate: [
      { name: "redeemer", type: "address" },
      { name: "amount", type: "uint256" },
    ],
  },
  primaryType: "Initiate",
} as const

function transactionOf(nonce: number) {
  const data: Hex = `0x${createHash("sha256").update(String(nonce)).digest("hex")}`
  const fees = { maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: BigInt(nonce) }
  return {
    type: "eip1559",
    chainId: 8453,
    to: `0x${"12".repeat(20)}`,
    nonce,
    gas: 90_000n,
    value: 7n,
    data,
    ...fees,
  } as const
}

describe("the account of a private key", () => {
  test("has viem's address, and signs transactions and typed data with viem's bytes", async () => {
    for (const [index, key] of KEYS.entries()) {
      const ours = openKeyAccount(key)
      const theirs = privateKeyToAccount(key)
      expect(ours.address).toBe(theirs.address)
      const nonces = index < 3 ? [0, 1, 2, 3] : [index]
      for (const nonce of nonces) {
        const raw = await ours.signTransaction(transactionOf(nonce))
        expect(raw).toBe(await theirs.signTransaction(transactionOf(nonce)))
        // CAST: the account serializes this type of transaction only.
        const serializedTransaction = raw as TransactionSerialized<"eip1559">
        expect(await recoverTransactionAddress({ serializedTransaction })).toBe(theirs.address)
        const message = { redeemer: theirs.address, amount: BigInt(nonce) }
        const signature = await ours.signTypedData({ ...TYPED, message })
        expect(signature).toBe(await theirs.signTypedData({ ...TYPED, message }))
        expect(
          await verifyTypedData({ ...TYPED, message, address: theirs.address, signature }),
        ).toBe(true)
      }
    }
  })

  test("shows its key nowhere", () => {
    const key = KEYS[2] ?? "0x"
    const account = openKeyAccount(key)
    expect(Object.keys(account).toSorted()).toEqual(["address", "signTransaction", "signTypedData"])
    expect(JSON.stringify(account)).not.toContain(key.slice(2))
  })
})
