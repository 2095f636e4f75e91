import { describe, expect, test } from "vitest"
import { listEverSigned, type OrderData, type TransactionTrack } from "#order/data.ts"
import type { UntimedOrderEvent } from "#order/events.ts"
import { isApprovalOpen } from "#order/mined.ts"
import { type Order, step } from "#order/step.ts"
import { NOTHING_SEEN, SAMPLE, samplePlan, sampleTransaction } from "../../support/order-sample.ts"
import {
  AT,
  final,
  funded,
  gaslessOut,
  landedTransaction,
  mined,
  observed,
  seenFunded,
  seenRefunded,
  signed,
  take,
  txidOf,
  untouched,
  withTransactions,
} from "../../support/order-steps.ts"

const HELD: UntimedOrderEvent = {
  type: "order.held",
  reasons: [{ code: "evm.answer", message: "nonsense" }],
}

/*
 * A signed transaction may land at any time: it is observed before another one is planned, and
 * before its order ends.
 */

test("an approval that was final and that no block shows any more is asked for again", () => {
  const approved: Order = {
    state: "approve-confirming",
    data: withTransactions({ approve: signed("approve") }),
  }
  const allowing = take(approved, mined("approve", { feeUnits: 1n }))
  expect(allowing.data.transactions.approve.settled).toBe(true)
  const pending = take(
    { state: "approve-confirming", data: allowing.data },
    { type: "transaction.pending" },
  )
  expect(isApprovalOpen(pending.data.transactions.approve)).toBe(true)
})

describe("a refund that is signed", () => {
  test("and held is confirmed when the source is refundable again, without a second one", () => {
    const held = take(
      { state: "refund-confirming", data: funded({ refund: signed("refund") }) },
      HELD,
    )
    expect(held.state).toBe("held")
    expect(take(held, observed({ refundable: true })).state).toBe("refund-confirming")
    expect(take(held, { type: "operator.refunded", by: "anna" }).state).toBe("refund-confirming")
  })

  test("is observed again after a pause when a node's answer held its order", () => {
    const confirming: Order = {
      state: "refund-confirming",
      data: funded({ refund: signed("refund") }),
    }
    const { next } = step(confirming, { ...HELD, at: AT })
    expect(next).toEqual({ work: { kind: "observeOrder" }, delayMs: SAMPLE.input.policy.pollMinMs })
  })

  test("and excluded is planned again", () => {
    const confirming: Order = {
      state: "refund-confirming",
      data: funded({ refund: signed("refund") }),
    }
    const watching = take(confirming, { type: "transaction.excluded", by: "another" })
    expect(watching.state).toBe("refund-watch")
    expect(take(watching, observed({ refundable: true })).state).toBe("refund-planning")
  })

  test.each(["held", "funded", "redeem-reported", "refund-watch"] as const)(
    "that the HTLC shows while its order is %s is confirmed first, and its fee counted",
    (state) => {
      const watching: Order = { state, data: funded({ refund: signed("refund") }) }
      const confirming = take(watching, observed({ refunded: true, seen: seenRefunded("refund") }))
      expect(confirming.state).toBe("refund-confirming")
      const confirmed = take(confirming, mined("refund", { feeUnits: 7n }))
      expect(confirmed).toMatchObject({ state: "refund-watch", data: { networkFeeUnits: 7n } })
      expect(
        take(confirmed, observed({ refunded: true, seen: seenRefunded("refund") })).state,
      ).toBe("refunded")
    },
  )

  test("by another account ends the order when ours can no longer land", () => {
    const watching = (refund: TransactionTrack): Order => ({
      state: "refund-watch",
      data: funded({ refund }),
    })
    const refunded = observed({ refunded: true, seen: seenRefunded("another") })
    expect(take(watching({ ...signed("refund"), settled: true }), refunded).state).toBe("refunded")
    // Our own refund still costs its fee when it lands.
    expect(take(watching(signed("refund")), refunded).state).toBe("refund-confirming")
  })

  test.each(["held", "refund-watch"] as const)(
    "and final is not planned again when a lagging node shows the HTLC open, while the order is %s",
    (state) => {
      const watching: Order = { state, data: funded({ refund: final("refund") }) }
      expect(take(watching, observed({ refundable: true })).state).toBe(state)
      // An operator has the same refund observed again.
      expect(take(watching, { type: "operator.refunded", by: "anna" }).state).toBe(
        "refund-confirming",
      )
    },
  )
})

