import { describe, expect, test } from "vitest"
import { budgetOf } from "#engine/rules/budget.ts"
import type { OrderData, TransactionTrack } from "#order/data.ts"
import { NOTHING_SEEN, samplePlan, sampleTransaction } from "../../support/order-sample.ts"
import { sampleData } from "../../support/sample-job.ts"

const FEES = { depositUnits: 100n, refundUnits: 40n }
const SEEN = { ...NOTHING_SEEN, sourceInitiated: { txid: "in", height: 7n, final: false, at: 5 } }
/** A price of one cent for each unit, so that the numbers stay readable. */
const VALUE = { sourceFiat: 1_000n, feesFiat: 7n, nativePrice: { fiat: 1n, decimals: 0 } }

describe("the network fees that an open order keeps back", () => {
  test("are the estimate before anything is planned, and never less than the plans and the refund", () => {
    expect(feeUnits({})).toBe(140n)
    expect(feeUnits({ deposit: track({ planned: 60n }) })).toBe(140n)
    expect(feeUnits({ deposit: track({ planned: 130n }) })).toBe(170n)
    expect(feeUnits({ approve: track({ planned: 70n }), deposit: track({ planned: 60n }) })).toBe(
      170n,
    )
  })

  test("are those of the largest attempt", () => {
    expect(feeUnits({ deposit: track({ signed: [130n, 200n] }) })).toBe(240n)
    expect(feeUnits({ deposit: track({ signed: [200n, 130n] }) })).toBe(240n)
    expect(feeUnits({ deposit: track({ signed: [130n], planned: 300n }) })).toBe(340n)
  })

  test(
    "contain the refund while the deposit is in its HTLC, and no transaction whose block is " +
      "final",
    () => {
      expect(feeUnits({}, { seen: SEEN })).toBe(40n)
      expect(feeUnits({ refund: track({ planned: 60n }) }, { seen: SEEN })).toBe(60n)
      const mined = { txid: "in", height: 7n, final: true }
      expect(feeUnits({ deposit: { ...track({ signed: [500n] }), mined } }, { seen: SEEN })).toBe(
        40n,
      )
      expect(
        feeUnits({ deposit: { ...track({ signed: [500n] }), mined: { ...mined, final: false } } }),
      ).toBe(540n)
    },
  )

  test("are free once the order has ended", () => {
    expect(budgetOf("rejected", order({ deposit: track({ signed: [500n] }) })).feeUnits).toBe(0n)
  })
})

describe("the fees that count for the limits", () => {
  test(
    "are the swap's and the network's worst case, then the real ones, and of a failed order " +
      "the network's alone",
    () => {
      const data = order({}, { networkFeeUnits: 11n })
      const feesIn = (state: string): bigint | null => budgetOf(state, data).feeFiat
      expect([feesIn("funded"), feesIn("completed"), feesIn("refunded")]).toEqual([
        7n + 11n + 140n,
        18n,
        11n,
      ])
    },
  )
})

test("an order counts from its creation, and from then on from the time at which its deposit left", () => {
  const countedAt = (over: Partial<OrderData>): number =>
    budgetOf("funded", order({}, over)).countedAtMs
  const gasless = { digest: "", signature: "", signedAt: 3, submissions: 1, refused: false }
  expect([countedAt({}), countedAt({ gasless }), countedAt({ gasless, seen: SEEN })]).toEqual([
    0, 3, 5,
  ])
})

type Tracks = Partial<OrderData["transactions"]>

function feeUnits(tracks: Tracks, over: Partial<OrderData> = {}): bigint {
  return budgetOf("funded", order(tracks, over)).feeUnits
}

function order(tracks: Tracks, over: Partial<OrderData> = {}): OrderData {
  const data = sampleData({}, { feeBudget: FEES, networkFeeUnits: 0n, ...over })
  const value: OrderData["value"] = VALUE
  return { ...data, value, transactions: { ...data.transactions, ...tracks } }
}

function track({
  planned,
  signed = [],
}: {
  planned?: bigint
  signed?: readonly bigint[]
}): TransactionTrack {
  const plan = (maxFeeUnits: bigint) => ({ ...samplePlan("deposit", 0), maxFeeUnits })
  return {
    plan: planned === undefined ? null : plan(planned),
    signed: signed.map((units) => sampleTransaction(plan(units))),
    sentAt: null,
    mined: null,
  }
}
