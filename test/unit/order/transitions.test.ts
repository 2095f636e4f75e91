import { describe, expect, test } from "vitest"
import { approvableUntil, type OrderData, type TransactionTrack } from "#order/data.ts"
import type { UntimedOrderEvent } from "#order/events.ts"
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
  withTransactions,
} from "../../support/order-steps.ts"

const LATER = 100 * AT
const REASONS = [{ code: "test", message: "a reason" }]
const { policy } = SAMPLE.input

function order(state: Order["state"], data: OrderData, over: Partial<OrderData> = {}): Order {
  return { state, data: { ...data, ...over } }
}

function delayAfter(before: Order, event: UntimedOrderEvent): number | undefined {
  return step(before, { ...event, at: AT }).next?.delayMs
}

describe("an observation that leads to another state", () => {
  const reported = {
    ...SAMPLE.order,
    destination: { ...SAMPLE.order.destination, redeemTx: "ab" },
  }

  test.each([
    ["settling", { settling: true }],
    ["redeem-reported", { serviceOrder: reported }],
  ] as const)("has read all places, so the one in %s waits as a repetition does", (state, over) => {
    const before = order("funded", funded({}))
    expect(take(before, observed(over)).state).toBe(state)
    expect(delayAfter(before, observed(over))).toBe(policy.pollMinMs)
  })
})

