import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import type { EngineContext } from "#engine/context.ts"
import { destinationQuery, sourceQuery } from "#engine/orders/leg-queries.ts"
import { countsAlike, type Flight, toFlight } from "#engine/rules/tick/flight.ts"
import { knownHeight, observeProgress, sumInFlight } from "#engine/rules/tick/in-flight.ts"
import type { OrderData } from "#order/data.ts"
import type { StateName } from "#order/states.ts"
import type { ChainPort } from "#ports/chain.ts"
import {
  NOTHING_SEEN,
  SAMPLE,
  samplePlan,
  sampleTransaction,
} from "../../../support/order-sample.ts"
import { sampleData } from "../../../support/sample-job.ts"
import { flight } from "./sample-flight.ts"

const { from, to, sourceUnits, destinationOwner } = SAMPLE.input.request
const PAID = SAMPLE.terms.destinationUnits
const TRAITS = familyNamed("evm").traits
const NOTHING = { left: false, back: false, arrived: false, height: 0n }
const LEFT = { ...NOTHING, left: true }

describe("an order in flight", () => {
  test("leaves its source until it has left, and arrives at its destination until it has arrived", () => {
    expect(sum(from, "deposit-sending", NOTHING)).toEqual({
      ok: true,
      inUnits: 0n,
      outUnits: sourceUnits,
    })
    expect(sum(from, "funded", LEFT)).toEqual({ ok: true, inUnits: 0n, outUnits: 0n })
    expect(sum(to, "funded", LEFT)).toEqual({ ok: true, inUnits: PAID, outUnits: 0n })
    expect(sum(to, "funded", { ...LEFT, arrived: true })).toEqual({
      ok: true,
      inUnits: 0n,
      outUnits: 0n,
    })
  })

  test("that waits for its refund comes back, and pays nothing out", () => {
    const seen = {
      ...NOTHING_SEEN,
      sourceRefunded: { txid: "back", height: 7n, final: false, at: 1 },
    }
    for (const [state, over] of [
      ["refund-confirming", {}],
      ["settling", { seen }],
    ] as const) {
      expect(sum(from, state, LEFT, over)).toEqual({ ok: true, inUnits: sourceUnits, outUnits: 0n })
      expect(sum(from, state, { ...LEFT, back: true }, over)).toEqual({
        ok: true,
        inUnits: 0n,
        outUnits: 0n,
      })
      expect(sum(to, state, LEFT, over)).toEqual({ ok: true, inUnits: 0n, outUnits: 0n })
    }
    expect(sum(to, "settling", LEFT)).toMatchObject({ inUnits: PAID })
  })

  test(
    "whose payout is lost arrives no more once it is held, and still does while the alarm may " +
      "be a lagging node",
    () => {
      const alerted = ["alarm.source_redeemed"]
      expect(sum(to, "held", LEFT, { alerted })).toEqual({ ok: true, inUnits: 0n, outUnits: 0n })
      expect(sum(to, "held", LEFT)).toMatchObject({ inUnits: PAID })
      expect(sum(to, "redeem-reported", LEFT, { alerted })).toMatchObject({ inUnits: PAID })
    },
  )

  test("to an address outside the treasury never arrives", () => {
    expect(sum(to, "funded", LEFT, {}, "another wallet")).toEqual({
      ok: true,
      inUnits: 0n,
      outUnits: 0n,
    })
  })

  test("is asked for its payout from its first signed deposit on, also while it plans another one", () => {
    const ask = (over: Parameters<typeof sampleData>[1]): boolean =>
      toFlight({ state: "deposit-planning", data: sampleData({}, over) }, TRAITS).payout !== null
    expect(ask({ replans: 0 })).toBe(false)
    expect(ask({ replans: 1 })).toBe(true)
  })

  test("without a quote has an unknown payout", () => {
    const unknown = { ok: false, cause: { code: "policy.amount_unknown" } }
    expect(sum(to, "quoting", NOTHING, { terms: null, quote: null })).toMatchObject(unknown)
  })
})

const AT = { txid: "a", height: 7n, final: true, at: 1 }
const SIGNED = { deposit: [sampleTransaction(samplePlan("deposit", 0))] }
const LEFT_SEEN = { ...NOTHING_SEEN, sourceInitiated: AT }
// CAST: only its presence counts.
const GASLESS = {} as OrderData["gasless"]
const dataOf = (over: Partial<OrderData>, signed: typeof SIGNED | object = SIGNED): OrderData =>
  sampleData(signed, over)

