import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { expectedRefundFiat, PPB } from "#domain/order-cost.ts"
import { fitDown, fitUp } from "#policy/planner/fit-order.ts"
import {
  boundLine,
  boundLineFees,
  type CostQuestion,
  keepsCosts,
} from "#policy/planner/order-costs.ts"
import {
  alignDown,
  alignUp,
  lostValue,
  payoutRounding,
  payoutUnits,
  roundingOf,
  unitsForPayout,
} from "#policy/planner/payout-rounding.ts"
import { grossOf, netOf, PPB_PER_BPS, rateOf } from "#policy/planner/route.ts"
import type { PairCosts } from "#policy/treasury-view.ts"
import { VALUE_PER_FIAT } from "#policy/value.ts"
import { A, assetOf, B, FIAT, pairOf } from "./sample-plan.ts"

/** A second reading of the costs of an order, by plain sums, to compare the planner's with. */
const big = (min: number, max: number) => fc.bigInt({ min: BigInt(min), max: BigInt(max) })
const maybe = (amount: fc.Arbitrary<bigint>) => fc.option(amount, { nil: undefined })
const CENTS = FIAT / 100n

const quoteArb: fc.Arbitrary<PairCosts> = fc
  .record({
    fixed: big(0, 200),
    bps: big(0, 150),
    bpsParts: maybe(big(1, 99_999)),
    network: maybe(big(0, 60)),
    refund: maybe(big(0, 60)),
    beside: maybe(big(0, 60)),
    risk: fc.option(fc.record({ refundPpm: big(0, 100_000), lockPpb: big(0, 2_000_000) }), {
      nil: undefined,
    }),
    toleranceBps: maybe(big(0, 40)),
    own: fc.option(fc.record({ fixed: big(0, 200), bps: big(0, 150) }), { nil: undefined }),
  })
  .map(({ fixed, bps, network, refund, beside, own, ...rest }) => {
    const costs = {
      fixedFeeFiat: fixed * CENTS,
      bps,
      ...(network === undefined ? {} : { networkFeeFiat: network * CENTS }),
      ...(refund === undefined ? {} : { refundFeeFiat: refund * CENTS }),
      ...(beside === undefined ? {} : { windowFeesFiat: beside * CENTS }),
      ...(own === undefined ? {} : { own: { fixedFeeFiat: own.fixed * CENTS, bps: own.bps } }),
    }
    const known = Object.entries(rest).filter(([, value]) => value !== undefined)
    // CAST: the values that are left out are optional.
    const quote = { ...costs, ...Object.fromEntries(known) } as Partial<PairCosts>
    // CAST: `pairOf` makes a readable quote.
    return pairOf(A, B, quote).quote as PairCosts
  })

/** One unit of the source is worth 10 cents to 40, one of the payout a tenth of a cent to 90. */
const questionArb: fc.Arbitrary<CostQuestion> = fc
  .record({
    quote: quoteArb,
    sold: big(10, 40),
    paid: fc.oneof(big(1, 9), big(10, 900)),
    ceilings: fc.array(
      fc.oneof(
        big(0, 2_000).map((bps) => ({ kind: "share" as const, bps })),
        big(0, 900).map((fiat) => ({ kind: "fiat" as const, fiat: fiat * CENTS })),
      ),
      { maxLength: 3 },
    ),
    left: fc.option(big(0, 900)),
    withMargin: fc.boolean(),
  })
  .map(({ quote, sold, paid, ceilings, left, withMargin }) => {
    const pair = {
      from: { asset: assetOf(A, 0n), priceFiat: sold * CENTS },
      to: { asset: assetOf(B, 0n), priceFiat: (paid * CENTS) / 10n },
      quote,
    }
    const feesLeftFiat = left === null ? null : left * CENTS
    return { pair, ceilings, feesLeftFiat, rounding: payoutRounding(pair, withMargin) }
  })