describe("a transaction in a block", () => {
  const confirming = (purpose: "deposit" | "approve" | "void" | "revoke" | "refund") =>
    order(
      `${purpose}-confirming`,
      withTransactions({ deposit: signed("deposit"), [purpose]: signed(purpose) }),
    )

  test("lets the order go on when it is deep enough, and when it succeeded", () => {
    const event = mined("deposit", { feeUnits: 7n, final: false })
    expect(take(confirming("deposit"), event).state).toBe("deposit-confirming")
    expect(take(confirming("deposit"), { ...event, seen: true } as UntimedOrderEvent).state).toBe(
      "funded",
    )
    const failed = { ...event, ok: false, seen: true } as UntimedOrderEvent
    expect(take(confirming("deposit"), failed).state).toBe("deposit-confirming")
  })

  test("settles it only when it is final, and its fee counts then", () => {
    const young = take(confirming("deposit"), {
      ...mined("deposit", { feeUnits: 7n, final: false }),
    })
    expect(young.data).toMatchObject({
      networkFeeUnits: 0n,
      transactions: { deposit: { settled: false } },
    })
    const old = take(young, mined("deposit", { feeUnits: 7n }))
    expect(old.data).toMatchObject({
      networkFeeUnits: 7n,
      transactions: { deposit: { settled: true } },
    })
  })

  test("that is a void or a revocation counts only when it is final", () => {
    for (const purpose of ["void", "revoke"] as const) {
      const event = {
        ...mined(purpose, { feeUnits: 7n, final: false }),
        seen: true,
      } as UntimedOrderEvent
      expect(take(confirming(purpose), event).state).toBe(`${purpose}-confirming`)
      expect(take(confirming(purpose), event).data.allowanceCleared).toBe(false)
    }
    expect(
      take(confirming("revoke"), mined("revoke", { feeUnits: 7n })).data.allowanceCleared,
    ).toBe(true)
  })

  test("that failed ends the attempt only when its block is final", () => {
    const failed = (isFinal: boolean) =>
      ({ ...mined("approve", { feeUnits: 7n, final: isFinal }), ok: false }) as UntimedOrderEvent
    expect(take(confirming("approve"), failed(false)).state).toBe("approve-confirming")
    const ended = take(
      order("approve-confirming", withTransactions({ approve: signed("approve") })),
      failed(true),
    )
    expect(ended).toMatchObject({
      state: "rejected",
      data: { allowanceCleared: true, networkFeeUnits: 7n },
    })
  })

  test("of a relay lets the order go on when it is deep enough", () => {
    const relayed = order("gasless-confirming", withTransactions({}), { gasless: gaslessOut() })
    const event = { type: "gasless.initiated", txid: "t", height: 1n } as const
    expect(take(relayed, { ...event, final: false }).state).toBe("gasless-confirming")
    expect(take(relayed, { ...event, seen: true, final: false }).state).toBe("funded")
  })

  test("brings the fee of another transaction of the order with it", () => {
    const landed = landedTransaction("deposit", 5n)
    const event = { ...mined("void", { feeUnits: 7n }), landed } as UntimedOrderEvent
    expect(take(confirming("void"), event).data.networkFeeUnits).toBe(12n)
  })

  test("excludes the record of another one with its nonce", () => {
    const data = {
      ...confirming("void").data,
      mined: [{ ...landedTransaction("deposit", 5n), final: false }],
    }
    const after = take(order("void-confirming", data), mined("void", { feeUnits: 7n }))
    expect(after.data.mined.map(({ purpose }) => purpose)).toEqual(["void"])
  })

  test("that vanishes takes its fee back, and a fee that never counted stays out", () => {
    const counted = order("deposit-confirming", confirming("deposit").data, {
      mined: [landedTransaction("deposit", 5n)],
      networkFeeUnits: 8n,
      seen: seenFunded(false),
    })
    const gone = take(counted, { type: "transaction.unseen" })
    expect(gone.data).toMatchObject({
      networkFeeUnits: 3n,
      mined: [],
      seen: { sourceInitiated: null },
    })
    const relayed = {
      ...counted.data,
      gasless: gaslessOut(),
      seen: {
        ...NOTHING_SEEN,
        sourceInitiated: { txid: "relay", height: 5n, final: false, at: 0 },
      },
    }
    const kept = take(order("deposit-confirming", relayed), { type: "transaction.unseen" })
    expect(kept.data.seen.sourceInitiated).toMatchObject({ txid: "relay" })
    const young = {
      ...counted.data,
      mined: [{ ...landedTransaction("deposit", 5n), final: false }],
    }
    expect(
      take(order("deposit-confirming", young), { type: "transaction.unseen" }).data.networkFeeUnits,
    ).toBe(8n)
  })

  test("may still be replaced in a young block: another look confirms it first", () => {
    const young = { txid: txidOf("refund"), height: 5n, seen: true, final: false }
    const watching = order(
      "refund-watch",
      funded({ refund: { ...signed("refund"), mined: young } }),
    )
    expect(take(watching, { type: "operator.refunded", by: "anna" }).state).toBe(
      "refund-confirming",
    )
    expect(take(watching, observed({ refundable: true })).state).toBe("refund-watch")
  })

  test("that a later look finds final adds its fee once, and is settled only then", () => {
    const young = {
      ...final("approve"),
      mined: { txid: txidOf("approve"), height: 5n, final: false },
    }
    const watching = order("funded", funded({ approve: { ...young, settled: false } }))
    const observedAt = (isFinal: boolean) =>
      observed({ landed: { ...landedTransaction("approve", 7n), final: isFinal } })
    const first = take(watching, observedAt(false))
    expect(first.data).toMatchObject({
      networkFeeUnits: 0n,
      transactions: { approve: { settled: false } },
    })
    const second = take(first, observedAt(true))
    expect(take(second, observedAt(true)).data).toMatchObject({
      networkFeeUnits: 7n,
      transactions: { approve: { settled: true } },
    })
  })
})

