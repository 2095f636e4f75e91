import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { Quote } from "#domain/quote.ts"
import { judgeOfferCost } from "./offer.ts"
import {
  type CostPolicy,
  judgePrice,
  judgeReference,
  quoteCostBps,
  quoteFeeFiat,
  type Reference,
  withoutPayoutFee,
} from "./price.ts"

const quote: Quote = {
  from: parseAssetId("base_sepolia:eth"),
  to: parseAssetId("bitcoin_testnet:btc"),
  sourceUnits: 10n ** 18n,
  destinationUnits: 3_880_000n,
  sourceFiat: null,
  destinationFiat: null,
  solverId: "s",
  estimatedSeconds: null,
}
const price = (fiat: bigint) => ({ fiat, sources: 1 })
/** 1 ETH at 2500 for 0.0388 BTC at 62500, which is 2425: exactly 300 bps are lost. */
const fair: Reference = { from: price(2_500_000_000n), to: price(62_500_000_000n) }
const share = { maxCost: { kind: "share", bps: 100n }, toleranceBps: 200n } as const

function codes(
  reference: Reference,
  limit: Parameters<typeof judgeReference>[3] = share,
  more: Partial<Quote> = {},
) {
  return judgeReference({ ...quote, ...more }, reference, { from: 18, to: 8 }, limit).map(
    ({ code }) => code,
  )
}

describe("a quote by reference prices", () => {
  test("may lose the cost and the tolerance together, and not one unit more", () => {
    expect(codes(fair)).toEqual([])
    expect(codes(fair, share, { destinationUnits: 3_879_999n })).toEqual(["price.reference"])
    expect(codes(fair, { ...share, toleranceBps: 199n })).toEqual(["price.reference"])
  })

  test("may lose a cost in fiat and the tolerance of the source's value", () => {
    const fiat = { maxCost: { kind: "fiat", fiat: 25_000_000n }, toleranceBps: 200n } as const
    expect(codes(fair, fiat)).toEqual([])
    expect(codes(fair, { ...fiat, maxCost: { kind: "fiat", fiat: 24_999_999n } })).toEqual([
      "price.reference",
    ])
  })

  test("is refused with the numbers", () => {
    const [reason] = judgeReference(
      quote,
      { ...fair, to: price(50_000_000_000n) },
      { from: 18, to: 8 },
      share,
    )
    expect(reason).toMatchObject({
      cost: "2240 bps",
      max: "300 bps",
      sourceFiat: "2500",
      destinationFiat: "1940",
    })
  })

  test("may gain", () => {
    expect(codes({ ...fair, to: price(90_000_000_000n) })).toEqual([])
  })

  test("between two assets of a peg is judged in units, within the tolerance of the peg", () => {
    const peg = { toleranceBps: 50n }
    const pegged = { from: price(100_000_000n), to: price(99_600_000n), peg }
    const units = { sourceUnits: 10n ** 8n, destinationUnits: 98_500_000n }
    const judge = (more: Partial<Quote>, reference: Reference = pegged) =>
      judgeReference({ ...quote, ...units, ...more }, reference, { from: 8, to: 8 }, share).map(
        ({ code }) => code,
      )
    expect(judge({})).toEqual([])
    expect(judge({ destinationUnits: 98_499_999n })).toEqual(["price.reference"])
    // By the prices alone the quote would be dearer, and a higher price of the other side must not
    // hide a loss.
    expect(
      judge({ destinationUnits: 98_499_999n }, { ...pegged, to: price(100_400_000n) }),
    ).toEqual(["price.reference"])
  })

  test("is not judged when a side has no price source", () => {
    expect(codes({ from: price(1_000_000_000_000n), to: null })).toEqual([])
    expect(codes({ from: null, to: null })).toEqual([])
  })

  test("is refused while a configured price source is silent", () => {
    const missing = { missing: "no answer" }
    expect(codes({ ...fair, to: missing })).toEqual(["price.reference_missing"])
    expect(codes({ from: missing, to: missing })).toEqual([
      "price.reference_missing",
      "price.reference_missing",
    ])
  })
})

