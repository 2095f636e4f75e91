import { describe, expect, test } from "vitest"
import { NOTHING_SEEN, SAMPLE, sampleMove, samplePlan } from "../../test/support/order-sample.ts"
import { createOrderData, type MoveKind, type MoveTrack, type OrderData } from "./data.ts"
import type { OrderEvent, OrderFact } from "./events.ts"
import { type Order, step } from "./step.ts"

const AT = 1_000
const HELD: OrderFact = { type: "order.held", reasons: [{ code: "evm.answer", message: "nonsense" }] }

/* What is signed may land at any time: it is looked at before another is planned, and before its order is over. */

describe("a refund that is signed", () => {
  test("and held is confirmed when the source is refundable again, and no second one is planned", () => {
    const held = take({ state: "refund-confirming", data: funded({ refund: signed("refund") }) }, HELD)
    expect(held.state).toBe("held")
    expect(take(held, observed({ refundable: true })).state).toBe("refund-confirming")
    expect(take(held, { type: "operator.refunded", by: "anna" }).state).toBe("refund-confirming")
  })

  test("is looked at again after a pause when a node's answer held its order", () => {
    const confirming: Order = { state: "refund-confirming", data: funded({ refund: signed("refund") }) }
    const { effect } = step(confirming, { ...HELD, at: AT })
    expect(effect).toEqual({ work: { kind: "observeOrder" }, delayMs: SAMPLE.input.policy.pollMinMs })
  })

  test("and proven never to land is planned anew", () => {
    const confirming: Order = { state: "refund-confirming", data: funded({ refund: signed("refund") }) }
    const watching = take(confirming, { type: "move.excluded", by: "another" })
    expect(watching.state).toBe("refund-watch")
    expect(take(watching, observed({ refundable: true })).state).toBe("refund-planning")
  })

  test.each(["held", "funded", "redeem-reported", "refund-watch"] as const)(
    "and seen through the HTLC while its order is %s is confirmed as a transaction first, and its fee counted",
    (state) => {
      const watching: Order = { state, data: funded({ refund: signed("refund") }) }
      const confirming = take(watching, observed({ refunded: true, seen: seenRefunded("refund") }))
      expect(confirming.state).toBe("refund-confirming")
      const confirmed = take(confirming, mined("refund", { feeUnits: 7n }))
      expect(confirmed).toMatchObject({ state: "refund-watch", data: { networkFeeUnits: 7n } })
      expect(take(confirmed, observed({ refunded: true, seen: seenRefunded("refund") })).state).toBe("refunded")
    },
  )

  test("by somebody else ends the order with what the HTLC shows", () => {
    const watching: Order = { state: "refund-watch", data: funded({ refund: signed("refund") }) }
    expect(take(watching, observed({ refunded: true, seen: seenRefunded("another") })).state).toBe("refunded")
  })

  test.each(["held", "refund-watch"] as const)(
    "and final is not planned again while a node that is behind shows the HTLC open, and the order is %s",
    (state) => {
      const watching: Order = { state, data: funded({ refund: final("refund") }) }
      expect(take(watching, observed({ refundable: true })).state).toBe(state)
      expect(step(watching, { type: "operator.refunded", by: "anna", at: AT }).changed).toBe(false)
    },
  )
})

describe("a void that is signed", () => {
  const bumped = signed("void", 0, 1)

  test.each([
    ["once", signed("void")],
    ["and raised", bumped],
  ])("%s is confirmed when its held order is retried or abandoned, and no second one is planned", (_name, track) => {
    const held = take({ state: "void-confirming", data: withMoves({ deposit: signed("deposit"), void: track }) }, HELD)
    const retried = take(held, { type: "operator.retried", by: "anna", nonce: "2" })
    expect(retried.state).toBe("deposit-confirming")
    expect(take(retried, { type: "move.late" }).state).toBe("void-confirming")
    expect(take(retried, { type: "operator.abandoned", by: "anna" }).state).toBe("void-confirming")
    expect(take(held, { type: "operator.abandoned", by: "anna" }).state).toBe("void-confirming")
  })

  test("has its fee counted once, when the block that has it is final", () => {
    const confirming: Order = {
      state: "void-confirming",
      data: withMoves({ deposit: signed("deposit"), void: bumped }),
    }
    const seen = take(confirming, mined("void", { attempt: 1, feeUnits: 7n, final: false }))
    expect(seen).toMatchObject({ state: "void-confirming", data: { networkFeeUnits: 0n } })
    expect(take(seen, mined("void", { attempt: 1, feeUnits: 7n }))).toMatchObject({
      state: "rejected",
      data: { networkFeeUnits: 7n },
    })
  })

  test("for an earlier deposit says nothing of one that was planned anew with another nonce", () => {
    const replanned = { ...samplePlan("deposit", 0), claims: ["nonce:1"] }
    const deposit = { ...untouched(), signed: [sampleMove(replanned)] }
    const confirming: Order = { state: "deposit-confirming", data: withMoves({ deposit, void: signed("void") }) }
    expect(take(confirming, { type: "move.late" }).state).toBe("void-planning")
  })

  test("and never to land any more is planned anew", () => {
    const data = withMoves({ deposit: signed("deposit"), void: { ...signed("void"), settled: true } })
    expect(take({ state: "deposit-confirming", data }, { type: "move.late" }).state).toBe("void-planning")
  })

  test("and landed in the deposit's place is told with that, and its fee counted", () => {
    const data = withMoves({ deposit: signed("deposit"), void: signed("void") })
    const landed = landedMove("void", 7n)
    const ended = take({ state: "deposit-confirming", data }, { type: "move.excluded", by: landed.txid, landed })
    expect(ended).toMatchObject({ state: "rejected", data: { networkFeeUnits: 7n, mined: [landed] } })
  })
})

