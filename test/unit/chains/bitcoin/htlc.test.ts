import { p2tr, Script, TEST_NETWORK } from "@scure/btc-signer"
import fc from "fast-check"
import { expect, it } from "vitest"
import { networkOf } from "#chains/bitcoin/address.ts"
import { deriveHtlc, type HtlcTerms, htlcTerms, parseXOnlyKey } from "#chains/bitcoin/htlc.ts"
import { sampleSecretHash, xOnlyOf } from "../../../chains/bitcoin/sample-order.ts"

const internalKey = "2160e11a135f94e536a5b222e5d09fd9db1be5f5f5e753920290c0410cf388f0"
const terms: HtlcTerms = {
  refundKey: xOnlyOf(1),
  redeemKey: xOnlyOf(7),
  secretHash: sampleSecretHash,
  timelock: 144,
}

/**
 * Derives the same tree with another library, so that an error in our code does not confirm itself.
 */
function deriveIndependently({ refundKey, redeemKey, secretHash, timelock }: HtlcTerms) {
  const [refund, redeem, hash] = [refundKey, redeemKey, secretHash].map((hex) =>
    Uint8Array.from(Buffer.from(hex, "hex")),
  )
  if (!refund || !redeem || !hash) throw new Error("unreachable")
  const leaves = [
    ["SHA256", hash, "EQUALVERIFY", redeem, "CHECKSIG"],
    [timelock, "CHECKSEQUENCEVERIFY", "DROP", refund, "CHECKSIG"],
    [refund, "CHECKSIG", redeem, "CHECKSIGADD", 2, "NUMEQUAL"],
  ] as const
  const [a, b, c] = leaves.map((leaf) => ({ script: Script.encode([...leaf]) }))
  if (!a || !b || !c) throw new Error("unreachable")
  return p2tr(Uint8Array.from(Buffer.from(internalKey, "hex")), [a, [b, c]], TEST_NETWORK, true)
}

it("derives the addresses of our own test vectors", () => {
  expect(deriveHtlc(terms, networkOf("testnet")).address).toBe(
    "tb1permyyh9r82z95m0m6zmq6s34axqa7zzt2wy4ka8n9zg2rj4ggmxs39lqf8",
  )
  expect(deriveHtlc({ ...terms, timelock: 12 }, networkOf("testnet4")).address).toBe(
    "tb1pp5wefnsrh87akkdslm5w8ekhudncjgpy5mmhzhrw26rg2trlvjcq52kydd",
  )
  expect(deriveHtlc(terms, networkOf("mainnet")).address).toBe(
    "bc1permyyh9r82z95m0m6zmq6s34axqa7zzt2wy4ka8n9zg2rj4ggmxsxdf0ng",
  )
})

it("agrees with an independent implementation on address and refund path", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 255 }),
      fc.integer({ min: 1, max: 255 }),
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 0xffff })),
      (refund, redeem, hash, timelock) => {
        const secretHash = Buffer.from(hash).toString("hex")
        const some = {
          refundKey: xOnlyOf(refund),
          redeemKey: xOnlyOf(redeem),
          secretHash,
          timelock,
        }
        const derived = deriveHtlc(some, networkOf("testnet"))
        const independent = deriveIndependently(some)
        expect(derived.address).toBe(independent.address)
        const leaf = independent.leaves?.find(({ script }) =>
          Buffer.from(script).equals(derived.refundLeaf),
        )
        expect(leaf).toMatchObject({ controlBlock: derived.refundControlBlock })
      },
    ),
    { numRuns: 40 },
  )
})

it("reads x-only and compressed keys and nothing else", () => {
  const key = xOnlyOf(7)
  expect([key, `02${key}`, `03${key}`, `0x${key.toUpperCase()}`].map(parseXOnlyKey)).toEqual([
    key,
    key,
    key,
    key,
  ])
  const offCurve = `${"00".repeat(31)}05`
  expect(
    [null, "", "tb1q", `04${key}`, key.slice(2), offCurve, "ff".repeat(32)].map(parseXOnlyKey),
  ).toEqual(Array.from({ length: 7 }, () => null))
})

it("accepts only locks that BIP 68 counts in blocks", () => {
  const locks = [0, 1, 0xffff, 0x10000, 1.5, 0x400001].map(
    (timelock) => htlcTerms.safeParse({ ...terms, timelock }).success,
  )
  expect(locks).toEqual([false, true, true, false, false, false])
})
