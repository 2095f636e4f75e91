import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { type AssetView, readPrice } from "#policy/treasury-view.ts"
import { fiatOfValue, unitsOfValue, VALUE_PER_FIAT, valueOfUnits } from "#policy/value.ts"
import { priceInQuotes } from "./view-prices.ts"

const FROM = parseAssetId("a:tiny")
const TO = parseAssetId("b:usd")
const balance = {
  readable: true,
  spendableUnits: 0n,
  inFlightInUnits: 0n,
  inFlightOutUnits: 0n,
  floorUnits: 0n,
} as const

test.each([
  ["1.9 millionths", 1_900_000n, 1_000_000n],
  ["a tenth of a millionth", 100_000n, 1_000_000n],
])("a price of %s keeps its digits", (_name, sourceFiat, units) => {
  const sides = {
    sourceUnits: units,
    destinationUnits: 1n,
    sourceFiat,
    destinationFiat: sourceFiat,
  }
  const price = priceInQuotes(
    [{ from: FROM, to: TO, ...sides, solverId: "s", estimatedSeconds: null }],
    {
      id: FROM,
      decimals: 0,
    },
  )
  if (price === null || !("fiat" in price)) throw new Error("no price")
  const asset: AssetView = {
    id: FROM,
    decimals: 0,
    balance,
    priceFiat: price.fiat,
    priceParts: price.parts ?? 0n,
  }
  const read = readPrice(asset)
  if (!read.ok) throw new Error("unreadable")
  const value = valueOfUnits(asset, read.priceFiat, units)
  expect(fiatOfValue(value, "down")).toBe(sourceFiat)
  expect(unitsOfValue(asset, read.priceFiat, sourceFiat * VALUE_PER_FIAT, "down")).toBe(units)
})
