import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { Quote } from "#domain/quote.ts"
import { netOf } from "#policy/planner/route.ts"
import type { AssetView } from "#policy/treasury-view.ts"
import { VALUE_PER_FIAT } from "#policy/value.ts"
import { toPairCosts } from "./pair-costs.ts"
import type { PairQuotes } from "./pair-quotes.ts"

const FROM = parseAssetId("base_sepolia:wbtc")
const TO = parseAssetId("bitcoin_testnet:btc")
const DOLLAR = 1_000_000n

/** A whole unit is worth 100 000 dollars, so a unit is worth a thousandth of one. */
function asset(id: AssetView["id"], priceFiat: bigint | null = 100_000n * DOLLAR): AssetView {
  const balance = {
    readable: true,
    spendableUnits: 0n,
    inFlightInUnits: 0n,
    inFlightOutUnits: 0n,
    floorUnits: 0n,
  } as const
  return { id, decimals: 8, priceFiat, balance }
}

/** The payout of a service with this fixed fee (in dollars) and share, rounded down. */
function quote(sourceUnits: bigint, fixed: bigint, bps: bigint): Quote {
  const destinationUnits = sourceUnits - fixed * 1_000n - (sourceUnits * bps + 9_999n) / 10_000n
  const fiat = { sourceFiat: sourceUnits * 1_000n, destinationFiat: destinationUnits * 1_000n }
  return {
    from: FROM,
    to: TO,
    sourceUnits,
    destinationUnits,
    ...fiat,
    solverId: "s",
    estimatedSeconds: null,
  }
}

function answer(...quotes: readonly Quote[]): PairQuotes {
  return { quotes, bounds: null, cause: null, available: true }
}

const RISK = { refundPpm: 9n, lockPpb: 0n }
const PLAIN = { networkFeeFiat: 0n, refundFeeFiat: 0n, risk: null, toleranceBps: null }
const costsOf = (quotes: PairQuotes, networkFeeFiat = 0n) =>
  toPairCosts(quotes, asset(FROM), asset(TO), { ...PLAIN, networkFeeFiat })