describe("a signed transaction", () => {
  test("of a fee bump is kept beside the earlier attempt, and a fresh plan moves both to the record", () => {
    const data = withTransactions({ deposit: signed("deposit") })
    const bump = samplePlan("deposit", 1)
    const planned = take(order("deposit-bumping", data), {
      type: "transaction.planned",
      plan: bump,
    })
    const after = take(planned, {
      type: "transaction.signed",
      transaction: sampleTransaction(bump),
    })
    expect(after.data.transactions.deposit.signed).toHaveLength(2)
    expect(after.data.earlierSigned).toEqual([])
  })

  test("was sent when it was first seen pending", () => {
    const confirming = order("deposit-confirming", withTransactions({ deposit: signed("deposit") }))
    expect(take(confirming, { type: "transaction.pending" }).data.transactions.deposit.sentAt).toBe(
      0,
    )
  })

  test("whose fee cannot be raised waits anew for the next bump", () => {
    const bumping = order("deposit-bumping", withTransactions({ deposit: signed("deposit") }))
    expect(take(bumping, { type: "transaction.unbumpable" }).data.transactions.deposit.sentAt).toBe(
      AT,
    )
  })

  test("may still land when its fee bump is declined", () => {
    const signing = order("deposit-signing", withTransactions({ deposit: signed("deposit") }))
    expect(take(signing, { type: "order.declined", reasons: REASONS }).state).toBe(
      "deposit-confirming",
    )
  })
})

describe("an approval on chain", () => {
  const approving = (over: Partial<OrderData> = {}) =>
    order("approve-confirming", withTransactions({ approve: signed("approve") }), over)

  test("that was signed again is not cleared, and one that can never land is", () => {
    const plan = samplePlan("approve", 0)
    const signing = order("approve-signing", withTransactions({}), { allowanceCleared: true })
    const event: UntimedOrderEvent = {
      type: "transaction.signed",
      transaction: sampleTransaction(plan),
    }
    expect(take(signing, event).data.allowanceCleared).toBe(false)
    const excluded = take(approving(), { type: "transaction.excluded", by: "another" })
    expect(excluded).toMatchObject({ state: "rejected", data: { allowanceCleared: true } })
  })

  test("that is late is revoked, unless it was never sent", () => {
    expect(take(approving(), { type: "transaction.late" }).state).toBe("revoke-planning")
    expect(take(approving(), { type: "transaction.late", unsent: true }).state).toBe("rejected")
  })

  test("is revoked also when it is in a block, as long as no deposit is", () => {
    const data = withTransactions({ approve: final("approve") })
    const declined: UntimedOrderEvent = { type: "order.declined", reasons: REASONS }
    expect(take(order("allowing", data), declined).state).toBe("revoke-planning")
    expect(take(order("allowing", data, { allowanceCleared: true }), declined).state).toBe(
      "rejected",
    )
  })

  test("that a signature needs is planned again after an exclusion", () => {
    const out = approving({ gasless: gaslessOut() })
    expect(take(out, { type: "transaction.excluded", by: "another" }).state).toBe("allowing")
  })

  test("has one revocation: a second one follows only when the first was excluded", () => {
    const data = withTransactions({ approve: final("approve"), revoke: signed("revoke") })
    expect(
      take(order("revoke-confirming", data), { type: "transaction.excluded", by: "a" }).state,
    ).toBe("revoke-planning")
    const late = order("gasless-confirming", data, { gasless: gaslessOut() })
    expect(take(late, { type: "gasless.late", reasons: REASONS }).state).toBe("revoke-confirming")
  })
})

describe("a deposit that can never land", () => {
  const expired: UntimedOrderEvent = { type: "transaction.excluded", by: "expired" }
  const confirming = (over: Partial<OrderData> = {}) =>
    order("deposit-confirming", withTransactions({ deposit: signed("deposit") }), {
      sendUntilMs: LATER,
      ...over,
    })

  test("is replaced three times, while there is time, and never for an abandoned order", () => {
    expect(take(confirming({ replans: 2 }), expired)).toMatchObject({
      state: "deposit-planning",
      data: { replans: 3 },
    })
    expect(take(confirming({ replans: 3 }), expired).state).toBe("proving-unfunded")
    expect(take(confirming({ sendUntilMs: AT }), expired).state).toBe("proving-unfunded")
    expect(take(confirming({ ending: "abandoned" }), expired).state).toBe("proving-unfunded")
  })

  test("is settled", () => {
    expect(take(confirming(), expired).data.transactions.deposit.settled).toBe(true)
  })

  test("leaves the relay's signature to be watched", () => {
    const out = { gasless: gaslessOut() }
    expect(take(confirming(out), expired).state).toBe("gasless-confirming")
    const voided = order(
      "void-confirming",
      withTransactions({ deposit: signed("deposit"), void: signed("void") }),
      out,
    )
    expect(take(voided, mined("void", { feeUnits: 1n })).state).toBe("gasless-confirming")
  })

  test("is observed again when its void was excluded", () => {
    const data = withTransactions({ deposit: signed("deposit"), void: signed("void") })
    const event: UntimedOrderEvent = { type: "transaction.excluded", by: "the deposit" }
    expect(take(order("void-confirming", data), event).state).toBe("deposit-confirming")
  })
})