describe("a void that is signed", () => {
  const bumped = signed("void", 0, 1)

  test.each([
    ["once", signed("void")],
    ["and bumped", bumped],
  ])(
    "%s is confirmed when its held order is retried or abandoned, without a second one",
    (_name, track) => {
      const held = take(
        {
          state: "void-confirming",
          data: withTransactions({ deposit: signed("deposit"), void: track }),
        },
        HELD,
      )
      const retried = take(held, { type: "operator.retried", by: "anna", nonce: "2" })
      expect(retried.state).toBe("deposit-confirming")
      expect(take(retried, { type: "transaction.late" }).state).toBe("void-confirming")
      expect(take(retried, { type: "operator.abandoned", by: "anna" }).state).toBe(
        "void-confirming",
      )
      expect(take(held, { type: "operator.abandoned", by: "anna" }).state).toBe("void-confirming")
    },
  )

  test("has its fee counted once, when its block is final", () => {
    const confirming: Order = {
      state: "void-confirming",
      data: withTransactions({ deposit: signed("deposit"), void: bumped }),
    }
    const seen = take(confirming, mined("void", { attempt: 1, feeUnits: 7n, final: false }))
    expect(seen).toMatchObject({ state: "void-confirming", data: { networkFeeUnits: 0n } })
    expect(take(seen, mined("void", { attempt: 1, feeUnits: 7n }))).toMatchObject({
      state: "proving-unfunded",
      data: { networkFeeUnits: 7n },
    })
  })

  test("for an earlier deposit does not exclude a later one with another nonce", () => {
    const replanned = { ...samplePlan("deposit", 0), resources: ["nonce:1"] }
    const deposit = { ...untouched(), signed: [sampleTransaction(replanned)] }
    const confirming: Order = {
      state: "deposit-confirming",
      data: withTransactions({ deposit, void: signed("void") }),
    }
    expect(take(confirming, { type: "transaction.late" }).state).toBe("void-planning")
  })

  test("and settled is planned again", () => {
    const data = withTransactions({
      deposit: signed("deposit"),
      void: { ...signed("void"), settled: true },
    })
    expect(take({ state: "deposit-confirming", data }, { type: "transaction.late" }).state).toBe(
      "void-planning",
    )
  })

  test("that excludes the deposit has its fee counted with that event", () => {
    const data = withTransactions({ deposit: signed("deposit"), void: signed("void") })
    const landed = landedTransaction("void", 7n)
    const ended = take(
      { state: "deposit-confirming", data },
      { type: "transaction.excluded", by: landed.txid, landed },
    )
    expect(ended).toMatchObject({
      state: "proving-unfunded",
      data: { networkFeeUnits: 7n, mined: [landed] },
    })
  })
})

describe("a deposit that can never land", () => {
  const confirming = (over: Partial<OrderData> = {}): Order => ({
    state: "deposit-confirming",
    data: { ...withTransactions({ deposit: signed("deposit") }), sendUntilMs: 10 * AT, ...over },
  })

  test("because its time is over is planned again, and its bytes are kept for the proof", () => {
    const planning = take(confirming(), { type: "transaction.excluded", by: "expired" })
    expect(planning.state).toBe("deposit-planning")
    const signing = take(planning, { type: "transaction.planned", plan: samplePlan("deposit", 0) })
    expect(signing.data.transactions.deposit.signed).toEqual([])
    expect(listEverSigned(signing.data).map(({ txid }) => txid)).toEqual([txidOf("deposit")])
    // The order declines before the second signature: the first one still decides whether the HTLC
    // is empty.
    expect(take(signing, { type: "order.declined", reasons: [] }).state).toBe("proving-unfunded")
  })

  test("because of another transaction of ours is not planned again", () => {
    expect(take(confirming(), { type: "transaction.excluded", by: "0xours" }).state).toBe(
      "proving-unfunded",
    )
  })

  test("leaves no order that starts over: another order of the service would hide its HTLC", () => {
    const earlierSigned = [
      { ...sampleTransaction(samplePlan("deposit", 0)), purpose: "deposit" as const },
    ]
    const held: Order = {
      state: "held",
      data: { ...withTransactions({}), earlierSigned, sendUntilMs: 0 },
    }
    expect(take(held, { type: "operator.retried", by: "anna", nonce: "2" }).state).toBe(
      "proving-unfunded",
    )
    const abandoned = { ...held, data: { ...held.data, allowanceCleared: true } }
    expect(take(abandoned, { type: "operator.abandoned", by: "anna" }).state).toBe(
      "proving-unfunded",
    )
  })

  test("comes back with all its bytes when the HTLC shows a deposit", () => {
    const earlierSigned = [
      { ...sampleTransaction(samplePlan("deposit", 0)), purpose: "deposit" as const },
    ]
    const proving: Order = {
      state: "proving-unfunded",
      data: { ...confirming().data, earlierSigned },
    }
    const opened = take(proving, { type: "deposit.unsettled" })
    expect(opened.state).toBe("deposit-confirming")
    expect(opened.data.transactions.deposit.signed).toHaveLength(2)
    expect(opened.data.earlierSigned).toEqual([])
  })
})

