import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { type AssetView, readPrice } from "#policy/treasury-view.ts"
import { fiatOfValue, unitsOfValue, VALUE_PER_FIAT, valueOfUnits } from "#policy/value.ts"
import { priceInQuotes, quoteForPrice } from "./view-prices.ts"

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

test("a quote for a price sells an asset with a balance, else a whole unit, to another chain", async () => {
  const asked: unknown[] = []
  const reader = {
    read: async (...question: readonly unknown[]) => {
      asked.push(question)
      return { quotes: [], cause: null }
    },
  }
  const assetOf = (id: string, spendableUnits = 0n, readable = true): AssetView => {
    // CAST: an unreadable balance has a reason instead, which no price reads.
    const own = { ...balance, spendableUnits, readable } as AssetView["balance"]
    return { id: parseAssetId(id), decimals: 2, balance: own, priceFiat: null }
  }
  const quote = (asset: AssetView, ...others: readonly AssetView[]) =>
    // CAST: the price asks the reader for nothing else.
    quoteForPrice(reader as unknown as Parameters<typeof quoteForPrice>[0], asset, others)
  const usd = assetOf("b:usd")
  await quote(assetOf("a:tiny", 1n), usd)
  await quote(assetOf("a:tiny"), usd)
  await quote(assetOf("a:tiny"), usd, assetOf("c:eur", 1n))
  await quote(assetOf("a:tiny"), assetOf("c:eur", 7n, false))
  await quote(assetOf("a:tiny", 5n), assetOf("c:eur", 7n))
  expect(asked).toEqual([
    ["a:tiny", "b:usd", [1n]],
    ["a:tiny", "b:usd", [100n]],
    ["c:eur", "a:tiny", [1n]],
    ["a:tiny", "c:eur", [100n]],
    ["a:tiny", "c:eur", [5n]],
  ])
  const alone = await quote(assetOf("a:tiny", 1n), assetOf("a:other", 1n))
  expect(alone).toMatchObject({ code: "policy.quote_missing", asset: "a:tiny" })
})

const quoteOf = (over: object) => ({
  from: FROM,
  to: TO,
  sourceUnits: 100n,
  destinationUnits: 50n,
  sourceFiat: 100n * 20_000n,
  destinationFiat: 50n * 30_000n,
  solverId: "s",
  estimatedSeconds: null,
  ...over,
})

test.each<[string, readonly object[], typeof FROM, object | null]>([
  ["the sold side", [{}], FROM, { fiat: 20_000n }],
  ["the bought side", [{}], TO, { fiat: 30_000n }],
  ["another asset", [{}], parseAssetId("c:other"), null],
  ["no quote", [], FROM, null],
  ["a side without a value", [{ sourceFiat: null }], FROM, null],
  ["a bought side without a value", [{ destinationFiat: null }], TO, null],
  ["a side without units", [{ sourceUnits: 0n }], FROM, null],
  ["a worthless side", [{ sourceFiat: 0n }], FROM, null],
  [
    "the largest quote, which comes last",
    [{}, { sourceUnits: 1n, sourceFiat: 7n }, { sourceUnits: 200n, sourceFiat: 200n * 50_000n }],
    FROM,
    { fiat: 50_000n },
  ],
  [
    "the largest quote, which comes first",
    [{ sourceUnits: 200n, sourceFiat: 200n * 50_000n }, { sourceUnits: 1n, sourceFiat: 7n }, {}],
    FROM,
    { fiat: 50_000n },
  ],
  ["one unit", [{ sourceUnits: 1n, sourceFiat: 20_001n }], FROM, { fiat: 20_001n }],
  [
    "a price that millionths tell exactly enough",
    [{ sourceUnits: 2n, sourceFiat: 20_001n }],
    FROM,
    { fiat: 10_000n },
  ],
  [
    "a price that they do not",
    [{ sourceUnits: 2n, sourceFiat: 19_999n }],
    FROM,
    { fiat: 9_999n, parts: 5n * 10n ** 11n },
  ],
  ["a small price without a rest", [{ sourceFiat: 300n }], FROM, { fiat: 3n }],
])("a price in quotes, of %s", (_name, quotes, id, expected) => {
  expect(priceInQuotes(quotes.map(quoteOf), { id, decimals: 0 })).toEqual(expected)
})