describe("an abandoned order", () => {
  const abandon: UntimedOrderEvent = { type: "operator.abandoned", by: "anna" }
  const ignores = (before: Order) =>
    expect(step(before, { ...abandon, at: AT }).changed).toBe(false)

  test("has its signed deposit voided, and is not abandoned while the relay has a signature", () => {
    const data = withTransactions({ deposit: signed("deposit") })
    expect(take(order("deposit-confirming", data), abandon).state).toBe("void-planning")
    ignores(order("deposit-confirming", data, { gasless: gaslessOut() }))
    ignores(order("deposit-planning", withTransactions({}), { gasless: gaslessOut() }))
    ignores(order("held", withTransactions({}), { gasless: gaslessOut() }))
    expect(take(order("deposit-planning", withTransactions({})), abandon).state).toBe("abandoned")
  })

  test("ends as abandoned once its HTLC is proven empty, and as rejected after a retry", () => {
    const unfunded: UntimedOrderEvent = { type: "order.unfunded", height: 1n, rivals: [] }
    const data = withTransactions({ deposit: signed("deposit") })
    const proving = order("proving-unfunded", data, { ending: "abandoned" })
    expect(take(proving, unfunded).state).toBe("abandoned")
    const held = order("held", withTransactions({ approve: signed("approve") }), {
      ending: "abandoned",
    })
    const retried = take(held, { type: "operator.retried", by: "anna", nonce: "2" })
    expect(retried.data).toMatchObject({ ending: "rejected", patienceSince: AT })
  })
})

describe("the approval of an operator", () => {
  const intent = { hash: "approved", fields: {} }
  const approvedBy = { approvedBy: "anna", approvedIntent: "approved", approvedAt: 0 }
  const verified = (hash: string): UntimedOrderEvent => ({
    type: "deposit.verified",
    deposit: SAMPLE.deposit,
    serviceOrder: SAMPLE.order,
    sendUntilMs: LATER,
    fromHeights: { source: 0n, destination: 0n },
    needsApproval: true,
    intent: { ...intent, hash },
  })
  const verify = (event: UntimedOrderEvent, over: Partial<OrderData>, at = AT) =>
    step(order("verifying", withTransactions({}), over), { ...event, at }).order

  test("is asked for, covers exactly its intent, and lives for its time", () => {
    expect(verify(verified("approved"), {}).state).toBe("awaiting-approval")
    expect(verify(verified("approved"), approvedBy).state).toBe("allowing")
    expect(verify(verified("another"), approvedBy)).toMatchObject({
      state: "awaiting-approval",
      data: { approvedBy: null, approvedIntent: null },
    })
    expect(verify(verified("approved"), approvedBy, policy.approvalTtlMs).state).toBe("allowing")
    expect(verify(verified("approved"), approvedBy, policy.approvalTtlMs + 1).state).toBe(
      "awaiting-approval",
    )
  })

  test("counts from its own time, and the order is verified once more", () => {
    const waiting = order("awaiting-approval", withTransactions({}))
    const approved = take(waiting, { type: "operator.approved", by: "anna", intent: "approved" })
    expect(approved).toMatchObject({
      state: "verifying",
      data: { approvedAt: AT, patienceSince: AT },
    })
  })

  test("must come before the time for the deposit ends", () => {
    const data = { ...withTransactions({}), stateSince: 0 }
    expect(approvableUntil({ ...data, sendUntilMs: 5 })).toBe(5)
    expect(approvableUntil({ ...data, sendUntilMs: Number.MAX_SAFE_INTEGER })).toBe(
      policy.approvalTtlMs,
    )
  })
})

