import {
  type Address,
  encodeAbiParameters,
  type Hex,
  parseAbiParameters,
  toFunctionSelector,
} from "viem"
import { expect, test } from "vitest"
import { decodeRevert, isDuplicateOrder, isUnknownOrder } from "#chains/evm/decode-revert.ts"
import {
  decodeDeposit,
  decodeInitiation,
  deriveOrderIds,
  encodeInitiate,
} from "#chains/evm/htlc.ts"
import { requireAddress } from "#chains/evm/wallet.ts"
import { sampleTerms, strangerAddress } from "../../../chains/evm/sample-order.ts"

test("derives the order ids that live deployments publish", () => {
  const relayer = requireAddress("0x004Cc75ACF4132Fc08cB6a252E767804F303F729")
  const first = deriveOrderIds(
    {
      ...sampleTerms,
      initiator: relayer,
      secretHash: "61d22856ce12bc3693df0cd4967d404400449f61810080c52638fd805b379723",
    },
    { chainId: 11_155_111, htlc: strangerAddress },
  )
  expect(first.v1).toBe("0x30facc712b6eaa7a2453dba968da223d180322f224285db2820a8cdd7125147a")
  const second = deriveOrderIds(
    {
      initiator: requireAddress("0x661bA32eb5f86CaB358DDbB7F264b10c5825e2dd"),
      redeemer: relayer,
      timelock: 3_600n,
      units: 498_500n,
      secretHash: "3c4522983261f81e2e679346bbda5dddd8b4ea0367dd4073f73f13320d9dee62",
    },
    { chainId: 84_532, htlc: strangerAddress },
  )
  expect(second.v2).toBe("0x3ab702b4db8f9b54f56d4ceeab7811ee02447785605a2c5b8df7dcc071efed91")
  expect(new Set(Object.values(second)).size).toBe(3)
})

test("encodes the call of the field notes, and decodes no other call", () => {
  const data = encodeInitiate(sampleTerms)
  const plain = { terms: sampleTerms, destinationData: null, initiator: null }
  expect(data.slice(0, 10)).toBe("0x97ffc7ae")
  expect(decodeDeposit(data)).toEqual(plain)
  expect(decodeDeposit(data.toUpperCase().replace("0X", "0x"))).toEqual(plain)
  expect(decodeDeposit(`${data}00`)).toBeNull()
})

test("reads the initiator and terms of every function that opens an order", () => {
  const { redeemer, timelock, units, secretHash } = sampleTerms
  const initiator = requireAddress(`0x${"77".repeat(20)}`)
  const sender = strangerAddress
  const four = encodeAbiParameters(parseAbiParameters("address, uint256, uint256, bytes32"), [
    redeemer,
    timelock,
    units,
    `0x${secretHash}`,
  ]).slice(2)
  const named = encodeAbiParameters([{ type: "address" }], [initiator]).slice(2)
  const bytes = (offset: number): string =>
    `${offset.toString(16).padStart(64, "0")}${"2".padStart(64, "0")}${"1234".padEnd(64, "0")}`
  // The selectors of the audited contracts; the last one is in the published client's older ABI.
  const calls: readonly [Hex, Address | null][] = [
    [`0x97ffc7ae${four}`, sender],
    [`0x4ede0ab7${four}${bytes(160)}`, sender],
    [`0x13d4a787${named}${four}`, initiator],
    [`0xa66a8641${named}${four}${bytes(192)}`, initiator],
    [`0xd4705e9e${named}${four}${bytes(192)}`, initiator],
    [
      `${toFunctionSelector("initiateWithSignature(address,uint256,uint256,bytes32,bytes)")}${four}${bytes(160)}`,
      null,
    ],
  ]
  for (const [input, who] of calls) {
    expect(decodeInitiation({ from: sender, input })).toEqual({ ...sampleTerms, initiator: who })
  }
  expect(decodeInitiation({ from: sender, input: "0x97ffc7ae" })).toBeNull()
  expect(decodeInitiation({ from: sender, input: `0x7249fbb6${"00".repeat(32)}` })).toBeNull()
})

test("decodes reverts with a known selector to text", () => {
  const offset = "20".padStart(64, "0")
  const length = "3".padStart(64, "0")
  const text = `0x08c379a0${offset}${length}${"6e6f21".padEnd(64, "0")}` as const
  expect(decodeRevert(text)).toBe("Error(no!)")
  expect(decodeRevert("0xdeadbeef")).toBe("0xdeadbeef")
})

test.each([
  ["0x90c06174", "HTLC__DuplicateOrder()"],
  ["0x850c33e1", "NativeHTLC__DuplicateOrder()"],
  ["0xee1b963b", "ArbHTLC__DuplicateOrder()"],
  ["0x78117f46", "ArbNativeHTLC__DuplicateOrder()"],
  ["0xca1eac12", "HTLC__OrderNotInitiated()"],
  ["0x71e76dc2", "NativeHTLC__OrderNotInitiated()"],
  ["0x693989cc", "ArbHTLC__OrderNotInitiated()"],
  ["0x29f30f7c", "ArbNativeHTLC__OrderNotInitiated()"],
  ["0x839f009c", "HTLC__OrderNotExpired()"],
  ["0x221bb10a", "NativeHTLC__OrderNotExpired()"],
  ["0xcadc2009", "ArbHTLC__OrderNotExpired()"],
  ["0x9c5ad466", "ArbNativeHTLC__OrderNotExpired()"],
  ["0x356b842c", "HTLC__OrderFulfilled()"],
  ["0xa6fe390b", "NativeHTLC__IncorrectFundsRecieved()"],
  ["0x2178d3cb", "HTLC__HTLCAlreadyInitialized()"],
  ["0x4a471281", "ArbHTLC__ZeroAddressInitiator()"],
])("names the audited contracts' error %s", (selector, text) => {
  expect(decodeRevert(selector)).toBe(text)
  expect(isDuplicateOrder(text)).toBe(text.includes("Duplicate"))
  expect(isUnknownOrder(text)).toBe(text.includes("NotInitiated"))
})

test("knows the older contracts' texts", () => {
  expect(isDuplicateOrder("Error(HTLC: duplicate order)")).toBe(true)
  expect(isUnknownOrder("Error(HTLC: order not initiated)")).toBe(true)
  expect(isDuplicateOrder("ERC20InsufficientAllowance(0x1, 0, 1)")).toBe(false)
})