describe("the cost of a pair", () => {
  test("consists of the fixed part and the share that two quotes show", () => {
    const found = costsOf(answer(quote(1_000_000n, 2n, 30n), quote(4_000_000n, 2n, 30n)))
    expect(found).toMatchObject({
      readable: true,
      available: true,
      fixedFeeFiat: 2n * DOLLAR,
      bps: 30n,
    })
  })

  test.each([
    ["a share alone", 0n, 30n],
    ["a fixed fee alone", 7n, 0n],
    ["nothing", 0n, 0n],
    ["both, with amounts that do not divide", 3n, 17n],
  ])("is never less than what a quote in between costs: %s", (_name, fixed, bps) => {
    const found = costsOf(answer(quote(1_000_003n, fixed, bps), quote(4_000_017n, fixed, bps)))
    if (!found.readable) throw new Error("not readable")
    for (const units of [1_000_003n, 1_700_001n, 3_333_333n, 4_000_017n]) {
      const paid = quote(units, fixed, bps).destinationUnits
      const cost = found.fixedFeeFiat + (units * 1_000n * found.bps + 9_999n) / 10_000n
      expect((units * 1_000n - cost) / 1_000n).toBeLessThanOrEqual(paid)
    }
  })

  test("has a share finer than a basis point, so that small orders look no dearer than they are", () => {
    const fine = (units: bigint): Quote => {
      const destinationUnits = units - 2_000n - (units * 304n + 99_999n) / 100_000n
      const fiat = { sourceFiat: units * 1_000n, destinationFiat: destinationUnits * 1_000n }
      return { ...quote(units, 0n, 0n), ...fiat, destinationUnits }
    }
    const costs = costsOf(answer(fine(25_000_000n), fine(100_000_000n)))
    if (!costs.readable) throw new Error("unreadable")
    // 30.4 bps of 100 000 dollars, and two dollars.
    expect(costs).toMatchObject({ fixedFeeFiat: 2n * DOLLAR, bps: 30n, bpsParts: 40_000n })
    for (const units of [100_000n, 1_000_000n, 25_000_000n, 100_000_000n]) {
      const { destinationUnits } = fine(units)
      const net = netOf(costs, units * 1_000n * VALUE_PER_FIAT, 1n)
      expect(net / (1_000n * VALUE_PER_FIAT)).toBe(destinationUnits)
    }
  })

  test("counts as a share when only one amount is known", () => {
    expect(costsOf(answer(quote(1_000_000n, 1n, 0n)))).toMatchObject({ fixedFeeFiat: 0n, bps: 10n })
  })

  test("of a pair with a profit is zero, so that no plan relies on it", () => {
    const gain = { ...quote(1_000_000n, 0n, 0n), destinationUnits: 1_010_000n }
    expect(costsOf(answer(gain))).toMatchObject({ fixedFeeFiat: 0n, bps: 0n })
  })

  test("of a coarse payout does not count its rounding twice, nor a quote of which a fee leaves nothing", () => {
    // A unit pays 100 000 dollars and costs 90 000, so a payout loses up to 100 000.
    const coarse = (sold: bigint, paid: bigint): Quote => ({
      ...quote(0n, 0n, 0n),
      sourceUnits: sold,
      destinationUnits: paid,
      sourceFiat: sold * 100_000n * DOLLAR,
      destinationFiat: paid * 100_000n * DOLLAR,
    })
    const from = { ...asset(FROM, 90_000n * DOLLAR), decimals: 0 }
    const to = { ...asset(TO), decimals: 0 }
    const of = (quotes: readonly Quote[], payoutFeeUnits = 0n) =>
      toPairCosts(answer(...quotes), from, to, { ...PLAIN, payoutFeeUnits })
    const line = [coarse(10n, 9n), coarse(31n, 27n), coarse(50n, 45n)]
    expect(of(line)).toMatchObject({ fixedFeeFiat: 0n, bps: 0n })
    const high = coarse(50n, 40n)
    expect(of([coarse(8n, 2n), high], 2n)).toEqual(of([high], 2n))
  })

  test("states the network fee separately, and the bounds from the service", () => {
    const bounds = { minUnits: 5n, maxUnits: 9_000_000n }
    const found = costsOf(
      { ...answer(quote(1_000_000n, 2n, 0n), quote(4_000_000n, 2n, 0n)), bounds },
      3n,
    )
    expect(found).toMatchObject({ fixedFeeFiat: 2n * DOLLAR, networkFeeFiat: 3n, ...bounds })
  })

  test("by reference prices also states the costs by the quote's own values, and the tolerance", () => {
    const quotes = [1_000_000n, 4_000_000n].map((units) => {
      const own = { sourceFiat: units * 990n, destinationFiat: units * 980n }
      return { ...quote(units, 0n, 300n), ...own }
    })
    const found = toPairCosts(answer(...quotes), asset(FROM), asset(TO), {
      ...PLAIN,
      toleranceBps: 200n,
    })
    expect(found).toMatchObject({
      fixedFeeFiat: 0n,
      bps: 300n,
      toleranceBps: 200n,
      own: { bps: 101n },
    })
  })

  test("states no costs by own values where one of the quotes has none", () => {
    const [first, second] = [1_000_000n, 4_000_000n].map((units) => quote(units, 0n, 300n))
    for (const missing of [{ sourceFiat: null }, { destinationFiat: null }]) {
      // CAST: two quotes, as above.
      const quotes = [first, { ...second, ...missing }] as readonly Quote[]
      const basis = { ...PLAIN, toleranceBps: 200n }
      const found = toPairCosts(answer(...quotes), asset(FROM), asset(TO), basis)
      expect(found).toMatchObject({ fixedFeeFiat: 0n, bps: 300n })
      expect(found).not.toHaveProperty("own")
      expect(found).not.toHaveProperty("toleranceBps")
    }
  })

  test("is unknown without a quote or a price, and for a pair that does not exist", () => {
    const cause = { code: "service.no_liquidity", message: "none" }
    expect(costsOf({ ...answer(), cause })).toEqual({ readable: false, cause })
    expect(
      toPairCosts(answer(quote(1_000n, 0n, 0n)), asset(FROM), asset(TO, null), PLAIN),
    ).toMatchObject({
      readable: false,
      cause: { code: "policy.price_missing" },
    })
    expect(costsOf({ ...answer(), cause, available: false })).toEqual({
      readable: true,
      available: false,
      fixedFeeFiat: 0n,
      bps: 0n,
      minUnits: 0n,
      maxUnits: null,
    })
    const missing = { readable: false, cause: { code: "policy.price_missing" } }
    expect(costsOf(answer())).toMatchObject(missing)
    const sold = answer(quote(1_000n, 0n, 0n))
    expect(toPairCosts(sold, asset(FROM, null), asset(TO), PLAIN)).toMatchObject(missing)
  })

  test.each([
    ["without any", {}, {}],
    ["of a deposit", { networkFeeFiat: 3n }, { networkFeeFiat: 3n }],
    ["of a refund, with its risk", { refundFeeFiat: 4n }, { refundFeeFiat: 4n, risk: RISK }],
    ["that windows count", { windowFeesFiat: 5n }, { windowFeesFiat: 5n }],
    ["of locked money", { risk: { ...RISK, lockPpb: 6n } }, { risk: { ...RISK, lockPpb: 6n } }],
    ["of no risk at all", { refundFeeFiat: 4n, risk: null }, { refundFeeFiat: 4n }],
    ["of the least deposit", { networkFeeFiat: 1n }, { networkFeeFiat: 1n }],
    ["of the least refund", { refundFeeFiat: 1n }, { refundFeeFiat: 1n, risk: RISK }],
    ["of the least window", { windowFeesFiat: 1n }, { windowFeesFiat: 1n }],
    ["of the least lock", { risk: { ...RISK, lockPpb: 1n } }, { risk: { ...RISK, lockPpb: 1n } }],
  ])("states only the fees that there are: %s", (_name, basis, expected) => {
    const quotes = answer(quote(1_000_000n, 2n, 0n), quote(4_000_000n, 2n, 0n))
    const of = { ...PLAIN, risk: RISK, ...basis }
    expect(toPairCosts(quotes, asset(FROM), asset(TO), of)).toEqual({
      readable: true,
      available: true,
      fixedFeeFiat: 2n * DOLLAR,
      bps: 0n,
      minUnits: 0n,
      maxUnits: null,
      ...expected,
    })
  })

  test("is one of a pair that the service has closed", () => {
    const cause = { code: "service.pair_closed", message: "closed" }
    const closed = { ...answer(), cause, available: false, closed: true } as const
    expect(costsOf(closed)).toMatchObject({ available: false, closed: true, bps: 0n })
    expect(costsOf({ ...answer(), cause, available: false })).not.toHaveProperty("closed")
  })
})