function isKept({ pair, ceilings, feesLeftFiat, rounding }: CostQuestion, units: bigint): boolean {
  const { quote, from, to } = pair
  const { networkFeeFiat = 0n, refundFeeFiat = 0n, windowFeesFiat = 0n, risk, own } = quote
  const value = units * from.priceFiat * VALUE_PER_FIAT
  const share = (value * (quote.bps * PPB_PER_BPS + (quote.bpsParts ?? 0n)) + PPB - 1n) / PPB
  const net = value - quote.fixedFeeFiat * VALUE_PER_FIAT - share - rounding.margin
  const paidUnits = net > 0n ? net / (to.priceFiat * VALUE_PER_FIAT) : 0n
  const lost = value - paidUnits * to.priceFiat * VALUE_PER_FIAT + rounding.stated
  const refundFiat = risk === undefined ? 0n : expectedRefundFiat(refundFeeFiat, risk)
  const beside = (networkFeeFiat + refundFiat) * VALUE_PER_FIAT
  const locked = value * (risk?.lockPpb ?? 0n)
  const tolerated = value * (quote.toleranceBps ?? 0n) * PPB_PER_BPS
  const costs = [(lost + beside) * PPB + locked - tolerated]
  if (own !== undefined) {
    const fixed = (own.fixedFeeFiat - quote.fixedFeeFiat) * VALUE_PER_FIAT
    costs.push((lost + beside + fixed) * PPB + value * (rateOf(own) - rateOf(quote)) + locked)
  }
  const fits = ceilings.every((ceiling) => {
    const most =
      ceiling.kind === "share"
        ? value * ceiling.bps * PPB_PER_BPS
        : ceiling.fiat * VALUE_PER_FIAT * PPB
    return costs.every((cost) => cost <= most)
  })
  if (feesLeftFiat === null) return fits
  const left = feesLeftFiat - networkFeeFiat - refundFeeFiat - windowFeesFiat
  return fits && lost <= left * VALUE_PER_FIAT
}

/**
 * Where the prices' tolerance or the quote's own costs make the part of the value negative, the
 * planner counts nothing for it below a ceiling in fiat, and is stricter.
 */
function isExact({ pair: { quote }, ceilings }: CostQuestion): boolean {
  const locked = quote.risk?.lockPpb ?? 0n
  const tolerated = (quote.toleranceBps ?? 0n) * PPB_PER_BPS
  const own = quote.own === undefined ? 0n : rateOf(quote.own) - rateOf(quote)
  const isNegative = locked < tolerated || locked + own < 0n
  return !isNegative || ceilings.every(({ kind }) => kind === "share")
}

const exactArb = questionArb.filter(isExact)
const units = big(1, 120)
const RUNS = { numRuns: 150 }