describe("a watched order", () => {
  test("goes back to waiting only when both endings are gone", () => {
    const settling = order("settling", funded({ refund: final("refund") }))
    expect(take(settling, observed({})).state).toBe("funded")
    expect(take(settling, observed({ lapsed: true })).state).toBe("refund-watch")
    expect(take(settling, observed({ seen: seenRefunded("refund") })).state).toBe("settling")
  })

  test.each(["alarm.source_redeemed", "alarm.payout_short", "alarm.refund_short"])(
    "is held on %s",
    (code) => {
      expect(
        take(order("funded", funded({})), observed({ alerts: [{ code, message: "" }] })).state,
      ).toBe("held")
    },
  )

  test("is not held on a missing payout that the destination may only show later", () => {
    const shown = (code: string) => observed({ alerts: [{ code, message: "" }], mayLag: true })
    expect(take(order("funded", funded({})), shown("alarm.source_redeemed")).state).toBe("funded")
    expect(take(order("funded", funded({})), shown("alarm.payout_short")).state).toBe("held")
  })

  test("is looked at every few seconds while a payout may have been kept from us, until the alarm", () => {
    const sourceRedeemed = { txid: "take", height: 5n, final: true, at: AT }
    const slow = { ...policy, pollMinMs: 1_000, pollMaxMs: 600_000 }
    const taken = (
      over: Partial<OrderData["seen"]>,
      alerts: readonly { code: string; message: string }[] = [],
    ) =>
      delayAfter(
        order("funded", funded({}), { tries: 30, policy: slow }),
        observed({ mayLag: true, alerts, seen: { ...NOTHING_SEEN, sourceRedeemed, ...over } }),
      )
    expect(taken({})).toBe(5_000)
    expect(taken({ sourceRedeemed: null })).toBe(600_000)
    expect(taken({ destinationInitiated: sourceRedeemed })).toBe(600_000)
    expect(taken({}, [{ code: "alarm.source_redeemed", message: "" }])).toBe(600_000)
  })

  test("remembers each alarm", () => {
    const alerts = ["alarm.a", "alarm.b"].map((code) => ({ code, message: "" }))
    expect(take(order("funded", funded({})), observed({ alerts })).data.alerted).toEqual([
      "alarm.a",
      "alarm.b",
    ])
    const held = take(order("funded", funded({})), { type: "order.held", reasons: alerts })
    expect(held.data.alerted).toEqual(["alarm.a", "alarm.b"])
  })

  test.each(["held", "funded", "redeem-reported", "refund-watch", "settling"] as const)(
    "finishes its own refund before a payout ends it (%s)",
    (state) => {
      const watching = order(state, funded({ refund: signed("refund") }))
      expect(take(watching, observed({ paid: true })).state).toBe("refund-confirming")
    },
  )

  test("finishes its own refund before the end, also one that the chain excluded before", () => {
    const refunded = observed({ refunded: true, seen: seenRefunded("refund") })
    const watching = (refund: TransactionTrack) =>
      take(order("refund-watch", funded({ refund })), refunded).state
    expect(watching(signed("refund"))).toBe("refund-confirming")
    expect(watching({ ...signed("refund"), settled: true })).toBe("refund-confirming")
    expect(watching(final("refund"))).toBe("refunded")
  })

  test("finishes a refund of its own that a later one had replaced", () => {
    const earlier = signed("refund").signed.map((transaction) => ({
      ...transaction,
      purpose: "refund" as const,
    }))
    const later = {
      ...signed("refund"),
      signed: [{ ...sampleTransaction(samplePlan("refund", 0)), txid: "later" }],
    }
    const data = { ...funded({ refund: { ...later, settled: true } }), earlierSigned: earlier }
    const refunded = observed({ refunded: true, seen: seenRefunded("refund") })
    const after = take(order("refund-watch", data), refunded)
    expect(after.state).toBe("refund-confirming")
    expect(after.data.transactions.refund).toMatchObject({ settled: false, mined: null })
    expect(after.data.transactions.refund.signed.map(({ txid }) => txid)).toEqual([
      txidOf("refund"),
      "later",
    ])
    expect(after.data.earlierSigned).toEqual([])
  })

  test("finishes its revocation before it goes on", () => {
    const data = withTransactions({ revoke: signed("revoke") })
    const held = order("held", data, { gasless: gaslessOut() })
    expect(take(held, observed({})).state).toBe("revoke-confirming")
    const settled = { ...data.transactions, revoke: final("revoke") }
    expect(
      take(order("held", data, { gasless: gaslessOut(), transactions: settled }), observed({}))
        .state,
    ).toBe("funded")
  })

  test("refunds from hold, and a look at a known deposit is no new one", () => {
    expect(take(order("held", funded({})), observed({ refundable: true })).state).toBe(
      "refund-planning",
    )
    expect(take(order("held", funded({})), observed({})).state).toBe("held")
    expect(take(order("funded", funded({})), observed({ refundable: true })).state).toBe(
      "refund-planning",
    )
  })

  test("leaves the proof of an empty HTLC when an observation shows the deposit", () => {
    expect(take(order("proving-unfunded", withTransactions({})), observed({})).state).toBe("funded")
  })

  test("is held when a final deposit is gone", () => {
    const gone: UntimedOrderEvent = {
      type: "deposit.unsettled",
      reasons: [{ code: "chain.final_fact_gone", message: "", what: "deposit" }],
    }
    expect(take(order("funded", funded({})), gone).state).toBe("held")
    expect(take(order("funded", funded({})), { type: "deposit.unsettled" }).state).toBe(
      "deposit-confirming",
    )
  })
})

