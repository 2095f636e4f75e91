import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { listCostParts } from "#policy/list-cost-parts.ts"
import type { AssetView, PairCosts } from "#policy/treasury-view.ts"

const from = parseAssetId("base:usdc")
const to = parseAssetId("arbitrum:usdc")
const QUOTE: PairCosts = {
  readable: true,
  available: true,
  fixedFeeFiat: 100n,
  bps: 10n,
  minUnits: 1n,
  maxUnits: null,
  networkFeeFiat: 30n,
  refundFeeFiat: 7n,
}

const NOTHING = { refundRiskFiat: null, lockedFiat: null }
/** Two thousand smallest units are worth two thousand millionths. */
const SOURCE: AssetView = {
  id: from,
  decimals: 6,
  priceFiat: 1_000_000n,
  balance: { readable: false, cause: { code: "x", message: "" } },
}

function split(quote: PairCosts, costFiat: bigint | null = 150n) {
  return listCostParts(
    { from, to, units: 2_000n, costFiat },
    { assets: [SOURCE], pairs: [{ from, to, quote }] },
  )
}

test("the swap and the network fee add up to the cost, and a refund comes on top", () => {
  expect(split(QUOTE)).toEqual({ ...NOTHING, swapFiat: 120n, networkFiat: 30n, refundFiat: 7n })
})

test("a view with the risk of the pair shows the parts that only ceilings count", () => {
  const risk = { refundPpm: 200_000n, lockPpb: 10_000_000n }
  expect(split({ ...QUOTE, risk })).toMatchObject({
    swapFiat: 120n,
    refundRiskFiat: 2n,
    lockedFiat: 20n,
  })
  const { refundFeeFiat: _, ...gasless } = QUOTE
  expect(split({ ...gasless, risk })).toMatchObject({ refundRiskFiat: null, lockedFiat: 20n })
})

test("a network fee without an estimate is unknown and not zero", () => {
  const { networkFeeFiat: _, refundFeeFiat: __, ...gasless } = QUOTE
  expect(split(gasless)).toEqual({
    ...NOTHING,
    swapFiat: 150n,
    networkFiat: null,
    refundFiat: null,
  })
})

test("an unknown cost, an unknown pair and an unreadable quote have no parts", () => {
  expect(split(QUOTE, null)).toBeNull()
  expect(
    listCostParts(
      { from: to, to: from, units: 1n, costFiat: 1n },
      { assets: [], pairs: [{ from, to, quote: QUOTE }] },
    ),
  ).toBeNull()
  const quote = { readable: false, cause: { code: "x", message: "" } } as const
  expect(
    listCostParts(
      { from, to, units: 1n, costFiat: 1n },
      { assets: [], pairs: [{ from, to, quote }] },
    ),
  ).toBeNull()
})
