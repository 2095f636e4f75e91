import { createHash } from "node:crypto"
import { describe, expect, test } from "vitest"
import {
  decodeInitiate,
  decodeMulticall,
  encodeInitiate,
  encodeMulticall,
  encodeRedeem,
  initiateSelector,
  joinHash,
  readInitiated,
  readRedeemSecret,
  readSecret,
  readSecretHash,
  readTransfer,
  SELECTORS,
  splitHash,
} from "#chains/starknet/htlc.ts"

const SECRET = `${"0a".repeat(31)}0b`
const HASH = createHash("sha256").update(Buffer.from(SECRET, "hex")).digest("hex")
const HALF = 2n ** 128n
const terms = { redeemer: 5n, timelock: 2_880n, units: 50_000n, secretHash: HASH }

describe("the calldata of a deposit", () => {
  const words = encodeInitiate({ terms, layout: "words", destinationData: null })
  const decode = (calldata: readonly bigint[]) => decodeInitiate(SELECTORS.initiate, calldata)

  test.each(["words", "halves"] as const)("is read again from %s", (layout) => {
    for (const destinationData of [null, [], [7n, 8n]]) {
      const call = { terms, layout, destinationData }
      expect(decodeInitiate(initiateSelector(call), encodeInitiate(call))).toEqual(call)
    }
  })

  test("has a timelock of at most 128 bits", () => {
    const last = words.with(1, HALF - 1n)
    expect(decode(last)?.terms.timelock).toBe(HALF - 1n)
    expect(decode(words.with(1, HALF))).toBeNull()
  })

  test("ends with its destination data, which counts itself", () => {
    const call = { terms, layout: "words", destinationData: [7n, 8n] } as const
    const data = encodeInitiate(call)
    expect(decodeInitiate(SELECTORS.initiateWithData, data.slice(0, -1))).toBeNull()
    expect(decodeInitiate(SELECTORS.initiateWithData, [...data, 9n])).toBeNull()
    expect(decodeInitiate(SELECTORS.initiate, data)).toBeNull()
    expect(decodeInitiate(SELECTORS.refund, data)).toBeNull()
    expect(decodeInitiate(null, data)).toBeNull()
  })
})

describe("a multicall", () => {
  const calls = [
    { to: 1n, selector: 2n, calldata: [3n, 4n, 5n] },
    { to: 6n, selector: 7n, calldata: [] },
    { to: 8n, selector: 9n, calldata: [10n] },
  ]
  const felts = encodeMulticall(calls)

  test("has its number of calls first, then target, selector, length and calldata", () => {
    expect(felts).toEqual([3n, 1n, 2n, 3n, 3n, 4n, 5n, 6n, 7n, 0n, 8n, 9n, 1n, 10n])
    expect(decodeMulticall(felts)).toEqual(calls)
    expect(decodeMulticall([0n])).toEqual([])
  })

  test("is unreadable unless it covers the felts exactly", () => {
    for (let length = 1; length < felts.length; length++)
      expect(decodeMulticall(felts.slice(0, length)), `${length} felts`).toBeNull()
    expect(decodeMulticall([])).toBeNull()
    expect(decodeMulticall([...felts, 11n])).toBeNull()
    expect(decodeMulticall(felts.with(0, 2n))).toBeNull()
    expect(decodeMulticall(felts.with(3, 1_000n))).toBeNull()
  })
})

describe("a redeem", () => {
  const plain = [9n, ...splitHash(SECRET, "words")]
  const counted = [9n, 8n, ...splitHash(SECRET, "words")]

  test("is sent in both forms, the likelier one of the layout first", () => {
    expect(encodeRedeem(9n, SECRET, "halves")).toEqual([plain, counted])
    expect(encodeRedeem(9n, SECRET, "words")).toEqual([counted, plain])
  })

  test("tells its secret in both forms, and in no other", () => {
    expect(readRedeemSecret(plain)).toBe(SECRET)
    expect(readRedeemSecret(counted)).toBe(SECRET)
    expect(readRedeemSecret(counted.with(1, 7n))).toBeNull()
    expect(readRedeemSecret(plain.slice(0, -1))).toBeNull()
    expect(readRedeemSecret(plain.with(1, 2n ** 32n))).toBeNull()
  })
})

describe("an event", () => {
  const of = (selector: bigint, keys: readonly bigint[], data: readonly bigint[]) => ({
    from: 1n,
    keys: [selector, ...keys],
    data,
  })

  test.each(["words", "halves"] as const)(
    "of a deposit has the hash in %s, and the amount",
    (layout) => {
      const data = [...splitHash(HASH, layout), 50_000n, 1n]
      for (const name of [SELECTORS.initiatedEvent, SELECTORS.initiatedWithDataEvent]) {
        const event = of(name, [77n], data)
        expect(readInitiated(event, HASH)).toEqual({ orderId: 77n, units: 50_000n + HALF })
        expect(readSecretHash(event)).toBe(HASH)
      }
      expect(readInitiated(of(SELECTORS.redeemedEvent, [77n], data), HASH)).toBeNull()
      expect(readInitiated(of(SELECTORS.initiatedEvent, [], data), HASH)).toBeNull()
      expect(readInitiated(of(SELECTORS.initiatedEvent, [77n], data.slice(0, -1)), HASH)).toBeNull()
      expect(readInitiated(of(SELECTORS.initiatedEvent, [77n], data), SECRET)).toBeNull()
    },
  )

  test("of another name has no secret hash", () => {
    const data = splitHash(HASH, "words")
    expect(readSecretHash(of(SELECTORS.redeemedEvent, [], data))).toBe(HASH)
    expect(readSecretHash(of(SELECTORS.refundedEvent, [], data))).toBeNull()
    expect(readSecretHash({ from: 1n, keys: [], data })).toBeNull()
  })

  test("of a redeem ends with the secret of the hash", () => {
    const words = splitHash(SECRET, "words")
    const hash = splitHash(HASH, "words")
    expect(readSecret(of(SELECTORS.redeemedEvent, [], [...hash, ...words]), HASH)).toBe(SECRET)
    expect(readSecret(of(SELECTORS.redeemedEvent, [], [...hash, 8n, ...words]), HASH)).toBe(SECRET)
    expect(readSecret(of(SELECTORS.redeemedEvent, [], [...words, ...hash]), HASH)).toBeNull()
    expect(readSecret(of(SELECTORS.redeemedEvent, [], words.slice(1)), HASH)).toBeNull()
  })

  test("of a transfer has its parties in the keys or in the data", () => {
    const transfer = { from: 4n, to: 5n, units: 6n + HALF }
    const { transferEvent } = SELECTORS
    expect(readTransfer(of(transferEvent, [4n, 5n], [6n, 1n]))).toEqual(transfer)
    expect(readTransfer(of(transferEvent, [], [4n, 5n, 6n, 1n]))).toEqual(transfer)
    expect(readTransfer(of(transferEvent, [], [4n, 5n, 6n]))).toBeNull()
    expect(readTransfer(of(SELECTORS.initiatedEvent, [4n, 5n], [6n, 1n]))).toBeNull()
  })
})

test("a hash is joined from as many parts as its layout has, each within its type", () => {
  expect(joinHash(splitHash(HASH, "halves"), "halves")).toBe(HASH)
  expect(joinHash([1n, 2n], "halves")).toBe(`${"0".repeat(31)}1${"0".repeat(31)}2`)
  expect(joinHash([1n, HALF], "halves")).toBeNull()
  expect(joinHash([1n], "halves")).toBeNull()
  expect(joinHash([1n, 2n], "words")).toBeNull()
})
