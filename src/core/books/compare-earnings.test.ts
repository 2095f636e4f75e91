import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { compareEarnings } from "./compare-earnings.ts"

const USDC = parseAssetId("base:usdc")
const CBBTC = parseAssetId("base:cbbtc")
const week = (units: bigint, unknownOrders = 0) => ({ asset: USDC, units, unknownOrders })
const states = (owedUnits: bigint, paidUnits: bigint | null, asset = USDC) => ({
  asset,
  owedUnits,
  paidUnits,
  contract: null,
})

test.each([
  ["what is left to claim and was claimed", [states(30n, 70n)], "same"],
  ["two services together", [states(30n, 0n), states(20n, 50n)], "same"],
  ["too little", [states(30n, 69n)], "service_less"],
  ["nothing at all", [], "service_less"],
  ["too much", [states(31n, 70n)], "service_more"],
  ["too little, and no earlier claims", [states(30n, null)], "paid_unknown"],
] as const)("a service that states %s", (_name, stated, verdict) => {
  expect(compareEarnings([week(60n), week(40n)], stated, true)).toMatchObject([
    { asset: USDC, ownUnits: 100n, verdict },
  ])
})

test("nothing is concluded without every list and every amount", () => {
  expect(compareEarnings([week(100n, 1)], [states(100n, 0n)], true)[0]?.verdict).toBe("incomplete")
  expect(compareEarnings([week(100n)], [states(100n, 0n)], false)[0]?.verdict).toBe("incomplete")
})

test("an asset of one side only is compared too", () => {
  expect(compareEarnings([week(1n)], [states(5n, 0n, CBBTC)], true)).toMatchObject([
    { asset: CBBTC, ownUnits: 0n, statedUnits: 5n, verdict: "service_more" },
    { asset: USDC, ownUnits: 1n, statedUnits: 0n, verdict: "service_less" },
  ])
})
