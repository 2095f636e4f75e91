import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { askCosts, boundLine } from "#policy/planner/order-costs.ts"
import type { PairCosts } from "#policy/treasury-view.ts"

const USD = 1_000_000n
const LIMITS = { maxOrders: 9, maxOrder: null, split: true, maxCost: null }
/** Dearer by reference prices, which may be off by one percent, than by the quote itself. */
const QUOTE: PairCosts = {
  readable: true,
  available: true,
  fixedFeeFiat: 6n * USD,
  bps: 0n,
  toleranceBps: 100n,
  own: { fixedFeeFiat: USD, bps: 0n },
  minUnits: 1n,
  maxUnits: null,
}

test("a tolerance above the share of a pair lets the orders pass that are large enough", () => {
  // 6 usd are within 5 usd and one percent of the value from 100 usd on.
  expect(boundsOf(5n * USD)).toEqual({ lo: 100n * USD, hi: null })
  expect(boundsOf(6n * USD)).toEqual({ lo: 1n, hi: null })
  // By the quote's own values one order costs a dollar at any size.
  expect(boundsOf(USD - 1n)).toBeNull()
})

function boundsOf(fiat: bigint) {
  const placeOf = (id: string) => ({ asset: assetOf(id), priceFiat: USD })
  const pair = { from: placeOf("one:usd"), to: placeOf("two:usd"), quote: QUOTE }
  const ceilings = [{ kind: "fiat", fiat } as const]
  return boundLine(askCosts({ ...pair, ceilings }, LIMITS, false), 0n)
}

function assetOf(id: string) {
  const empty = { inFlightInUnits: 0n, inFlightOutUnits: 0n, floorUnits: 0n }
  const balance = { readable: true as const, spendableUnits: 1n, ...empty }
  return { id: parseAssetId(id), decimals: 6, balance, priceFiat: USD }
}
