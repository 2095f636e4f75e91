import { expect, test } from "vitest"
import { isEvmAddress, readBytes32, sameAddress } from "./wallet.ts"

// EIP-55's own example.
const ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
const LOWER = ADDRESS.toLowerCase()
const UPPER = `0x${ADDRESS.slice(2).toUpperCase()}`

test("knows addresses in any spelling, but not a mistyped one", () => {
  expect([ADDRESS, LOWER, UPPER].map(isEvmAddress)).toEqual([true, true, true])
  const wrong = [ADDRESS.replace("aA", "Aa"), "", "0x", "bc1q", LOWER.slice(0, -1), `${LOWER}0`, LOWER.slice(2)]
  expect(wrong.map(isEvmAddress)).toEqual(wrong.map(() => false))
})

test("compares addresses whatever their case, and never finds two other texts the same", () => {
  expect([sameAddress(LOWER, UPPER), sameAddress(ADDRESS, LOWER)]).toEqual([true, true])
  expect([sameAddress("x", "x"), sameAddress("", ""), sameAddress(ADDRESS, "")]).toEqual([false, false, false])
})

test("reads 32 bytes with and without prefix", () => {
  expect([readBytes32("AB".repeat(32)), readBytes32(`0x${"ab".repeat(32)}`)]).toEqual(
    Array(2).fill(`0x${"ab".repeat(32)}`),
  )
  expect(["", "0x", "ab", null, 7].map(readBytes32)).toEqual(Array(5).fill(null))
})