describe("the end of an order", () => {
  test.each([
    ["completed", observed({ paid: true })],
    ["refunded", observed({ refunded: true, seen: seenRefunded("another") })],
  ] as const)("that is %s waits until each transaction of ours is final", (end, event) => {
    const young = {
      ...final("approve"),
      mined: { txid: txidOf("approve"), height: 5n, seen: true, final: false },
    }
    const order: Order = {
      state: "settling",
      data: funded({ approve: { ...young, settled: false } }),
    }
    expect(take(order, event).state).not.toBe(end)
    const landed = { ...landedTransaction("approve", 7n), height: 5n }
    const ended = take(order, { ...event, landed } as UntimedOrderEvent)
    expect(ended).toMatchObject({ state: end, data: { networkFeeUnits: 7n, mined: [landed] } })
  })

  test("is not concluded from a theft that too few endpoints show", () => {
    const theft = { alerts: [{ code: "alarm.source_redeemed", message: "" }] }
    const order: Order = { state: "funded", data: funded({}) }
    expect(take(order, observed({ ...theft, agreed: false })).state).toBe("funded")
    expect(take(order, observed({ ...theft, agreed: true })).state).toBe("held")
  })
})

test("an approval that landed has its fee counted when nothing is left to revoke", () => {
  const landed = landedTransaction("approve", 7n)
  const planning: Order = {
    state: "revoke-planning",
    data: withTransactions({ approve: signed("approve") }),
  }
  expect(take(planning, { type: "order.declined", reasons: [], landed })).toMatchObject({
    state: "rejected",
    data: { networkFeeUnits: 7n, mined: [landed], allowanceCleared: true },
  })
})

describe("a payout", () => {
  const relayed = { ...withTransactions({}), gasless: gaslessOut() }

  test.each(["held", "funded", "redeem-reported", "refund-watch"] as const)(
    "of an order that is %s completes it only when our node shows the source deposit as final",
    (state) => {
      const unseen = take({ state, data: relayed }, observed({ paid: true, seen: NOTHING_SEEN }))
      expect(unseen.state).toBe(state)
      const young = take(unseen, observed({ paid: true, seen: seenFunded(false) }))
      expect(young.state).not.toBe("completed")
      expect(take(young, observed({ paid: true, seen: seenFunded(true) })).state).toBe("completed")
    },
  )

  test("makes a held order observe its own deposit, which our node has not shown yet", () => {
    const held: Order = { state: "held", data: withTransactions({ deposit: signed("deposit") }) }
    expect(take(held, observed({ paid: true, seen: NOTHING_SEEN })).state).toBe(
      "deposit-confirming",
    )
  })
})

test.each([
  { type: "operator.refunded", by: "anna" } as const,
  { type: "operator.retried", by: "anna", nonce: "2" } as const,
])(
  "a held order whose deposit is not settled observes it on $type, also when the HTLC shows it",
  (event) => {
    const data = { ...withTransactions({ deposit: signed("deposit") }), seen: seenFunded(true) }
    expect(take({ state: "held", data }, event).state).toBe("deposit-confirming")
  },
)

