import { describe, expect, test } from "vitest"
import type { Reason } from "#domain/reason.ts"
import type { OrderData } from "#order/data.ts"
import type { OrderEvent } from "#order/events.ts"
import { ORDER_KINDS, wordsOf } from "#order/kinds/registry.ts"
import { refuseRedemption } from "#order/refuse-redemption.ts"
import { STATE_NAMES, STATES, type StateName } from "#order/states.ts"
import { type Order, step } from "#order/step.ts"
import { OPEN_PAYOUT } from "#order/update.ts"
import { viewOrder } from "#order/view.ts"
import { describeEvent, listStages, listTestimonies } from "../../../web/orders/order-stages.ts"
import { SAMPLE, samplePlan, sampleTransaction } from "../../support/order-sample.ts"
import { signed } from "../../support/order-steps.ts"
import { sampleData } from "../../support/sample-job.ts"

const some = { txid: "t", height: 1n, final: true, at: 1 }
const voucher = { kind: "cctp", nonce: "1", fields: {} }

const base = sampleData()
const burnt: OrderData = {
  ...base,
  quote: { ...SAMPLE.quote, kind: "cctp", guarantee: "contract" },
  serviceOrder: null,
  seen: { ...base.seen, sourceInitiated: some },
}
const swapped: OrderData = { ...burnt, quote: SAMPLE.quote }

type Observation = Partial<Extract<OrderEvent, { type: "order.observed" }>>

function observe(state: StateName, data: OrderData, observation: Observation): StateName {
  const event: OrderEvent = {
    type: "order.observed",
    at: 1,
    serviceOrder: null,
    seen: data.seen,
    paidUnits: null,
    alerts: [],
    paid: false,
    refunded: false,
    lapsed: false,
    refundable: false,
    ...observation,
  }
  return step({ state, data }, event).order.state
}

test.each(["funded", "redeem-reported", "settling", "held"] as const)(
  "%s redeems once the chain would pay the voucher, and waits before",
  (state) => {
    const shown = { ...burnt.seen, destinationRedeemed: state === "settling" ? some : null }
    const data = { ...burnt, seen: shown }
    expect(observe(state, data, { voucher, redeemable: true })).toBe("redeem-planning")
    expect(observe(state, data, { voucher })).toBe(state)
  },
)

describe("an order whose deposit another transaction excluded for good", () => {
  const none = { ...burnt.seen, sourceInitiated: null }
  const settled = { ...signed("deposit"), settled: true }
  const excluded = (data: OrderData): OrderData => ({
    ...data,
    seen: none,
    transactions: { ...data.transactions, deposit: settled },
  })
  const shown = { ...none, destinationRedeemed: some }
  // CAST: the guards read its status.
  const told = { ...swapped, ownSecret: { status: "revealed" } as OrderData["ownSecret"] }
  const cases = [
    ["a burn", burnt],
    ["an HTLC", swapped],
    ["an HTLC whose secret is told", told],
  ] as const

  test.each(cases)("is not watched on for an ending that never comes, as %s", (_name, data) => {
    for (const state of ["funded", "revealed", "redeem-reported", "settling"] as const)
      expect(observe(state, excluded(data), { seen: shown })).toBe("deposit-confirming")
    expect(
      observe("settling", data, { seen: { ...burnt.seen, ...shown, sourceInitiated: some } }),
    ).toBe("settling")
  })

  test("takes its payout first", () => {
    const data = excluded({ ...burnt, voucher })
    expect(observe("funded", data, { voucher, redeemable: true })).toBe("redeem-planning")
    expect(observe("funded", data, { voucher })).toBe("deposit-confirming")
    expect(observe("revealed", excluded(told), { secret: "redeem" })).toBe("redeem-planning")
    expect(observe("revealed", excluded(told), {})).toBe("revealed")
  })

  test("may be abandoned also with a voucher, and only then", () => {
    const abandon = (data: OrderData) =>
      step({ state: "held", data }, { type: "operator.abandoned", by: "ann", at: 1 }).order.state
    const open = { ...burnt.transactions, deposit: signed("deposit") }
    expect(abandon(excluded({ ...burnt, voucher }))).toBe("deposit-confirming")
    expect(abandon({ ...excluded({ ...burnt, voucher }), transactions: open })).toBe("held")
    expect(abandon({ ...burnt, voucher, transactions: open })).toBe("held")
  })
})

test("a redemption that fails waits for the next look in funded, where no secret was told", () => {
  const declined = { type: "order.declined", reasons: [], at: 1 } as const
  const next = (data: OrderData) => step({ state: "redeem-planning", data }, declined).order.state
  expect(next(burnt)).toBe("funded")
  expect(next(swapped)).toBe("revealed")
})

test("an order keeps its voucher, and an operator may redeem with it", () => {
  const event = { type: "operator.redeemed", by: "ann", at: 1 } as const
  const asked = (data: OrderData) => step({ state: "held", data }, event).order.state
  expect(refuseRedemption(burnt)?.code).toBe("route.no_voucher")
  expect(asked(burnt)).toBe("held")
  expect(refuseRedemption({ ...burnt, voucher })).toBeNull()
  expect(asked({ ...burnt, voucher })).toBe("redeem-planning")
  const paid = { ...burnt, voucher, seen: { ...burnt.seen, destinationRedeemed: some } }
  expect(refuseRedemption(paid)?.code).toBe("secret.payout_redeemed")
})

test("an operator refunds an HTLC, and nothing that never comes back", () => {
  const event = { type: "operator.refunded", by: "ann", at: 1 } as const
  const next = (data: OrderData) => step({ state: "funded", data }, event).order.state
  expect(next(swapped)).toBe("refund-planning")
  expect(next(burnt)).toBe("funded")
})