describe("a report of the payout", () => {
  const reported = (reportedAt: number | null, over: Partial<OrderData> = {}) =>
    order("redeem-reported", funded({}), {
      reportedAt,
      createdAt: -LATER,
      policy: { ...policy, reportPatienceMs: 600 },
      ...over,
    })

  test("is believed for its patience, counted from the first report", () => {
    expect(take(reported(AT - 600), observed({})).state).toBe("redeem-reported")
    expect(take(reported(AT - 601), observed({})).state).toBe("held")
    expect(take(reported(AT - 601), observed({ agreed: false })).state).toBe("redeem-reported")
    expect(take(reported(AT - 601), observed({ mayLag: true })).state).toBe("redeem-reported")
    expect(take(reported(null), observed({})).state).toBe("redeem-reported")
  })

  test("that our own node confirms holds no order, however long its finality or the deposit's takes", () => {
    const late = reported(AT - 601)
    expect(take(late, observed({ paid: true, seen: seenFunded(false) })).state).not.toBe("held")
    expect(take(late, observed({ settling: true })).state).not.toBe("held")
    const shown = {
      ...late.data.seen,
      destinationRedeemed: { txid: "r", height: 6n, final: false, at: 0 },
    }
    expect(take(order("redeem-reported", late.data, { seen: shown }), observed({})).state).not.toBe(
      "held",
    )
  })

  test("does not count anew with each look", () => {
    const destination = { ...SAMPLE.order.destination, redeemTx: "r" }
    const report = observed({ serviceOrder: { ...SAMPLE.order, destination } })
    const first = take(order("funded", funded({})), report)
    expect(first).toMatchObject({ state: "redeem-reported", data: { reportedAt: AT } })
    expect(take(reported(7, { policy }), report).data.reportedAt).toBe(7)
  })
})