describe("an approval whose block vanished after the order went on from it", () => {
  const relayed = { ...withTransactions({ approve: signed("approve") }), gasless: gaslessOut() }
  const paid = { paid: true, seen: seenFunded(true) }

  test("keeps the order from its end until its fee is known", () => {
    const waiting = take({ state: "funded", data: relayed }, observed(paid))
    expect(waiting.state).toBe("funded")
    const landed = landedTransaction("approve", 7n)
    const ended = take(waiting, observed({ ...paid, landed }))
    expect(ended).toMatchObject({
      state: "completed",
      data: { networkFeeUnits: 7n, mined: [landed] },
    })
  })

  test("costs nothing when another transaction excluded it", () => {
    const mined = [{ ...landedTransaction("approve", 7n), final: false }]
    const ended = take(
      { state: "funded", data: { ...relayed, mined } },
      observed({ ...paid, excluded: "approve" }),
    )
    expect(ended).toMatchObject({ state: "completed", data: { networkFeeUnits: 0n, mined: [] } })
  })

  test("costs nothing either when nothing is left to revoke, or when the order is held", () => {
    const mined = [landedTransaction("approve", 7n)]
    const data = { ...relayed, mined, networkFeeUnits: 7n }
    const over = { reasons: [], excluded: "approve" } as const
    const closing = take({ state: "revoke-planning", data }, { type: "order.declined", ...over })
    expect(closing.data).toMatchObject({ networkFeeUnits: 0n, mined: [], allowanceCleared: true })
    const held = take({ state: "revoke-planning", data }, { type: "order.held", ...over })
    expect(held).toMatchObject({ state: "held", data: { networkFeeUnits: 0n, mined: [] } })
  })
})

describe("an approval that a later one was to replace", () => {
  const earlierSigned = [
    { ...sampleTransaction(samplePlan("approve", 0)), purpose: "approve" as const },
  ]
  const later = {
    ...signed("approve"),
    signed: [{ ...sampleTransaction(samplePlan("approve", 0)), txid: "later" }],
  }
  const voiding = sampleTransaction({ ...samplePlan("revoke", 0), action: "void" as const })

  test("is revoked after the later one is voided", () => {
    const revoke = { ...signed("revoke"), signed: [voiding] }
    const data = { ...withTransactions({ approve: later, revoke }), earlierSigned }
    const after = take({ state: "revoke-confirming", data }, mined("revoke", { feeUnits: 1n }))
    expect(after).toMatchObject({ state: "revoke-planning", data: { allowanceCleared: false } })
    const alone = take(
      { state: "revoke-confirming", data: { ...data, earlierSigned: [] } },
      mined("revoke", { feeUnits: 1n }),
    )
    expect(alone).toMatchObject({ state: "rejected", data: { allowanceCleared: true } })
    const zero = { ...data, transactions: { ...data.transactions, revoke: signed("revoke") } }
    expect(
      take({ state: "revoke-confirming", data: zero }, mined("revoke", { feeUnits: 1n })).state,
    ).toBe("rejected")
  })

  test.each([
    ["is excluded", { type: "transaction.excluded", by: "rival" }],
    ["is never sent", { type: "transaction.late", unsent: true }],
  ] as const)("is revoked when the later one %s", (_what, event) => {
    const data = { ...withTransactions({ approve: later }), earlierSigned }
    expect(take({ state: "approve-confirming", data }, event).state).toBe("revoke-planning")
  })
})

test(
  "an approval that a second one was to replace is revoked when the order is abandoned before " +
    "that is signed",
  () => {
    const earlierSigned = [
      { ...sampleTransaction(samplePlan("approve", 0)), purpose: "approve" as const },
    ]
    const approve = { ...untouched(), plan: samplePlan("approve", 0), settled: false }
    const data = { ...withTransactions({ approve }), earlierSigned }
    const abandoned: UntimedOrderEvent = { type: "operator.abandoned", by: "anna" }
    expect(take({ state: "approve-signing", data }, abandoned).state).toBe("revoke-planning")
    expect(
      take({ state: "approve-signing", data: { ...data, earlierSigned: [] } }, abandoned).state,
    ).toBe("abandoned")
  },
)

test(
  "a held order with an approval goes on with its own deposit on a retry, and does not start " +
    "over",
  () => {
    const retried: UntimedOrderEvent = { type: "operator.retried", by: "anna", nonce: "2" }
    const data = withTransactions({ approve: untouched() })
    const earlierSigned = [
      { ...sampleTransaction(samplePlan("approve", 0)), purpose: "approve" as const },
    ]
    expect(take({ state: "held", data: { ...data, earlierSigned } }, retried).state).toBe(
      "verifying",
    )
    expect(take({ state: "held", data }, retried).state).toBe("quoting")
  },
)
