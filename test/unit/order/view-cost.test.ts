import { expect, test } from "vitest"
import type { Quote } from "#domain/quote.ts"
import type { OrderData } from "#order/data.ts"
import { viewOrderCost } from "#order/view-cost.ts"
import { funded } from "../../support/order-steps.ts"

function costOf(over: Partial<OrderData>) {
  return viewOrderCost({ ...funded({}), ...over }).costParts
}

const PRICED: Partial<OrderData> = {
  value: {
    sourceFiat: 10_000_000n,
    feesFiat: 30_000n,
    nativePrice: { fiat: 2_000_000_000n, decimals: 18 },
  },
  feeBudget: { depositUnits: 10n ** 15n, refundUnits: 5n * 10n ** 14n },
  networkFeeUnits: 10n ** 14n,
}

test("the order shows the parts of its cost, in fiat and in the fee's own units", () => {
  expect(costOf(PRICED)).toEqual({
    swapFiat: "0.03",
    paidUnits: "100000000000000",
    paidFiat: "0.2",
    depositAtMostUnits: "1000000000000000",
    depositAtMostFiat: "2",
    refundAtMostUnits: "500000000000000",
    refundAtMostFiat: "1",
    redeemPaidUnits: "0",
    redeemAtMostUnits: null,
    refundRiskFiat: null,
    lockedFiat: null,
  })
})

test("the order shows its value, and the swap and our fees so far as one cost", () => {
  const order = funded({})
  expect(viewOrderCost({ ...order, ...PRICED })).toMatchObject({ fiat: "10", costFiat: "0.23" })
  const unpriced = { sourceFiat: null, feesFiat: 30_000n, nativePrice: null }
  expect(viewOrderCost({ ...order, ...PRICED, value: unpriced })).toMatchObject({ costFiat: null })
  const prices = { from: null, to: null, native: 2_000_000_000n, nativeDecimals: 18 }
  expect(viewOrderCost({ ...order, ...PRICED, value: unpriced, prices })).toMatchObject({
    costFiat: "0.23",
  })
  const free = { ...order, networkFeeUnits: 0n, value: unpriced }
  expect(viewOrderCost(free)).toMatchObject({ costFiat: "0.03" })
  expect(viewOrderCost({ ...order, value: null, quote: null })).toMatchObject({
    fiat: null,
    costFiat: null,
  })
})

test("an order with a risk shows what ceilings count beside its quote; a relay may pay its refund", () => {
  const { policy } = funded({})
  const risk = { refundPpm: 20_000n, lockPpb: 1_000_000n }
  expect(costOf({ ...PRICED, policy: { ...policy, way: "onchain", risk } })).toMatchObject({
    refundRiskFiat: "0.02",
    lockedFiat: "0.01",
  })
  expect(costOf({ ...PRICED, policy: { ...policy, way: "auto", risk } })).toMatchObject({
    refundRiskFiat: null,
    lockedFiat: "0.01",
  })
})

test("an order of a route has no refund, and its money is locked for the route's time", () => {
  const { policy } = funded({})
  const risk = { refundPpm: 20_000n, lockPpb: 0n }
  const priced = { ...policy, way: "onchain", risk, capitalBps: 10_000n } as const
  const { from, to } = funded({}).request
  const burnt: Quote = {
    from,
    to,
    sourceUnits: 10_000_000n,
    destinationUnits: 9_999_000n,
    sourceFiat: 10_000_000n,
    destinationFiat: 9_999_000n,
    solverId: "standard",
    estimatedSeconds: 315_360,
    kind: "cctp",
    guarantee: "contract",
    redeemFeeUnits: 260_000n,
  }
  expect(costOf({ ...PRICED, policy: priced, quote: burnt })).toMatchObject({
    refundAtMostUnits: null,
    redeemPaidUnits: "0",
    redeemAtMostUnits: "260000",
    refundRiskFiat: null,
    lockedFiat: "0.1",
  })
  const sent = { purpose: "redeem", txid: "m", ok: true, height: 1n, heldUnits: 0n } as const
  const mint = { ...sent, feeUnits: 200_000n }
  const mined = [true, false].map((final) => ({ ...mint, final }))
  const ofBurn = (prices: Partial<OrderData["prices"]>) =>
    viewOrderCost({
      ...funded({}),
      ...PRICED,
      quote: burnt,
      mined,
      prices: { from: null, to: null, native: null, ...prices },
    })
  // Of the final mint, at the price of the destination's coin.
  expect(ofBurn({ payoutCoin: 100_000n, payoutDecimals: 5 })).toMatchObject({
    costFiat: "0.43",
    costParts: { redeemPaidUnits: "200000" },
  })
  expect(ofBurn({ payoutCoin: null }).costFiat).toBeNull()
})

test("a part without a price or an estimate is unknown and not zero", () => {
  const unpriced = { sourceFiat: null, feesFiat: null, nativePrice: null }
  const { feeBudget: _, ...bare } = PRICED
  expect(costOf({ ...PRICED, value: unpriced })).toMatchObject({
    swapFiat: null,
    paidFiat: null,
    depositAtMostFiat: null,
    refundAtMostFiat: null,
    paidUnits: "100000000000000",
    refundAtMostUnits: "500000000000000",
  })
  expect(costOf({ ...bare, feeBudget: null })).toMatchObject({
    depositAtMostUnits: null,
    refundAtMostFiat: null,
  })
})