describe("of an open order the balances need", () => {
  const refund = sourceQuery(dataOf({ seen: LEFT_SEEN }))
  const payout = destinationQuery(dataOf({}), TRAITS)
  const none = { mayHaveLeft: false, refund: null, payout: null }
  test.each<[string, StateName, OrderData, Partial<Flight>]>([
    ["nothing before a deposit is signed", "allowing", dataOf({}, {}), none],
    ["a signed deposit", "deposit-sending", dataOf({}), { ...none, mayHaveLeft: true, payout }],
    [
      "a gasless signature",
      "gasless-submitting",
      dataOf({ gasless: GASLESS }, {}),
      { mayHaveLeft: true, refund: null, payout },
    ],
    [
      "a seen deposit",
      "funded",
      dataOf({ seen: LEFT_SEEN }),
      { mayHaveLeft: false, refund, payout },
    ],
    [
      "a seen refund",
      "refund-confirming",
      dataOf({ seen: { ...LEFT_SEEN, sourceRefunded: AT } }),
      {
        refund: null,
        payout,
        isReturning: true,
        known: { left: true, back: true, arrived: false },
      },
    ],
    [
      "a seen payout",
      "settling",
      dataOf({ seen: { ...LEFT_SEEN, destinationRedeemed: AT } }),
      { payout: null, isReturning: false, known: { left: true, back: false, arrived: true } },
    ],
    [
      "an order without terms",
      "funded",
      dataOf({ terms: null, seen: LEFT_SEEN }),
      { payout: null },
    ],
    ["an order not read back", "funded", dataOf({ serviceOrder: null }), { payout: null }],
    ["a deposit not verified", "held", dataOf({ deposit: null, seen: LEFT_SEEN }), none],
    [
      "the quote's payout",
      "creating",
      dataOf({ terms: null, quote: SAMPLE.quote }),
      { payoutUnits: PAID },
    ],
    ["no payout before a quote", "quoting", dataOf({ terms: null }), { payoutUnits: null }],
    [
      "no return of a held order, with all that was seen",
      "held",
      dataOf({ seen: { ...LEFT_SEEN, sourceRefunded: AT, destinationRedeemed: AT } }),
      { isReturning: false, known: { left: true, back: true, arrived: true } },
    ],
    [
      "no return of an ended order",
      "refunded",
      dataOf({ seen: { ...LEFT_SEEN, sourceRefunded: AT } }),
      { isReturning: false },
    ],
  ])("%s", (_name, state, data, expected) => {
    expect(toFlight({ state, data }, TRAITS)).toMatchObject(expected)
    expect(toFlight({ state, data }, null).payout).toBeNull()
  })

  test("the same count of two orders exactly when all that counts is the same", () => {
    const { payout: query } = toFlight({ state: "funded", data: dataOf({}) }, TRAITS)
    const changes: readonly Partial<Flight>[] = [
      { mayHaveLeft: true },
      { refund: query },
      { payout: query },
      { isReturning: true },
      { isPayoutLost: true },
      { known: { left: true, back: false, arrived: false } },
      { known: { left: false, back: true, arrived: false } },
      { known: { left: false, back: false, arrived: true } },
      { payoutUnits: 3n },
    ]
    const one = flight("one")
    expect(countsAlike(one, flight("two"), one.to)).toBe(true)
    for (const change of changes)
      expect(countsAlike(one, flight("one", change), one.to), Object.keys(change)[0]).toBe(false)
    expect(countsAlike(one, flight("one", { payoutUnits: 3n }), one.from)).toBe(true)
    expect(
      countsAlike(flight("one", { refund: query }), flight("two", { refund: query }), one.to),
    ).toBe(true)
  })
})

