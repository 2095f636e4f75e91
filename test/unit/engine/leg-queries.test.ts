import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { destinationQuery, sourceQuery, stakeOf } from "#engine/orders/leg-queries.ts"
import type { OrderData } from "#order/data.ts"
import { NOTHING_SEEN, SAMPLE, samplePlan, sampleTransaction } from "../../support/order-sample.ts"
import { sampleData } from "../../support/sample-job.ts"

const REFUND = sampleTransaction(samplePlan("refund", 0))

describe("the query of the source", () => {
  test("searches for our own refund first, and for the service's only without one", () => {
    const reported = {
      ...SAMPLE.order,
      source: { ...SAMPLE.order.source, refundTx: "theirs", initiateTx: "claimed" },
    }
    const hints = (data: OrderData) => sourceQuery({ ...data, serviceOrder: reported }).hints
    expect(hints(sampleData())).toMatchObject({ refundTx: "theirs", initiateTx: "claimed" })
    expect(hints(sampleData({ refund: [REFUND] })).refundTx).toBe(REFUND.txid)
    const known = sampleData({ refund: [REFUND] })
    const mined = {
      ...known.transactions.refund,
      mined: { txid: "mined", height: 7n, final: false },
    }
    expect(
      hints({ ...known, transactions: { ...known.transactions, refund: mined } }).refundTx,
    ).toBe("mined")
    const settled = { ...known.transactions.refund, settled: true }
    expect(
      hints({ ...known, transactions: { ...known.transactions, refund: settled } }).refundTx,
    ).toBe("theirs")
    const sourceInitiated = { txid: "seen", height: 7n, final: false, at: 1 }
    expect(hints(sampleData({}, { seen: { ...NOTHING_SEEN, sourceInitiated } })).initiateTx).toBe(
      "seen",
    )
  })

  test("takes every term from the verified deposit", () => {
    const lie = {
      ...SAMPLE.order.source,
      secretHash: "00".repeat(32),
      timelock: 1n,
      redeemer: "x",
      initiator: "x",
    }
    const { deposit } = SAMPLE
    const { htlc, secretHash, redeemer, timelock, units } = deposit
    expect(
      sourceQuery(sampleData({}, { serviceOrder: { ...SAMPLE.order, source: lie } })),
    ).toMatchObject({
      side: "source",
      htlc,
      secretHash,
      redeemer,
      timelock,
      units,
      owner: SAMPLE.input.request.sourceOwner,
      initiator: SAMPLE.input.request.sourceOwner,
    })
  })
})

test("the query of the destination asks for the accepted amount, to the order's own payee", () => {
  const { traits } = familyNamed("bitcoin")
  const lie = { ...SAMPLE.order.destination, secretHash: "00".repeat(32), units: 1n }
  expect(
    destinationQuery(
      sampleData({}, { serviceOrder: { ...SAMPLE.order, destination: lie } }),
      traits,
    ),
  ).toMatchObject({
    side: "destination",
    secretHash: SAMPLE.deposit.secretHash,
    units: SAMPLE.terms.destinationUnits,
    owner: SAMPLE.input.request.destinationOwner,
  })
})

test("the stake is the value by which limits count, then the quote's, and unknown without both", () => {
  const value = { sourceFiat: 9n, feesFiat: 0n, nativePrice: null }
  const quote = { ...SAMPLE.quote, sourceFiat: 5n }
  expect(stakeOf({ value, quote })).toBe(9n)
  expect(stakeOf({ value: { ...value, sourceFiat: null }, quote })).toBe(5n)
  expect(stakeOf({ value: null, quote: null })).toBeNull()
  const { traits } = familyNamed("bitcoin")
  const data = sampleData({}, { value, quote })
  expect([sourceQuery(data).stakeFiat, destinationQuery(data, traits).stakeFiat]).toEqual([9n, 9n])
})
