import { describe, expect, test } from "vitest"
import { pendingOf } from "#books/pending.ts"
import type { OrderData } from "#order/data.ts"
import type { OutlivedNews } from "#order/events.ts"
import type { Order } from "#order/step.ts"
import {
  AT,
  final,
  funded,
  landedTransaction,
  observed,
  seenFunded,
  seenRefunded,
  signed,
  take,
  txidOf,
} from "../../support/order-steps.ts"

/* Transactions whose place a later one took by the time alone: both may land. */

const open = (purpose: "redeem" | "refund", openSince?: number): OrderData["earlierSigned"] =>
  signed(purpose).signed.map((one) => ({
    ...one,
    purpose,
    ...(openSince === undefined ? {} : { openSince }),
  }))
const later = { redeem: signed("redeem", 1), refund: signed("refund", 1) }
const paidBy = (txid: string): OrderData["seen"] => ({
  ...seenFunded(true),
  destinationRedeemed: { txid, height: 6n, final: true, at: 0 },
})
const ends = {
  redeem: observed({ paid: true, seen: paidBy(txidOf("redeem")) }),
  refund: observed({ refunded: true, seen: seenRefunded("refund") }),
}
const news = (over: Partial<OutlivedNews> = {}): readonly OutlivedNews[] => [
  { txid: txidOf("redeem"), landed: landedTransaction("redeem", 5n), isOver: true, ...over },
]
const waiting = (over: Partial<OrderData> = {}): Order => ({
  state: "settling",
  data: { ...funded({}), earlierSigned: open("redeem", 7), ...over },
})

describe.each(["redeem", "refund"] as const)("a %s that is called over", (purpose) => {
  const confirming: Order = {
    state: `${purpose}-confirming`,
    data: funded({ [purpose]: signed(purpose) }),
  }
  const over = { type: "transaction.excluded", by: "expired" } as const

  test("by the time alone is open from then on, and is no attempt of its track", () => {
    const { data } = take(confirming, { ...over, unproven: true })
    expect(data.earlierSigned).toMatchObject([{ purpose, txid: txidOf(purpose), openSince: AT }])
    expect(data.transactions[purpose]).toMatchObject({ signed: [], settled: true })
    expect(data.reasons.at(-1)?.message).toMatch(/No block showed/)
  })

  test("by a proof stays in its track until a plan replaces it", () => {
    const { data } = take(confirming, over)
    expect(data.earlierSigned).toEqual([])
    expect(data.transactions[purpose].signed).toHaveLength(1)
    expect(data.reasons.at(-1)?.message).toMatch(/time of the .* is over/)
    const rival = take(confirming, { ...over, by: "another" }).data.reasons.at(-1)
    expect(rival?.message).toMatch(/Another transaction/)
  })
})

