import { expect, test } from "vitest"
import {
  encodeShortString,
  formatAddress,
  formatFelt,
  joinU256,
  readAddress,
  readFelt,
  readHexFelt,
  splitU256,
} from "#chains/starknet/felt.ts"

/** Written out (docs.starknet.io, STARK field), so that no arithmetic of ours repeats itself. */
const PRIME = "0x800000000000011000000000000000000000000000000000000000000000001"
const LARGEST = "0x800000000000011000000000000000000000000000000000000000000000000"
/** 2^251 - 256 (docs.starknet.io, contract address). */
const ADDRESS_LIMIT = "0x7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00"
const LAST_ADDRESS = "0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeff"

test("a felt is below the prime, in each notation", () => {
  expect(readFelt(LARGEST)).toBe(BigInt(LARGEST))
  expect(readFelt(BigInt(LARGEST).toString())).toBe(BigInt(LARGEST))
  expect(readFelt(PRIME)).toBeNull()
  expect(readFelt(BigInt(PRIME).toString())).toBeNull()
  expect(readFelt(0)).toBe(0n)
  expect(readFelt("0x0")).toBe(0n)
  expect(readFelt(Number.MAX_SAFE_INTEGER)).toBe(9_007_199_254_740_991n)
})

test.each([-1, 1.5, 2 ** 53, "", "0x", "-1", "1.5", "0xg", ` ${1}`, null, undefined, 1n, [1]])(
  "%o is no felt",
  (value) => expect(readFelt(value)).toBeNull(),
)

test("hex is read with and without its prefix", () => {
  expect(readHexFelt("ff")).toBe(255n)
  expect(readHexFelt("0xff")).toBe(255n)
  expect(readHexFelt("xy")).toBeNull()
})

test("an address lies between the reserved ones and its limit, and has a prefix", () => {
  expect(readAddress("0x2")).toBe(2n)
  expect(readAddress(LAST_ADDRESS)).toBe(BigInt(LAST_ADDRESS))
  for (const text of ["0x0", "0x1", ADDRESS_LIMIT, PRIME, "255", "ff"])
    expect(readAddress(text), text).toBeNull()
})

test("felts and addresses are written in the forms of nodes and explorers", () => {
  expect(formatFelt(0x0abcn)).toBe("0xabc")
  expect(formatAddress(0xabcn)).toBe(`0x${"0".repeat(61)}abc`)
  expect(encodeShortString("SN_MAIN")).toBe(0x534e5f4d41494en)
  expect(encodeShortString("")).toBe(0n)
})

test("an amount of 256 bits has two halves, the low one first", () => {
  const low = 2n ** 128n - 1n
  expect(splitU256(low)).toEqual([low, 0n])
  expect(splitU256(2n ** 128n)).toEqual([0n, 1n])
  expect(splitU256((7n << 128n) + 9n)).toEqual([9n, 7n])
  expect(joinU256(9n, 7n)).toBe((7n << 128n) + 9n)
  expect(joinU256(low, low)).toBe(2n ** 256n - 1n)
})

test.each([
  [2n ** 128n, 0n],
  [0n, 2n ** 128n],
  [null, 0n],
  [0n, undefined],
])("%s and %s are no halves", (low, high) => expect(joinU256(low, high)).toBeNull())