/** The sold and paid whole units, at these prices of a unit; the line through them. */
function lineOf(
  [sold, paid]: readonly [bigint, bigint],
  decimals: number,
  amounts: readonly (readonly [bigint, bigint])[],
) {
  const quotes = amounts.map(([sourceUnits, destinationUnits]) => {
    return { ...quote(0n, 0n, 0n), sourceUnits, destinationUnits }
  })
  const [from, to] = [asset(FROM, sold), asset(TO, paid)] as const
  const found = toPairCosts(answer(...quotes), { ...from, decimals }, { ...to, decimals }, PLAIN)
  if (!found.readable) throw new Error("unreadable")
  const { bps, bpsParts = 0n, fixedFeeFiat } = found
  return { bps, bpsParts, fixedFeeFiat }
}

describe("the share of a line", () => {
  type Amounts = readonly (readonly [bigint, bigint])[]
  /** Two amounts, this far apart, of which the second costs so much more than five. */
  const apart = (value: bigint, cost: bigint): Amounts => [
    [10_000n, 9_995n],
    [10_000n + value, 9_995n + value - cost],
  ]

  // A unit of both is the smallest value that there is, and a payout loses one of them.
  test.each<[string, Amounts, bigint, bigint]>([
    ["the whole of one amount", [[10_000n, 9_990n]], 10n, 0n],
    ["one amount, rounded up by the least part", [[9_999n, 9_998n]], 2n, 0n],
    ["the least cost of one amount", [[10n, 9n]], 1_000n, 0n],
    ["all of an amount that pays nothing", [[1n, 0n]], 10_000n, 0n],
    [
      "a payout of one unit counts",
      [
        [10n, 1n],
        [100n, 50n],
      ],
      4_445n,
      0n,
    ],
    ["the least whole one that explains both", apart(10_000n, 2n), 1n, 0n],
    ["rounded up by the least part", apart(9_999n, 2n), 2n, 0n],
    ["exactly half", apart(20_000n, 10_001n), 5_000n, 0n],
    ["half, and a part", apart(20_000n, 10_002n), 5_001n, 0n],
    ["a whole one that just explains both", apart(30_000n, 2n), 1n, 0n],
    ["the true one where none just explains both", apart(30_001n, 2n), 1n, -33_336n],
    ["the true one where none explains both", apart(40_000n, 2n), 1n, -50_000n],
    ["none of equal costs", apart(30_000n, 0n), 0n, 0n],
    ["none of falling costs", apart(30_000n, -9n), 0n, 0n],
  ])("is %s", (_name, amounts, bps, bpsParts) => {
    expect(lineOf([1n, 1n], 18, amounts)).toMatchObject({ bps, bpsParts })
  })

  test("is none where the rounding of a payout explains the costs", () => {
    const amounts = [
      [10n, 1n],
      [10_012n, 2_001n],
    ] as const
    expect(lineOf([1n, 5n], 18, amounts)).toMatchObject({ bps: 0n, bpsParts: 0n })
  })

  test("counts a hundredth of the currency as the rounding of a payout that is worth more", () => {
    const amounts = [
      [110_000n, 1n],
      [1_122_000n, 11n],
    ] as const
    expect(lineOf([1n, 100_000n], 0, amounts)).toEqual({
      bps: 20n,
      bpsParts: 0n,
      fixedFeeFiat: 19_756n,
    })
  })
})