describe("a gasless signature", () => {
  const gasless = { ...gaslessOut(), submissions: 0 }
  const submitting = (submissions: number) =>
    order("gasless-submitting", withTransactions({}), { gasless: { ...gasless, submissions } })

  test("counts its submissions, and one in doubt is looked for on chain before it is repeated", () => {
    const event: UntimedOrderEvent = { type: "gasless.submitted", answer: "", refused: false }
    expect(take(submitting(0), event).data.gasless?.submissions).toBe(1)
    expect(take(submitting(0), { type: "work.deferred", reasons: REASONS }).state).toBe(
      "gasless-confirming",
    )
  })

  test("that the relay took is looked for a moment later, and one that it refused at once", () => {
    const waits = [false, true].map((refused) => {
      const after = take(submitting(0), { type: "gasless.submitted", answer: "", refused })
      return [after.state, after.data.waitMs]
    })
    expect(waits).toEqual([
      ["gasless-confirming", 900],
      ["gasless-confirming", 0],
    ])
  })

  test("that may be at the relay is watched when the order is declined", () => {
    const declined: UntimedOrderEvent = { type: "order.declined", reasons: REASONS }
    expect(take(submitting(1), declined).state).toBe("gasless-confirming")
    expect(take(submitting(0), declined).state).toBe("proving-unfunded")
  })

  test("that the relay does not show counts as submitted, and its deposit as not made", () => {
    const confirming = order("gasless-confirming", withTransactions({}), {
      gasless,
      seen: seenFunded(false),
    })
    const after = take(confirming, { type: "gasless.missing", reasons: REASONS })
    expect(after.data).toMatchObject({
      gasless: { submissions: 1 },
      seen: { sourceInitiated: null },
    })
  })

  test("is looked for when its deposit is new again, unless an own deposit was signed", () => {
    const gone = [{ code: "chain.final_fact_gone", message: "gone", what: "deposit" }]
    const held = (own: boolean) =>
      order("held", withTransactions(own ? { deposit: final("deposit") } : {}), {
        gasless: gaslessOut(),
        seen: seenFunded(false),
        reasons: gone,
      })
    const states = [false, true].map(
      (own) =>
        step(held(own), { type: "operator.retried", by: "anna", nonce: "2", at: AT }).order.state,
    )
    expect(states[0]).toBe("gasless-confirming")
    expect(states[1]).not.toBe("gasless-confirming")
  })

  test("that was submitted outlives a revoked allowance", () => {
    const data = withTransactions({ approve: final("approve"), revoke: signed("revoke") })
    const revoking = order("revoke-confirming", data, { gasless: gaslessOut() })
    expect(take(revoking, mined("revoke", { feeUnits: 1n })).state).toBe("gasless-confirming")
  })
})

describe("an order with a transaction in a young block", () => {
  const young = (purpose: "deposit" | "approve") => ({
    ...signed(purpose),
    mined: { txid: txidOf(purpose), height: 5n, seen: false, final: false },
  })

  test("observes its own deposit first", () => {
    const held = order("held", withTransactions({ deposit: young("deposit") }), {
      seen: seenFunded(false),
    })
    expect(take(held, observed({})).state).toBe("deposit-confirming")
  })

  test("does not end when another look shows it as young", () => {
    const settling = order("settling", funded({ approve: young("approve") }))
    const landed = { ...landedTransaction("approve", 7n), final: false }
    expect(take(settling, observed({ paid: true, landed })).state).not.toBe("completed")
  })

  test("does not end while the void of its approval may cost a fee", () => {
    const plan = { ...samplePlan("revoke", 0), action: "void" as const }
    const revoke = { ...signed("revoke"), signed: [sampleTransaction(plan)] }
    const approve = { ...signed("approve"), isPaired: true, settled: true }
    const settling = order("settling", funded({ approve, revoke }))
    const paid = { paid: true }
    const landed = landedTransaction("revoke", 21n)
    expect(take(settling, observed(paid)).state).not.toBe("completed")
    const young = take(settling, observed({ ...paid, landed: { ...landed, final: false } }))
    expect(young.state).not.toBe("completed")
    const over = take(young, observed({ ...paid, landed }))
    expect(over).toMatchObject({ state: "completed", data: { mined: [landed] } })
    expect(take(settling, observed({ ...paid, excluded: "revoke" })).state).toBe("completed")
    const alone = order("settling", funded({ revoke: signed("revoke") }))
    expect(take(alone, observed(paid)).state, "an allowance of zero").toBe("completed")
    const used = funded({ approve: final("approve"), revoke })
    expect(take(order("settling", used), observed(paid)).state).toBe("completed")
  })

  test("keeps the allowance while the relay may have its signature", () => {
    const out = { gasless: gaslessOut() }
    const data = withTransactions({
      approve: final("approve"),
      deposit: signed("deposit"),
      void: signed("void"),
    })
    expect(take(order("void-confirming", data, out), mined("void", { feeUnits: 1n })).state).toBe(
      "gasless-confirming",
    )
    const submitting = order(
      "gasless-submitting",
      withTransactions({ approve: final("approve") }),
      out,
    )
    expect(take(submitting, { type: "order.declined", reasons: REASONS }).state).toBe(
      "gasless-confirming",
    )
  })
})