describe("a node shows of an open order", () => {
  const found = { ...flight("order-1", { from, to }), sourceUnits }
  const mined = { status: "mined", ok: true, height: 5n }
  const leg = { initiated: null, refunded: null, redeemed: null }
  type Node = { attempt?: object; leg?: object; balances?: readonly bigint[]; mempool?: boolean }
  const signed = { mayHaveLeft: true } as const
  const { refund, payout } = toFlight(
    { state: "funded", data: dataOf({ seen: LEFT_SEEN }) },
    TRAITS,
  )
  const moved = { left: false, back: false, arrived: false, height: 0n }

  test.each<[string, typeof from, Partial<Flight>, Node, Partial<typeof moved>, OrderData?]>([
    ["its mined deposit", from, signed, { attempt: mined }, { left: true, height: 5n }],
    ["a reverted deposit", from, signed, { attempt: { ...mined, ok: false } }, {}],
    ["a deposit that waits", from, signed, { attempt: { status: "pending" } }, {}],
    ["nothing of a deposit that cannot have left", from, {}, { attempt: mined }, {}],
    ["nothing of the other asset", to, signed, { attempt: mined }, {}],
    [
      "inputs that the mempool spends",
      from,
      signed,
      { mempool: true, balances: [9n, 9n] },
      { left: true, height: 0n },
    ],
    ["unspent inputs", from, signed, { mempool: true, balances: [9n, 4n] }, {}],
    [
      "the deposit of a relay",
      from,
      signed,
      { leg: { ...leg, initiated: AT } },
      { left: true, height: 7n },
      dataOf({ gasless: GASLESS }, {}),
    ],
    [
      "no deposit of a relay where none is asked for",
      from,
      signed,
      { attempt: { status: "unseen" }, leg: { ...leg, initiated: AT } },
      {},
    ],
    ["its refund", from, { refund }, { leg: { ...leg, refunded: AT } }, { back: true, height: 7n }],
    ["no refund", from, { refund }, { leg }, {}],
    ["its refund on the other side", to, { refund }, { leg: { ...leg, refunded: AT } }, {}],
    [
      "its payout",
      to,
      { payout },
      { leg: { ...leg, redeemed: AT } },
      { arrived: true, height: 7n },
    ],
    ["no payout", to, { payout }, { leg }, {}],
    ["its payout on the other side", from, { payout }, { leg: { ...leg, redeemed: AT } }, {}],
    [
      "what the journal knows",
      from,
      { known: { left: true, back: true, arrived: true } },
      {},
      { left: true, back: true, arrived: true },
    ],
  ])("%s", async (_name, asset, over, node, expected, data = dataOf({})) => {
    const balances = [...(node.balances ?? [])]
    // CAST: an observation asks only these.
    const chain = {
      traits: { ...TRAITS, balanceChangesIn: node.mempool ? "mempool" : "block" },
      observeTransaction: async () => node.attempt,
      observeLeg: async () => node.leg,
      fetchBalance: async () => ({ spendableUnits: balances.shift() }),
    } as unknown as ChainPort
    // CAST: the journal has the order, and the memory decodes it.
    const context = {
      journal: { findOrder: () => ({}) },
      memory: { orders: { read: () => ({ data }) } },
    } as unknown as EngineContext
    const progress = await observeProgress(context, chain, asset, { ...found, ...over })
    expect(progress).toEqual({ ...moved, ...expected })
  })

  test("the highest block of the last ten minutes on the chain of the balance", () => {
    const refs = [
      { from, to, updatedAtMs: 1_000, height: { from: 5n, to: 90n } },
      { from: to, to: from, updatedAtMs: 1_000, height: { from: 80n, to: 6n } },
      { from, to, updatedAtMs: 999, height: { from: 70n, to: 99n } },
    ]
    // CAST: only these parts are read; no order has ended.
    const context = {
      clock: { now: () => 601_000 },
      journal: { listEndedRefs: () => [] },
    } as unknown as EngineContext
    // CAST: the height of a ref is all that counts of its order.
    const open = { refs, figures: refs } as unknown as Parameters<typeof knownHeight>[1]
    expect(knownHeight(context, open, from)).toBe(6n)
    expect(knownHeight(context, open, to)).toBe(90n)
    const damaged = { refs: open.refs, figures: [null, null, null] }
    expect(knownHeight(context, damaged, from)).toBe(0n)
  })
})

test("a sum knows the highest block of an observation, and whether a payout is under way", () => {
  // CAST: the sum uses only this part of the port.
  const chain = { account: "us", sameAddress: (a: string, b: string) => a === b } as ChainPort
  const { payout } = toFlight({ state: "funded", data: dataOf({}) }, TRAITS)
  const orders = sumInFlight(chain, to)
  orders.add(flight("one", { from, to }), { ...LEFT, height: 4n })
  orders.add(flight("two", { from, to, payout }), { ...LEFT, arrived: true, height: 9n })
  orders.add(flight("three", { from, to: from, payout }), { ...LEFT, height: 8n })
  expect([orders.height(), orders.awaitsPayout()]).toEqual([9n, false])
  orders.add(flight("four", { from, to, payout }), LEFT)
  expect([orders.height(), orders.awaitsPayout()]).toEqual([9n, true])
  expect(orders.total()).toEqual({ ok: true, inUnits: 4n, outUnits: 0n })
})

function sum(
  asset: typeof from,
  state: StateName,
  progress: typeof NOTHING,
  over: Parameters<typeof sampleData>[1] = {},
  account = destinationOwner,
) {
  // CAST: the sum uses only this part of the port.
  const chain = { account, sameAddress: (a: string, b: string) => a === b } as ChainPort
  const orders = sumInFlight(chain, asset)
  orders.add(toFlight({ state, data: sampleData({}, over) }, TRAITS), progress)
  return orders.total()
}