test("an open payout that is found after silent endpoints is told once more, and can be given up", () => {
  const code = "ending.unproven"
  const silence = { code, message: "silent" }
  const payout = { code, message: "open", what: OPEN_PAYOUT }
  const start: Order = { state: "proving-unfunded", data: { ...burnt, voucher } }
  const tell = (order: Order, alert: Reason) =>
    step(order, { type: "order.unproven", alerts: [alert], at: 1 }).order
  const silent = tell(start, silence)
  const open = tell(silent, payout)
  const again = tell(open, silence)
  const abandon = (order: Order) =>
    step(order, { type: "operator.abandoned", by: "ann", at: 1 }).order.state
  expect([silent, open, again].map(abandon)).toEqual(["proving-unfunded", "abandoned", "abandoned"])
  expect(open.data.reasons.filter((reason) => reason.code === code)).toEqual([payout])
  expect(open.data.alerted).toEqual([code, `${code}/${OPEN_PAYOUT}`])
  expect(again.data.reasons).toEqual(open.data.reasons)
  expect(again.data.alerted).toEqual(open.data.alerted)
})

test.each(["refund", "redeem"] as const)(
  "an order without its deposit books no %s whose block vanished, and can be given up only then",
  (purpose) => {
    const signed = sampleTransaction(samplePlan(purpose, 0))
    const block = { txid: signed.txid, height: 5n, final: false }
    const data = sampleData({ [purpose]: [signed] }, { quote: burnt.quote, voucher })
    const track = { ...data.transactions[purpose], mined: block }
    const reasons = [{ code: "ending.unproven", message: "open", what: OPEN_PAYOUT }]
    const record = { ...block, purpose, ok: true, feeUnits: 1n, heldUnits: 0n }
    const order: Order = {
      state: "proving-unfunded",
      data: {
        ...data,
        reasons,
        mined: [record],
        transactions: { ...data.transactions, [purpose]: track },
      },
    }
    const abandon = (from: Order) =>
      step(from, { type: "operator.abandoned", by: "ann", at: 1 }).order.state
    if (purpose === "redeem") expect(abandon(order)).toBe("proving-unfunded")
    const gone = step(order, { type: `${purpose}.unsettled`, at: 1 }).order
    expect(gone).toMatchObject({ state: "proving-unfunded", data: { mined: [], reasons } })
    expect(gone.data.transactions[purpose]).toMatchObject({ mined: null, settled: false })
    const shown = { ...gone.data.seen, destinationRedeemed: some }
    expect(abandon({ ...gone, data: { ...gone.data, seen: shown } })).toBe("proving-unfunded")
    expect(abandon(gone)).toBe("abandoned")
  },
)

test("people read the words of the order's kind", () => {
  const money = (data: OrderData) => viewOrder({ state: "funded", data }, new Map(), 0).money
  expect(money(burnt)).toBe("burnt; waiting for the issuer's attestation")
  expect(money(swapped)).toBe(STATES.funded.money)
  // A journal may name a kind of a later version.
  expect(wordsOf("funded", "later")).toEqual(STATES.funded)
})

test("an order is shown with the parts of its kind, and with a secret only where it has one", () => {
  const view = (data: OrderData) => viewOrder({ state: "funded", data }, new Map(), 0)
  const route = {
    kind: "cctp",
    deposit: "burn",
    voucher: "attested",
    payout: "mint",
    trust: expect.stringMatching(/^The issuer /),
  }
  expect(view({ ...burnt, voucher })).toMatchObject({
    route: { ...route, nonce: "1" },
    kind: "cctp",
    secret: null,
  })
  expect(view(burnt).route?.nonce).toBeNull()
  expect(view(swapped)).toMatchObject({ secret: "service", kind: "htlc" })
  expect(view(swapped)).not.toHaveProperty("route")
})

test("the page shows the way of an order in the words of its kind", () => {
  const shown = (state: StateName, data: OrderData) => {
    const order = { ...viewOrder({ state, data }, new Map(), 0), nextAsk: null, calls: [] }
    return { ...order, events: [], usual: null }
  }
  const stagesOf = (data: OrderData) =>
    listStages(shown("funded", data)).map(({ name, state }) => `${name} ${state}`)
  const early = ["Requested done", "Quoted done", "Ordered done", "Verified done"]
  expect(stagesOf(burnt)).toEqual([
    ...early,
    ...["Burn done", "Attested now", "Mint open", "Final open"],
  ])
  expect(stagesOf({ ...burnt, voucher })).toEqual([
    ...early,
    ...["Burn done", "Attested done", "Mint now", "Final open"],
  ])
  expect(stagesOf(swapped)[5]).toBe("Solver deposited now")
  const about = (data: OrderData) => listTestimonies(shown("funded", data)).map(({ what }) => what)
  expect(about(burnt)).toEqual(["Our burn", "The mint to us"])
  expect(about(swapped)).toHaveLength(5)
  const told = (data: OrderData) =>
    ["order.created", "order.observed", "transaction.sent"].map((type) => {
      const { who, says } = describeEvent(type, shown("funded", data))
      return `${who} ${says}`
    })
  const sent = "Ballast sends the transaction"
  expect(told(burnt)).toEqual([
    "Ballast builds the burn",
    "chain shows the state of burn and mint",
    sent,
  ])
  expect(told(swapped)).toEqual([
    "service creates the order",
    "chain shows the state of both HTLCs",
    sent,
  ])
})

test("no kind describes a state in which its orders never are", () => {
  for (const { words, without } of ORDER_KINDS) {
    expect(STATE_NAMES.filter((name) => name in words && without.includes(name))).toEqual([])
  }
})