describe("an order that starts over", () => {
  test("forgets the service's order and its approval, and asks with a fresh nonce", () => {
    const held = order("held", withTransactions({}), {
      sendUntilMs: 0,
      approvedBy: "anna",
      creations: 4,
    })
    const after = take(held, { type: "operator.retried", by: "anna", nonce: "2" })
    expect(after).toMatchObject({
      state: "quoting",
      data: { nonce: "2", creations: 0, approvedBy: null },
    })
    expect([after.data.created, after.data.deposit, after.data.sendUntilMs]).toEqual([
      null,
      null,
      null,
    ])
  })

  test("is verified again while there is time", () => {
    const held = order("held", withTransactions({}), { sendUntilMs: LATER })
    expect(take(held, { type: "operator.retried", by: "anna", nonce: "2" }).state).toBe("verifying")
  })
})

describe("the pace of repeated work", () => {
  const deferred: UntimedOrderEvent = { type: "work.deferred", reasons: REASONS }

  test("slows down from one to thirty seconds", () => {
    const waits = [0, 1, 5, 20, 1_000].map((tries) =>
      delayAfter(order("quoting", withTransactions({}), { tries }), deferred),
    )
    expect(waits).toEqual([1_000, 1_300, 3_713, 30_000, 30_000])
    expect(take(order("quoting", withTransactions({})), deferred).data.tries).toBe(1)
  })

  test(
    "follows the order's polling bounds, the wait that the event asks for, and a rest after a " +
      "failed creation",
    () => {
      expect(delayAfter(order("funded", funded({})), observed({}))).toBe(policy.pollMinMs)
      expect(delayAfter(order("funded", funded({}), { tries: 100 }), observed({}))).toBe(
        policy.pollMaxMs,
      )
      expect(delayAfter(order("quoting", withTransactions({})), { ...deferred, waitMs: 7 })).toBe(7)
      const outdated: UntimedOrderEvent = { type: "quote.outdated", reasons: REASONS, nonce: "2" }
      const waits = [0, 1, 100].map((creations) =>
        delayAfter(order("creating", withTransactions({}), { creations }), outdated),
      )
      expect(waits).toEqual([1_000, 2_000, 30_000])
    },
  )

  test("looks at a disarmed order every five minutes", () => {
    expect(
      delayAfter(order("disarmed", withTransactions({}), { gasless: gaslessOut() }), deferred),
    ).toBe(300_000)
  })
})

test("an order keeps the payout fee of its offer", () => {
  const accepted = take(order("quoting", withTransactions({})), {
    type: "quote.accepted",
    quote: SAMPLE.quote,
    payoutFeeUnits: 3n,
  })
  expect(accepted.data.payoutFeeUnits).toBe(3n)
})
