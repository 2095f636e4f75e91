import { expect, test } from "vitest"
import { decodeInitiate, decodeRevert, deriveOrderIds, encodeInitiate } from "#chains/evm/htlc.ts"
import { requireAddress } from "#chains/evm/wallet.ts"
import { sampleTerms, strangerAddress } from "./sample-order.ts"

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
  expect(data.slice(0, 10)).toBe("0x97ffc7ae")
  expect(decodeInitiate(data)).toEqual(sampleTerms)
  expect(decodeInitiate(data.toUpperCase().replace("0X", "0x"))).toEqual(sampleTerms)
  expect(decodeInitiate(`${data}00`)).toBeNull()
})

test("decodes reverts with a known selector to text", () => {
  const text = `0x08c379a0${"20".padStart(64, "0")}${"3".padStart(64, "0")}${"6e6f21".padEnd(64, "0")}` as const
  expect(decodeRevert(text)).toBe("Error(no!)")
  expect(decodeRevert("0xdeadbeef")).toBe("0xdeadbeef")
})
