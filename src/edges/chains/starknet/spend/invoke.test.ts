import { describe, expect, test } from "vitest"
import {
  type Bounds,
  formatInvoke,
  hashInvoke,
  maxFeeOf,
  parseInvoke,
  raiseTo,
  scalePrices,
  toWire,
  type UnsignedInvoke,
} from "./invoke.ts"
import { highest } from "./urgent-bounds.ts"

const BOUNDS: Bounds = {
  l1Gas: { amount: "0x0", price: "0x64" },
  l2Gas: { amount: "0x3e8", price: "0xa" },
  l1DataGas: { amount: "0x64", price: "0x5" },
  tip: "0x0",
}
const INVOKE: UnsignedInvoke = {
  chainId: "SN_SEPOLIA",
  sender: "0x1",
  nonce: "0x2",
  calldata: ["0x0"],
  bounds: BOUNDS,
}

describe("an offer above the estimate", () => {
  test("goes half into the tip, which decides about the place in a block, and half into the prices", () => {
    const raised = raiseTo(BOUNDS, 31_500n)
    expect(maxFeeOf(BOUNDS)).toBe(10_500n)
    expect(raised).toMatchObject({
      tip: "0xa",
      l2Gas: { price: "0x14" },
      l1DataGas: { price: "0xa" },
    })
    expect(maxFeeOf(raised)).toBe(31_000n)
  })

  test.each([10_501n, 11_111n, 12_345_678n])("never costs more than %s", (units) => {
    expect(maxFeeOf(raiseTo(BOUNDS, units))).toBeLessThanOrEqual(units)
    expect(maxFeeOf(raiseTo(raiseTo(BOUNDS, 11_000n), units))).toBeLessThanOrEqual(
      units < 11_000n ? 11_000n : units,
    )
  })

  test("is none where the estimate is as high", () => {
    expect(raiseTo(BOUNDS, 10_500n)).toEqual(BOUNDS)
    const free = { ...BOUNDS, l2Gas: { amount: "0x0", price: "0xa" } }
    expect(raiseTo(free, 9_000n).tip).toBe("0x0")
  })
})

test("a replacement has a tip 15 % higher too, which a mempool asks for", () => {
  const tipped = { ...BOUNDS, tip: "0x65" }
  expect(BigInt(scalePrices(tipped, 115n).tip)).toBe(117n)
  expect(highest(BOUNDS, tipped).tip).toBe("0x65")
  expect(highest(tipped, BOUNDS).tip).toBe("0x65")
})

test("the hash and the wire have the tip, and a plan of an older version has none", () => {
  const tipped = { ...INVOKE, bounds: { ...BOUNDS, tip: "0x7" } }
  expect(toWire(tipped, [])).toMatchObject({ tip: "0x7" })
  expect(hashInvoke(tipped)).not.toBe(hashInvoke(INVOKE))
  const { tip: _, ...old } = BOUNDS
  const read = parseInvoke(JSON.stringify({ ...INVOKE, bounds: old }))
  expect(read).toEqual(INVOKE)
  expect(hashInvoke(read)).toBe(hashInvoke(INVOKE))
  expect(parseInvoke(formatInvoke(tipped))).toEqual(tipped)
})

test("a tip has 64 bits", () => {
  expect(raiseTo(BOUNDS, 10n ** 26n).tip).toBe(`0x${"f".repeat(16)}`)
  const bounds = { ...BOUNDS, tip: `0x1${"0".repeat(16)}` }
  const code = "signer.unsigned_malformed"
  expect(() => parseInvoke(JSON.stringify({ ...INVOKE, bounds }))).toThrow(
    expect.objectContaining({ code }),
  )
})