describe("the fixed part of a line", () => {
  type Amounts = readonly (readonly [bigint, bigint])[]
  test.each<[string, readonly [bigint, bigint], Amounts, bigint]>([
    [
      "the highest of fine payouts",
      [1n, 10n],
      [
        [1_000n, 99n],
        [5_003n, 499n],
        [10_000n, 999n],
      ],
      13n,
    ],
    [
      "rounded up for fine payouts",
      [1n, 1n],
      [
        [10_000n, 9_995n],
        [50_000n, 49_993n],
      ],
      5n,
    ],
    [
      "the least of coarse payouts whose rounding explains the rest",
      [6_000n, 100_000n],
      [
        [21n, 1n],
        [70n, 4n],
        [121n, 7n],
      ],
      20_000n,
    ],
    [
      "the highest where their rounding just does not",
      [6_000n, 100_000n],
      [
        [21n, 1n],
        [69n, 4n],
        [121n, 7n],
      ],
      26_000n,
    ],
    [
      "rounded down for coarse payouts",
      [6_000n, 100_000n],
      [
        [20n, 1n],
        [90n, 5n],
      ],
      14_285n,
    ],
  ])("is %s", (_name, prices, amounts, fixedFeeFiat) => {
    expect(lineOf(prices, 0, amounts)).toMatchObject({ fixedFeeFiat })
  })
})