describe("the end of an order", () => {
  test.each(["redeem", "refund"] as const)("waits for an open %s", (purpose) => {
    const seen = purpose === "redeem" ? paidBy("ours") : seenRefunded("another")
    const end = observed({ paid: purpose === "redeem", refunded: purpose === "refund", seen })
    const earlierSigned = open(purpose, 7)
    expect(take(waiting({ earlierSigned }), end).state).toBe("settling")
    const done = purpose === "redeem" ? "completed" : "refunded"
    expect(take(waiting({ earlierSigned: open(purpose) }), end).state).toBe(done)
    const found = { outlived: news({ txid: txidOf(purpose), landed: null }) }
    expect(take(waiting({ earlierSigned }), { ...end, ...found }).state).toBe(done)
    const young = { outlived: news({ txid: txidOf(purpose), isOver: false }) }
    expect(take(waiting({ earlierSigned }), { ...end, ...young }).state).toBe("settling")
    const another = { outlived: news({ txid: "another" }) }
    expect(take(waiting({ earlierSigned }), { ...end, ...another }).state).toBe("settling")
  })

  test.each(["redeem", "refund"] as const)("comes by an open %s itself", (purpose) => {
    const before = waiting({ earlierSigned: open(purpose, 7) })
    const first = take(before, ends[purpose])
    expect(first.state).toBe("settling")
    const landed = landedTransaction(purpose, 5n)
    const found = { outlived: news({ txid: txidOf(purpose), landed }) }
    const last = take(first, { ...ends[purpose], ...found })
    expect(last.state).toBe(purpose === "redeem" ? "completed" : "refunded")
    expect(last.data.mined).toEqual([landed])
    expect(last.data.networkFeeUnits).toBe(purpose === "redeem" ? 0n : 5n)
    // The same news twice counts once, also where the order was observed in between.
    const between = take(before, { ...observed({}), ...found })
    expect(take(between, ends[purpose]).state).toBe(last.state)
    expect(take(between, { ...ends[purpose], ...found }).data.networkFeeUnits).toBe(
      last.data.networkFeeUnits,
    )
  })

  test("waits for the fee of a redemption that counted as excluded and took the payout", () => {
    const settled = { ...signed("redeem"), settled: true }
    const tracked = waiting({ ...funded({ redeem: settled }), earlierSigned: [] })
    expect(take(tracked, ends.redeem).state).toBe("redeem-confirming")
    const replaced = waiting({ ...funded({ redeem: later.redeem }), earlierSigned: open("redeem") })
    const after = take(replaced, ends.redeem)
    expect(after.state).toBe("redeem-confirming")
    expect(after.data.transactions.redeem.signed.map(({ txid }) => txid)).toEqual([
      txidOf("redeem"),
      txidOf("redeem", 1),
    ])
    const booked = waiting({ ...funded({ redeem: final("redeem") }), earlierSigned: [] })
    expect(take(booked, ends.redeem).state).toBe("completed")
    const foreign = observed({ paid: true, seen: paidBy("another") })
    expect(take(tracked, foreign).state).toBe("completed")
  })
})

describe("news of an open transaction", () => {
  const learn = (...found: readonly OutlivedNews[]): OrderData =>
    take(waiting(), observed({ outlived: found })).data
  const isOpen = ({ earlierSigned }: OrderData): boolean =>
    earlierSigned.some(({ openSince }) => openSince !== undefined)

  test("books its block, and drops the record of one that vanished", () => {
    const [young] = news({
      landed: { ...landedTransaction("redeem", 5n), final: false },
      isOver: false,
    })
    if (young === undefined) throw new Error("no news")
    expect([learn(young).mined, isOpen(learn(young))]).toEqual([[young.landed], true])
    const gone = { ...young, landed: null }
    const vanished = take({ state: "settling", data: learn(young) }, observed({ outlived: [gone] }))
    expect([vanished.data.mined, isOpen(vanished.data)]).toEqual([[], true])
    expect(isOpen(learn({ ...gone, isOver: true }))).toBe(false)
  })

  test("closes no other one", () => {
    const [one] = open("refund", 8)
    const both = waiting({ earlierSigned: [...open("redeem", 7), ...(one ? [one] : [])] })
    const { earlierSigned } = take(both, observed({ outlived: news() })).data
    expect(earlierSigned.map(({ purpose, openSince }) => [purpose, openSince])).toEqual([
      ["redeem", undefined],
      ["refund", 8],
    ])
  })

  test("is expected in the wallet of its chain until its block is final", () => {
    const wallets = {
      assets: [],
      // CAST: a name of an asset.
      nativeOf: (chain: string) => `${chain}:coin` as never,
      takesRefundFeeFromAmount: () => false,
      isOurs: () => true,
    }
    const pending = ({ state, data }: Order, end: "from" | "to") => {
      const chain = data.request[end].split(":")[0] ?? ""
      return pendingOf([{ state, data }], wallets).get(wallets.nativeOf(chain))
    }
    const redeem = waiting()
    expect(pending(redeem, "to")).toEqual({ inUnits: 0n, outUnits: 1n })
    const young = { ...landedTransaction("redeem", 1n), final: false }
    expect(pending(waiting({ mined: [young] }), "to")).toEqual({ inUnits: 1n, outUnits: 1n })
    const old = landedTransaction("redeem", 1n)
    expect(pending(waiting({ mined: [old] }), "to")).toBeUndefined()
    const refund = waiting({ earlierSigned: open("refund", 7) })
    const closed = waiting({ earlierSigned: open("refund") })
    expect(
      (pending(refund, "from")?.outUnits ?? 0n) - (pending(closed, "from")?.outUnits ?? 0n),
    ).toBe(1n)
  })
})