describe("a rule's own cost limit", () => {
  /** By the quote's own values it loses exactly 100 bps. */
  const valued = { ...quote, sourceFiat: 1_000_000_000n, destinationFiat: 990_000_000n }
  const tight = { kind: "share", bps: 99n } as const
  const exact = { kind: "share", bps: 100n } as const
  const loose = { kind: "share", bps: 1_000n } as const
  const looseFiat = { kind: "fiat", fiat: 500_000_000n } as const
  const codesOf = (policy: CostPolicy) => judgePrice(valued, policy).map(({ code }) => code)

  test("never replaces the general one: the tighter of both decides, whichever it is", () => {
    expect(codesOf({ maxCost: exact, ruleMaxCost: exact })).toEqual([])
    for (const ruleMaxCost of [loose, looseFiat, exact])
      expect(codesOf({ maxCost: tight, ruleMaxCost })).toEqual(["price.cost"])
    for (const maxCost of [loose, looseFiat, exact])
      expect(codesOf({ maxCost, ruleMaxCost: tight })).toEqual(["price.cost"])
  })

  test("does not replace it by reference prices either", () => {
    const basis = { decimals: { from: 18, to: 8 }, toleranceBps: 0n, own: null }
    const judge = (policy: CostPolicy) =>
      judgeOfferCost({ ...valued, destinationFiat: 1_000_000_000n }, fair, policy, basis)
    const below = { kind: "share", bps: 299n } as const
    const at = { kind: "share", bps: 300n } as const
    expect(judge({ maxCost: at, ruleMaxCost: loose }).refusals).toEqual([])
    expect(judge({ maxCost: below, ruleMaxCost: loose }).refusals).toMatchObject([
      { code: "price.reference" },
    ])
    expect(judge({ maxCost: loose, ruleMaxCost: below }).refusals).toMatchObject([
      { code: "price.reference" },
    ])
  })
})

describe("a missing price", () => {
  const valued = { ...quote, sourceFiat: 1_000n, destinationFiat: 990n }
  const basis = { decimals: { from: 18, to: 8 }, toleranceBps: 0n, own: null }
  const policy: CostPolicy = { maxCost: { kind: "share", bps: 10_000n } }
  const judge = (reference: Reference) => judgeOfferCost(valued, reference, policy, basis)
  const silent = { missing: "no answer" }

  test("in the quote refuses it on either side, and a value of zero is missing too", () => {
    for (const gap of [{ sourceFiat: null }, { destinationFiat: null }, { sourceFiat: 0n }])
      expect(judgePrice({ ...valued, ...gap }, policy)).toMatchObject([{ code: "price.missing" }])
  })

  test("of a configured source is named, also where the other asset has no source", () => {
    expect(judge({ from: silent, to: null }).missing).toMatchObject([
      { code: "price.reference_missing" },
    ])
    expect(judge({ from: null, to: silent }).missing).toMatchObject([
      { code: "price.reference_missing" },
    ])
    expect(judge({ from: null, to: null })).toEqual({ refusals: [], missing: [] })
  })

  test("of the coin that pays the network fee is named too", () => {
    const native = { asset: parseAssetId("base_sepolia:usdc"), decimals: 18, price: silent }
    expect(judge({ ...fair, native }).missing).toMatchObject([{ asset: native.asset }])
  })
})

describe("a cost in fiat", () => {
  test("may equal its limit", () => {
    const valued = { ...quote, sourceFiat: 1_000n, destinationFiat: 990n }
    const codesAt = (fiat: bigint) =>
      judgePrice(valued, { maxCost: { kind: "fiat", fiat } }).map(({ code }) => code)
    expect([codesAt(10n), codesAt(9n)]).toEqual([[], ["price.cost"]])
  })
})

test("what a quote costs is rounded up, and a gain is no negative fee", () => {
  const valued = (destinationFiat: bigint) => ({ ...quote, sourceFiat: 30_000n, destinationFiat })
  expect([quoteCostBps(valued(29_999n)), quoteCostBps(valued(30_000n))]).toEqual([1n, 0n])
  expect([quoteFeeFiat(valued(29_990n)), quoteFeeFiat(valued(30_001n))]).toEqual([10n, 0n])
  expect([quoteFeeFiat(quote), quoteCostBps(quote)]).toEqual([null, null])
})

describe("the payout fee", () => {
  test(
    "leaves the rest of the payout with its share of the value, rounded down, and never less " +
      "than nothing",
    () => {
      const valued = { ...quote, destinationUnits: 1_000n, destinationFiat: 999n }
      expect(withoutPayoutFee(valued, 0n)).toBe(valued)
      expect(withoutPayoutFee(valued, 1n)).toMatchObject({
        destinationUnits: 999n,
        destinationFiat: 998n,
      })
      expect(withoutPayoutFee(valued, 2_000n)).toMatchObject({
        destinationUnits: 0n,
        destinationFiat: 0n,
      })
      expect(
        judgePrice(withoutPayoutFee(valued, 1_000n), { maxCost: { kind: "share", bps: 10_000n } }),
      ).toMatchObject([{ code: "price.zero" }])
    },
  )
})
