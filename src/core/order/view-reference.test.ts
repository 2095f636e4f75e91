import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { describeReference, viewReference } from "./view-reference.ts"

const COIN = parseAssetId("a:coin")
const DOLLAR = parseAssetId("b:dollar")
const DECIMALS = new Map([
  [COIN, 8],
  [DOLLAR, 6],
])
/** Two coins of 3 000 usd for 5 970 dollars: 30 of 6 000 are lost. */
const QUOTE = {
  from: COIN,
  to: DOLLAR,
  sourceUnits: 200_000_000n,
  destinationUnits: 5_970_000_000n,
  sourceFiat: null,
  destinationFiat: null,
  solverId: "one",
  estimatedSeconds: null,
}
const PRICES = { from: 3_000_000_000n, to: 1_000_000n, native: null }
const low = { asset: DOLLAR, source: "far.test", fiat: 100_000n }

test.each([
  ["a loss", QUOTE, PRICES, ["the quote pays 0.5 % less than it takes"]],
  ["a gain", { ...QUOTE, destinationUnits: 6_060_000_000n }, PRICES, ["pays 1 % more"]],
  ["one price only", QUOTE, { ...PRICES, to: null }, []],
  ["no price", QUOTE, { ...PRICES, from: null, to: null }, []],
  ["no quote yet", null, PRICES, []],
  [
    "a source that is off",
    QUOTE,
    { ...PRICES, outliers: [low] },
    ["0.5 % less", "far.test gives 0.1 for b:dollar, 90 % below the 1 of the others"],
  ],
])("%s against our own prices", (_, quote, prices, expected) => {
  expect(describeReference(viewReference({ quote, prices }, DECIMALS))).toEqual(
    expected.map((text) => expect.stringContaining(text)),
  )
})