describe("the costs of an order", () => {
  test("keep to every ceiling and window exactly where a plain sum of them does", () => {
    fc.assert(
      fc.property(questionArb, units, (question, size) => {
        const isKeeping = keepsCosts(question, size)
        if (isExact(question) || isKeeping) expect(isKeeping).toBe(isKept(question, size))
      }),
      { numRuns: 1_000 },
    )
  })

  test("by the line of the pair bound the orders whose plain costs are below each ceiling", () => {
    const isBelow = ({ pair: { quote, from }, ceilings }: CostQuestion, size: bigint): boolean => {
      const value = size * from.priceFiat * VALUE_PER_FIAT
      const { networkFeeFiat = 0n, refundFeeFiat = 0n, risk } = quote
      const refundFiat = risk === undefined ? 0n : expectedRefundFiat(refundFeeFiat, risk)
      const rest = (networkFeeFiat + refundFiat) * VALUE_PER_FIAT * PPB
      const parts = value * (rateOf(quote) + (risk?.lockPpb ?? 0n))
      const cost = quote.fixedFeeFiat * VALUE_PER_FIAT * PPB + rest + parts
      return ceilings.every((ceiling) =>
        ceiling.kind === "share"
          ? cost <= value * ceiling.bps * PPB_PER_BPS
          : cost <= ceiling.fiat * VALUE_PER_FIAT * PPB,
      )
    }
    fc.assert(
      fc.property(questionArb, units, ({ pair, ...rest }, size) => {
        const { own: _, toleranceBps: __, ...quote } = pair.quote
        const question = { ...rest, pair: { ...pair, quote } }
        const bounds = boundLine(question, 0n)
        const isInside =
          bounds !== null && size >= bounds.lo && (bounds.hi === null || size <= bounds.hi)
        expect(isInside).toBe(isBelow(question, size))
        const most = boundLineFees(question, 0n)
        const { networkFeeFiat = 0n, refundFeeFiat = 0n, windowFeesFiat = 0n, fixedFeeFiat } = quote
        const feesFiat = networkFeeFiat + refundFeeFiat + windowFeesFiat + fixedFeeFiat
        const value = size * pair.from.priceFiat * VALUE_PER_FIAT
        const fees = feesFiat * VALUE_PER_FIAT * PPB + value * rateOf(quote)
        const left = question.feesLeftFiat
        const fits = left === null || fees <= left * VALUE_PER_FIAT * PPB
        expect(most === null || (most !== "none" && size <= most)).toBe(fits)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe("the size of an order", () => {
  test("upwards is the smallest that keeps to its costs", () => {
    fc.assert(
      fc.property(exactArb, units, fc.option(units), (question, least, most) => {
        const { pair, rounding } = question
        const sizes = Array.from({ length: 300 }, (_, index) => least + BigInt(index))
        const wanted = sizes.find(
          (size) => alignUp(pair, size, rounding) === size && isKept(question, size),
        )
        const fit = fitUp(question, least, most)
        const isFound = wanted !== undefined && (most === null || wanted <= most)
        if (isFound) expect(fit).toEqual({ ok: true, units: wanted })
        else if (fit.ok) expect(fit.units).toBeGreaterThan(least + 299n)
      }),
      RUNS,
    )
  })

  test("downwards is one that keeps to its costs, and the whole amount where that does", () => {
    fc.assert(
      fc.property(exactArb, units, units, (question, a, b) => {
        const [low, size] = a < b ? [a, b] : [b, a]
        const fit = fitUp(question, low, size)
        if (!fit.ok) return
        const found = fitDown(question, size, fit.units)
        expect(found).toBeGreaterThanOrEqual(fit.units)
        expect(found).toBeLessThanOrEqual(size)
        expect(isKept(question, found)).toBe(true)
        const whole = alignDown(question.pair, size, question.rounding)
        if (whole >= fit.units && isKept(question, whole)) expect(found).toBe(whole)
      }),
      { numRuns: 400 },
    )
  })
})

describe("the payout of an order", () => {
  test("needs the fewest units of the source that pay it", () => {
    fc.assert(
      fc.property(exactArb, big(1, 60), ({ pair, rounding: { margin } }, payout) => {
        const value = (size: bigint): bigint => size * pair.from.priceFiat * VALUE_PER_FIAT
        const fewest = unitsForPayout(pair, payout, margin)
        expect(payoutUnits(pair, value(fewest), margin)).toBeGreaterThanOrEqual(payout)
        expect(payoutUnits(pair, value(fewest - 1n), margin)).toBeLessThan(payout)
      }),
      RUNS,
    )
  })

  test("of an aligned size needs all of it, and no aligned size is nearer", () => {
    fc.assert(
      fc.property(exactArb, units, ({ pair, rounding }, size) => {
        const payoutOf = (some: bigint): bigint =>
          payoutUnits(pair, some * pair.from.priceFiat * VALUE_PER_FIAT, rounding.margin)
        const down = alignDown(pair, size, rounding)
        const up = alignUp(pair, size, rounding)
        if (!rounding.aligned) expect([down, up]).toEqual([size, size])
        else {
          expect(payoutOf(down)).toBe(payoutOf(size))
          if (payoutOf(size) > 0n) expect(payoutOf(down - 1n)).toBeLessThan(payoutOf(size))
          expect(up).toBeGreaterThanOrEqual(size)
          expect(payoutOf(up - 1n)).toBeLessThan(payoutOf(up))
          if (down === size && payoutOf(size) > 0n) expect(up).toBe(size)
        }
      }),
      RUNS,
    )
  })

  test("costs beyond its line what its last unit lacks, and never more than the rounding allows", () => {
    fc.assert(
      fc.property(exactArb, units, ({ pair, rounding }, size) => {
        const value = size * pair.from.priceFiat * VALUE_PER_FIAT
        const lost = lostValue(pair, value, rounding)
        expect(roundingOf(pair, value, rounding)).toBe(
          lost - (value - netOf(pair.quote, value, 1n)),
        )
        if (payoutUnits(pair, value, rounding.margin) === 0n) return
        const aligned = alignDown(pair, size, rounding)
        const alignedValue = aligned * pair.from.priceFiat * VALUE_PER_FIAT
        expect(roundingOf(pair, alignedValue, rounding)).toBeLessThanOrEqual(rounding.most)
      }),
      RUNS,
    )
  })

  test("net of the costs comes from the least gross value", () => {
    fc.assert(
      fc.property(quoteArb, big(0, 10 ** 9), big(1, 4), (quote, net, orders) => {
        const gross = grossOf(quote, net, orders)
        expect(netOf(quote, gross, orders)).toBeGreaterThanOrEqual(net)
        expect(netOf(quote, gross - 1n, orders)).toBeLessThan(net)
      }),
      RUNS,
    )
  })
})
