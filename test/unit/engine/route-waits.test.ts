import { describe, expect, test } from "vitest"
import type { Swap } from "#books/read-swap.ts"
import { encodeSwap } from "#books/swap-text.ts"
import { createMemory } from "#engine/memory.ts"
import {
  awaitsPayout,
  learntWaitMs,
  readRouteWait,
  readUsualTimes,
} from "#engine/rules/route-waits.ts"
import type { OrderData } from "#order/data.ts"
import { BTC, ETH } from "../../support/fake-world.ts"
import { NOTHING_SEEN } from "../../support/order-sample.ts"
import { sampleData } from "../../support/sample-job.ts"

const ROUTE = { from: ETH, to: BTC }
const none = { asset: ETH, units: 0n, fiat: null }

type Times = Pick<Swap, "askedAtMs" | "depositedAtMs" | "redeemedAtMs" | "endedAtMs">

/** Each part of these orders took so long. */
const times = (deposit: number, payout: number, end: number): Times => ({
  askedAtMs: 1_000,
  depositedAtMs: 1_000 + deposit,
  redeemedAtMs: 1_000 + deposit + payout,
  endedAtMs: 1_000 + deposit + payout + end,
})
const ALIKE = [1, 2, 3, 4].map(() => times(10, 200, 3_000))

function journalOf(swaps: readonly (Times | string | null)[]) {
  const asked: unknown[] = []
  const listRouteSummaries = (...question: readonly unknown[]) => {
    asked.push(question)
    return swaps.map((one, index) => {
      const id = `order-${index}`
      if (one === null || typeof one === "string") return { id, service: null, summary: one }
      const swap: Swap = {
        ...one,
        id,
        serviceOrderId: null,
        service: null,
        kind: null,
        solver: null,
        rule: "manual",
        outcome: "completed",
        state: "completed",
        paidAtMs: null,
        sent: none,
        received: none,
        refunded: none,
        swapCost: none,
        affiliateCost: none,
        payoutCost: none,
        networkFee: none,
        redeemFee: null,
        quoted: null,
        prices: { from: null, to: null },
        depositTx: null,
        payoutTx: null,
        refundTx: null,
        feeTxs: [],
        isBooked: true,
        earned: [],
      }
      return { id, service: null, summary: encodeSwap(swap) }
    })
  }
  // CAST: waits are read from these alone.
  return { asked, journal: { listRouteSummaries } as never }
}

describe("the usual times of a route", () => {
  test("are those of each part of its paid orders", () => {
    const { journal, asked } = journalOf([...ALIKE, null, "damaged"])
    expect(readUsualTimes(journal, ROUTE)).toEqual({ depositMs: 10, payoutMs: 200, endMs: 3_000 })
    expect(readRouteWait(journal, ROUTE)).toMatchObject({ usualMs: 200, orders: 4 })
    expect(asked[0]).toEqual([ROUTE, expect.any(Number)])
  })

  test.each(["askedAtMs", "depositedAtMs", "redeemedAtMs", "endedAtMs"] as const)(
    "are unknown while too few orders have a part (%s)",
    (part) => {
      // A time before the order's own is none that counts.
      const without = part === "askedAtMs" ? { askedAtMs: 10 ** 15 } : { [part]: null }
      const { journal } = journalOf(ALIKE.map((one) => ({ ...one, ...without })))
      expect(readUsualTimes(journal, ROUTE)).toBeNull()
    },
  )

  test("are unknown without orders", () => {
    expect(readUsualTimes(journalOf([]).journal, ROUTE)).toBeNull()
    expect(readRouteWait(journalOf(ALIKE.slice(0, 1)).journal, ROUTE)).toBeNull()
  })
})

describe("an order that waits for its payout", () => {
  const deposited = {
    ...NOTHING_SEEN,
    sourceInitiated: { txid: "x", height: 1n, final: true, at: 50 },
  }
  // CAST: it is enough that there is one.
  const secret = {} as OrderData["ownSecret"]

  test.each<[string, boolean, string, Partial<OrderData>]>([
    ["with a final deposit", true, "funded", { seen: deposited }],
    ["in another state does not", false, "settling", { seen: deposited }],
    ["without a deposit does not", false, "funded", {}],
    ["with a secret of our own does not", false, "funded", { seen: deposited, ownSecret: secret }],
    ["that was not read back does not", false, "funded", { seen: deposited, serviceOrder: null }],
  ])("%s: %s", (_name, expected, state, over) => {
    expect(awaitsPayout(state, sampleData({}, over))).toBe(expected)
  })

  test("is asked about when its payout is usual, and else as before", () => {
    const { journal, asked } = journalOf(ALIKE.map(() => times(0, 40_000, 0)))
    const context = { journal, memory: createMemory() }
    const data = sampleData({}, { seen: deposited, waitMs: 1_234 })
    const policy = { ...data.policy, pollMinMs: 1_000, pollMaxMs: 60_000 }
    const order = { state: "funded", data: { ...data, policy } } as const
    expect(learntWaitMs(context, { ...order, state: "settling" }, 50)).toBe(1_234)
    expect(asked).toEqual([])
    expect(learntWaitMs(context, order, 50)).toBe(40_000)
    expect(learntWaitMs(context, order, 10_050)).toBe(30_000)
    expect(asked).toHaveLength(1)
    const few = { journal: journalOf([]).journal, memory: createMemory() }
    expect(learntWaitMs(few, order, 50)).toBe(1_234)
  })
})
