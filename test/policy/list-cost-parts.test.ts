import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { listCostParts } from "#policy/list-cost-parts.ts"
import type { PairCosts } from "#policy/treasury-view.ts"

const [from, to] = [parseAssetId("base:usdc"), parseAssetId("arbitrum:usdc")]
const QUOTE: PairCosts = {
  ...{ readable: true, available: true, fixedFeeFiat: 100n, bps: 10n },
  ...{ minUnits: 1n, maxUnits: null, networkFeeFiat: 30n, refundFeeFiat: 7n },
}

function split(quote: PairCosts, costFiat: bigint | null = 150n) {
  return listCostParts({ from, to, costFiat }, { pairs: [{ from, to, quote }] })
}

test("the swap and the network fee add up to the cost, and a refund comes on top", () => {
  expect(split(QUOTE)).toEqual({ swapFiat: 120n, networkFiat: 30n, refundFiat: 7n })
})

test("a network fee without an estimate is unknown and not zero", () => {
  const { networkFeeFiat: _, refundFeeFiat: __, ...gasless } = QUOTE
  expect(split(gasless)).toEqual({ swapFiat: 150n, networkFiat: null, refundFiat: null })
})

test("an unknown cost, an unknown pair and an unreadable quote have no parts", () => {
  expect(split(QUOTE, null)).toBeNull()
  expect(listCostParts({ from: to, to: from, costFiat: 1n }, { pairs: [{ from, to, quote: QUOTE }] })).toBeNull()
  const quote = { readable: false, cause: { code: "x", message: "" } } as const
  expect(listCostParts({ from, to, costFiat: 1n }, { pairs: [{ from, to, quote }] })).toBeNull()
})
