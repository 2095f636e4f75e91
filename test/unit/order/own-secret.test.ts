import { expect, test } from "vitest"
import type { OrderData } from "#order/data.ts"
import type { OrderEvent } from "#order/events.ts"
import { refuseRedemption } from "#order/refuse-redemption.ts"
import { STATE_NAMES, type StateName } from "#order/states.ts"
import { step } from "#order/step.ts"
import { viewOrder } from "#order/view.ts"
import { SAMPLE, samplePlan, sampleTransaction } from "../../support/order-sample.ts"
import { sampleData } from "../../support/sample-job.ts"

const OWN = {
  nonce: "1",
  hash: SAMPLE.deposit.secretHash,
  revealedAt: null,
  isTold: false,
} as const
const some = { txid: "t", height: 1n, final: true, at: 1 }

function observe(
  state: StateName,
  data: OrderData,
  secret: "reveal" | "redeem",
  refundable = false,
): StateName {
  const seen = { ...data.seen, sourceInitiated: some }
  const event: OrderEvent = {
    type: "order.observed",
    at: 1,
    serviceOrder: null,
    seen,
    paidUnits: null,
    alerts: [],
    paid: false,
    refunded: false,
    lapsed: false,
    refundable,
    secret,
  }
  return step({ state, data }, event).order.state
}

const funded = { ...sampleData(), seen: { ...sampleData().seen, sourceInitiated: some } }
const unknown = { ...funded, ownSecret: { ...OWN, status: "unknown" as const } }
const revealed = { ...funded, ownSecret: { ...OWN, status: "revealed" as const, revealedAt: 1 } }

test.each(["funded", "redeem-reported", "refund-watch"] as const)(
  "%s tells a secret that nobody has",
  (state) => {
    expect(observe(state, unknown, "reveal")).toBe("revealing")
  },
)

test.each(["funded", "refund-watch"] as const)(
  "%s tells no secret after a refund was signed",
  (state) => {
    const refund = sampleTransaction(samplePlan("refund", 0))
    const signed = { ...sampleData({ refund: [refund] }), ownSecret: unknown.ownSecret }
    expect(observe(state, signed, "reveal")).toBe(state)
    const replaced = { ...unknown, earlierSigned: [{ ...refund, purpose: "refund" as const }] }
    expect(observe(state, replaced, "reveal")).toBe(state)
  },
)

test("a withheld secret and that of the service are never told", () => {
  expect(
    observe("funded", { ...unknown, ownSecret: { ...OWN, status: "withheld" } }, "reveal"),
  ).toBe("funded")
  expect(observe("funded", sampleData(), "reveal")).toBe("funded")
})

test.each(["funded", "revealed", "redeem-reported", "refund-watch", "settling", "held"] as const)(
  "%s redeems the payout of a revealed secret, before anything else",
  (state) => {
    expect(observe(state, revealed, "redeem", true)).toBe("redeem-planning")
    expect(observe(state, unknown, "redeem")).not.toBe("redeem-planning")
  },
)

const WATCHING: readonly StateName[] = [
  "funded",
  "revealed",
  "redeem-reported",
  "refund-watch",
  "settling",
  "held",
]
const redeemBy = (state: StateName, data: OrderData): StateName =>
  step({ state, data }, { type: "operator.redeemed", by: "anna", at: 2 }).order.state
const withStatus = (status: NonNullable<OrderData["ownSecret"]>["status"]): OrderData => ({
  ...funded,
  ownSecret: { ...OWN, status },
})

test.each(WATCHING)(
  "%s begins our redemption for an operator, once the secret is told",
  (state) => {
    expect(redeemBy(state, revealed)).toBe("redeem-planning")
    const redeem = {
      ...revealed.transactions.redeem,
      signed: [sampleTransaction(samplePlan("redeem", 0))],
    }
    const signed = { ...revealed, transactions: { ...revealed.transactions, redeem } }
    expect(redeemBy(state, signed)).toBe("redeem-confirming")
  },
)

test.each([
  ["secret.chosen_by_service", funded],
  ["secret.unrevealed", withStatus("unknown")],
  ["secret.withheld", withStatus("withheld")],
  [
    "secret.withheld",
    {
      ...sampleData({ refund: [sampleTransaction(samplePlan("refund", 0))] }),
      ownSecret: unknown.ownSecret,
    },
  ],
  ["secret.lost", withStatus("lost")],
  [
    "secret.payout_redeemed",
    { ...revealed, seen: { ...revealed.seen, destinationRedeemed: some } },
  ],
])("an operator's redemption is refused with %s, in every state", (code, data) => {
  expect(refuseRedemption(data)?.code).toBe(code)
  // No order rests in `closing`.
  for (const state of STATE_NAMES.filter((name) => name !== "closing"))
    expect(redeemBy(state, data)).toBe(state)
})

test("a redemption that one endpoint alone shows refuses no operator", () => {
  const destinationRedeemed = { ...some, isAlone: true as const }
  const data = { ...revealed, seen: { ...revealed.seen, destinationRedeemed } }
  expect(refuseRedemption(data)).toBeNull()
  expect(redeemBy("revealed", data)).toBe("redeem-planning")
})

test("the view of an order names the party that chose the secret", () => {
  const view = (data: typeof funded) => viewOrder({ state: "funded", data }, new Map(), 0)
  expect(view(revealed)).toMatchObject({
    secret: "own",
    ownSecret: { hash: OWN.hash, status: "revealed", revealedAt: "1970-01-01T00:00:00.001Z" },
  })
  expect(view({ ...funded, ownSecret: null })).toMatchObject({ secret: "service" })
  expect(view({ ...funded, ownSecret: null, created: null })).toMatchObject({ secret: null })
})