test("an approval that landed has its fee counted with the word that nothing is left of it", () => {
  const landed = landedMove("approve", 7n)
  const planning: Order = { state: "revoke-planning", data: withMoves({ approve: signed("approve") }) }
  expect(take(planning, { type: "order.declined", reasons: [], landed })).toMatchObject({
    state: "rejected",
    data: { networkFeeUnits: 7n, mined: [landed], allowanceCleared: true },
  })
})

describe("a payout", () => {
  const relayed = { ...withMoves({}), gasless: gaslessOut() }

  test.each(["held", "funded", "redeem-reported", "refund-watch"] as const)(
    "of an order that is %s completes it only when the source deposit is seen to be final",
    (state) => {
      const unseen = take({ state, data: relayed }, observed({ paid: true, seen: NOTHING_SEEN }))
      expect(unseen.state).toBe(state)
      const young = take(unseen, observed({ paid: true, seen: seenFunded(false) }))
      expect(young.state).not.toBe("completed")
      expect(take(young, observed({ paid: true, seen: seenFunded(true) })).state).toBe("completed")
    },
  )

  test("has a held order look at its own deposit, which our node has not shown yet", () => {
    const held: Order = { state: "held", data: withMoves({ deposit: signed("deposit") }) }
    expect(take(held, observed({ paid: true, seen: NOTHING_SEEN })).state).toBe("deposit-confirming")
  })
})

test.each([
  { type: "operator.refunded", by: "anna" } as const,
  { type: "operator.retried", by: "anna", nonce: "2" } as const,
])("a held order whose own deposit is not settled looks at it on $type, also when the HTLC shows it", (fact) => {
  const data = { ...withMoves({ deposit: signed("deposit") }), seen: seenFunded(true) }
  expect(take({ state: "held", data }, fact).state).toBe("deposit-confirming")
})

function take(order: Order, fact: OrderFact): Order {
  const next = step(order, { ...fact, at: AT })
  expect(next.changed, `${order.state} takes ${fact.type}`).toBe(true)
  return next.order
}

type Moves = OrderData["moves"]

function withMoves(moves: Partial<Moves>): OrderData {
  const fresh = createOrderData(SAMPLE.input)
  const { created, terms, deposit, order: claims } = SAMPLE
  return { ...fresh, created, terms, deposit, claims, sendUntilMs: 0, moves: { ...fresh.moves, ...moves } }
}

function funded(moves: Partial<Moves>): OrderData {
  return { ...withMoves({ deposit: final("deposit"), ...moves }), seen: seenFunded(true) }
}

function untouched(): MoveTrack {
  return { plan: null, signed: [], sentAt: null, mined: null }
}

function signed(kind: MoveKind, ...attempts: number[]): MoveTrack {
  const moves = (attempts.length === 0 ? [0] : attempts).map((attempt) => sampleMove(samplePlan(kind, attempt)))
  return { ...untouched(), signed: moves, sentAt: 0, settled: false }
}

function final(kind: MoveKind): MoveTrack {
  return { ...signed(kind), mined: { txid: txidOf(kind), height: 5n, final: true }, settled: true }
}

function txidOf(kind: MoveKind, attempt = 0): string {
  return sampleMove(samplePlan(kind, attempt)).txid
}

function mined(
  kind: MoveKind,
  { attempt = 0, feeUnits, final = true }: { attempt?: number; feeUnits: bigint; final?: boolean },
): OrderFact {
  return { type: "move.mined", txid: txidOf(kind, attempt), ok: true, height: 6n, final, feeUnits }
}

function landedMove(kind: MoveKind, feeUnits: bigint) {
  return { kind, txid: txidOf(kind), ok: true, height: 6n, final: true, feeUnits, heldUnits: 0n }
}

type Observed = Extract<OrderEvent, { type: "order.observed" }>

function observed(over: Partial<Observed>): OrderFact {
  const nothing = { paid: false, refunded: false, lapsed: false, refundable: false, alerts: [] }
  return { type: "order.observed", claims: null, seen: seenFunded(true), paidUnits: null, ...nothing, ...over }
}

function seenFunded(final: boolean): OrderData["seen"] {
  return { ...NOTHING_SEEN, sourceInitiated: { txid: txidOf("deposit"), height: 5n, final, at: 0 } }
}

function seenRefunded(by: "refund" | "another"): OrderData["seen"] {
  const txid = by === "refund" ? txidOf("refund") : by
  return { ...seenFunded(true), sourceRefunded: { txid, height: 6n, final: true, at: 0 } }
}

function gaslessOut(): NonNullable<OrderData["gasless"]> {
  return { digest: "", signature: "", signedAt: 0, submissions: 1, refused: false }
}
