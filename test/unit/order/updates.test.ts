import { describe, expect, test } from "vitest"
import type { OrderData } from "#order/data.ts"
import type { OrderEvent } from "#order/events.ts"
import { isApprovalOpen, withLanded, withMined, withoutBlock } from "#order/mined.ts"
import { orderUpdates } from "#order/order-updates.ts"
import { transactionUpdates } from "#order/transaction-updates.ts"
import {
  final,
  funded,
  gaslessOut,
  landedTransaction,
  observed,
  seenFunded,
  seenRefunded,
  signed,
  txidOf,
  untouched,
  withTransactions,
} from "../../support/order-steps.ts"

const AT = 5_000

/** The data after one update of the machine. */
function change(update: object, data: OrderData, event: object, purpose?: string): OrderData {
  const assignment: unknown = Reflect.get(update, "assignment")
  // CAST: an update is an action of XState that assigns.
  const run = assignment as (args: object, params: object) => OrderData
  return run({ context: data, event: { at: AT, ...event } as OrderEvent }, { purpose })
}

const DEPOSIT = landedTransaction("deposit", 7n)
const REFUND = landedTransaction("refund", 5n)
const reason = (code: string) => ({ code, message: "" })
const earlier = (purpose: "approve" | "deposit" | "refund", attempt = 0) => {
  const [one] = signed(purpose, attempt).signed
  return one === undefined ? [] : [{ ...one, purpose }]
}

test("bytes wait since their first sending, or since their next fee was put off", () => {
  const { storeSigned, storeSent, postponeBump, declineBump } = transactionUpdates
  const sentAgain = { type: "transaction.sent", at: AT + 9 }
  const transaction = signed("redeem", 1).signed[0]
  const since = (data: OrderData) => data.transactions.redeem.waitsSince
  const untold = withTransactions({ redeem: { ...signed("redeem"), sentAt: null } })
  const first = change(storeSent, untold, { type: "transaction.sent" }, "redeem")
  const second = change(storeSent, first, sentAgain, "redeem")
  expect([since(first), since(second), second.transactions.redeem.sentAt]).toEqual([AT, AT, AT + 9])
  const later = { at: AT + 20 }
  const postponed = { type: "transaction.unbumpable", ...later }
  expect(since(change(postponeBump, second, postponed, "redeem"))).toBe(AT + 20)
  const declined = { type: "order.declined", reasons: [], ...later }
  expect(since(change(declineBump, second, declined, "redeem"))).toBe(AT + 20)
  const higher = change(storeSigned, second, { type: "transaction.signed", transaction }, "redeem")
  expect(since(higher)).toBeNull()
  expect(since(change(storeSent, higher, sentAgain, "redeem"))).toBe(AT + 9)
})

describe("the list of transactions in a block", () => {
  test("keeps the others, and has one newest record of each", () => {
    const data = {
      ...withTransactions({ deposit: signed("deposit") }),
      mined: [REFUND, { ...DEPOSIT, feeUnits: 1n }],
    }
    expect(withMined(data, DEPOSIT)).toEqual([REFUND, DEPOSIT])
    expect(withMined(data, DEPOSIT, { ...REFUND, feeUnits: 9n })).toEqual([
      DEPOSIT,
      { ...REFUND, feeUnits: 9n },
    ])
  })

  test("counts a fee once, when its block is final", () => {
    const data = withTransactions({ deposit: signed("deposit") })
    const young = withLanded(data, { ...DEPOSIT, final: false })
    expect([young.networkFeeUnits, young.transactions.deposit.settled]).toEqual([0n, false])
    const old = withLanded(young, DEPOSIT)
    expect([old.networkFeeUnits, withLanded(old, DEPOSIT).networkFeeUnits]).toEqual([7n, 7n])
    expect(withLanded(data, { ...landedTransaction("redeem", 5n) }).networkFeeUnits).toBe(0n)
    expect(withLanded(data, { ...DEPOSIT, ok: false }).transactions.deposit.mined).toBeNull()
  })

  test("loses the attempts of a vanished block, with the fees that were final, and no other", () => {
    const data = {
      ...funded({ deposit: signed("deposit", 0, 1) }),
      mined: [DEPOSIT, REFUND],
      networkFeeUnits: 12n,
    }
    const gone = withoutBlock(data, "deposit", data.transactions.deposit.signed)
    expect([gone.mined, gone.networkFeeUnits, gone.seen.sourceInitiated]).toEqual([
      [REFUND],
      5n,
      null,
    ])
    expect(gone.transactions.deposit).toMatchObject({ mined: null, settled: false })
    expect(
      withoutBlock(data, "refund", data.transactions.deposit.signed).seen.sourceInitiated,
    ).not.toBeNull()
  })

  test("leaves a relay's deposit in place, unless the deposit is our own or any deposit is in doubt", () => {
    const relay = { txid: "relay", height: 5n, final: true, at: 0 }
    const data = { ...funded({ deposit: signed("deposit") }), gasless: gaslessOut() }
    const relayed = { ...data, seen: { ...seenFunded(true), sourceInitiated: relay } }
    const attempts = data.transactions.deposit.signed
    expect(withoutBlock(relayed, "deposit", attempts).seen.sourceInitiated).toEqual(relay)
    expect(withoutBlock(relayed, "deposit", []).seen.sourceInitiated).toBeNull()
    expect(withoutBlock(data, "deposit", attempts).seen.sourceInitiated).toBeNull()
    expect(
      withoutBlock({ ...relayed, gasless: null }, "deposit", attempts).seen.sourceInitiated,
    ).toBeNull()
  })

  test.each([
    ["sent", true, { ...signed("approve"), sentAt: 1 }],
    [
      "sent with its deposit",
      true,
      { ...signed("approve"), sentAt: null, isPaired: true as const },
    ],
    ["not sent", false, { ...signed("approve"), sentAt: null }],
    ["in a block", false, { ...signed("approve"), mined: { txid: "t", height: 1n, final: false } }],
    ["settled", false, { ...signed("approve"), settled: true }],
    ["not signed", false, { ...untouched(), sentAt: 1 }],
  ])("an approval that is %s is open: %s", (_name, is, track) => {
    expect(isApprovalOpen(track)).toBe(is)
  })
})

describe("a transaction's update", () => {
  const track = (data: OrderData) => data.transactions.deposit

  test("stores a mined deposit with its fee, its rent, and the one that landed before it", () => {
    const data = withTransactions({ deposit: { ...signed("deposit"), sentAt: null } })
    const event = {
      type: "transaction.mined",
      txid: DEPOSIT.txid,
      ok: true,
      height: 6n,
      final: true,
      feeUnits: 7n,
    }
    const after = change(
      transactionUpdates.storeMined,
      data,
      { ...event, heldUnits: 2n, landed: REFUND },
      "deposit",
    )
    expect(track(after)).toMatchObject({
      sentAt: AT,
      settled: true,
      mined: { txid: DEPOSIT.txid, seen: true },
    })
    expect([after.networkFeeUnits, after.mined]).toEqual([
      12n,
      [REFUND, { ...DEPOSIT, heldUnits: 2n }],
    ])
    expect(after.seen.sourceInitiated).toMatchObject({ txid: DEPOSIT.txid, final: true })
    const sent = change(
      transactionUpdates.storeMined,
      withTransactions({ deposit: signed("deposit") }),
      event,
      "deposit",
    )
    expect(track(sent).sentAt).toBe(0)
  })

  test("tells of a transaction that failed on chain, and leaves no deposit", () => {
    const event = {
      type: "transaction.mined",
      txid: DEPOSIT.txid,
      ok: false,
      height: 6n,
      final: true,
      feeUnits: 7n,
    }
    const after = change(
      transactionUpdates.storeMined,
      funded({ deposit: signed("deposit") }),
      event,
      "deposit",
    )
    expect([
      after.reasons.map(({ code }) => code),
      after.seen.sourceInitiated,
      track(after).mined,
    ]).toEqual([["deposit.reverted"], null, null])
    expect(after.networkFeeUnits).toBe(7n)
  })

  test.each<[string, boolean, "approve" | "revoke" | "deposit", boolean, Partial<OrderData>]>([
    ["a reverted approval", true, "approve", false, {}],
    ["an approval", false, "approve", true, {}],
    [
      "a reverted approval after an earlier one",
      false,
      "approve",
      false,
      { earlierSigned: earlier("approve") },
    ],
    ["a revocation", true, "revoke", true, {}],
    ["a reverted revocation", true, "revoke", false, {}],
    ["a deposit", false, "deposit", true, {}],
  ])("knows whether %s leaves no allowance: %s", (_name, isCleared, purpose, ok, over) => {
    const data = { ...withTransactions({ [purpose]: signed(purpose) }), ...over }
    const event = {
      type: "transaction.mined",
      txid: txidOf(purpose),
      ok,
      height: 6n,
      final: true,
      feeUnits: 1n,
    }
    expect(change(transactionUpdates.storeMined, data, event, purpose).allowanceCleared).toBe(
      isCleared,
    )
    const young = { ...event, final: false }
    expect(change(transactionUpdates.storeMined, data, young, purpose).allowanceCleared).toBe(false)
  })

  test("starts the wait for a bump again only for bytes that were sent", () => {
    const event = { type: "transaction.unbumpable" }
    const later = (sentAt: number | null) =>
      change(
        transactionUpdates.postponeBump,
        withTransactions({ deposit: { ...signed("deposit"), sentAt } }),
        event,
        "deposit",
      )
    expect([track(later(null)).sentAt, track(later(1)).sentAt]).toEqual([null, AT])
  })

  test("keeps the first time of a send, and what is in doubt is not settled", () => {
    const pending = { type: "transaction.pending" }
    const data = funded({ deposit: { ...final("deposit"), sentAt: 3 } })
    expect(track(change(transactionUpdates.storePending, data, pending, "deposit")).sentAt).toBe(3)
    const unsent = withTransactions({ deposit: { ...signed("deposit"), sentAt: null } })
    expect(track(change(transactionUpdates.storePending, unsent, pending, "deposit")).sentAt).toBe(
      AT,
    )
    const doubt = change(
      transactionUpdates.doubtBlock,
      data,
      { type: "deposit.unsettled" },
      "deposit",
    )
    expect(track(doubt)).toMatchObject({ settled: false, mined: null })
  })

  test("plans an approval beside a deposit as one of a pair", () => {
    const approval = signed("approve").signed[0]
    const deposit = signed("deposit").signed[0]
    const companion = { purpose: "approve", plan: approval?.plan }
    const event = { type: "transaction.planned", plan: deposit?.plan, companion }
    const after = change(transactionUpdates.storePlan, withTransactions({}), event, "deposit")
    expect(after.transactions.approve).toMatchObject({ plan: approval?.plan, isPaired: true })
    expect(track(after)).toMatchObject({ plan: deposit?.plan, signed: [] })
  })

  test("counts an exclusion of the deposit alone as a new try, and keeps an earlier approval", () => {
    const event = { type: "transaction.excluded", by: "rival" }
    const later = (purpose: "deposit" | "approve", over: Partial<OrderData> = {}) =>
      change(
        transactionUpdates.storeExclusion,
        { ...withTransactions({}), ...over },
        event,
        purpose,
      )
    expect([later("deposit").replans, later("approve").replans]).toEqual([1, 0])
    expect([later("deposit").allowanceCleared, later("approve").allowanceCleared]).toEqual([
      false,
      true,
    ])
    expect(later("approve", { earlierSigned: earlier("approve") }).allowanceCleared).toBe(false)
    expect(later("deposit").reasons.map(({ code }) => code)).toEqual(["deposit.excluded"])
  })
})

describe("an order's update", () => {
  const shows = (over: Parameters<typeof observed>[0] = {}) => observed(over)

  test("stores an observation: its alerts once each, its amount, and the first report", () => {
    const before = { ...funded({}), paidUnits: 3n, alerted: ["old"] }
    const after = change(
      orderUpdates.storeObservation,
      before,
      shows({ alerts: [reason("new"), reason("old")] }),
    )
    expect([after.paidUnits, after.alerted, after.reportedAt]).toEqual([3n, ["old", "new"], null])
    expect(change(orderUpdates.storeObservation, before, shows({ paidUnits: 4n })).paidUnits).toBe(
      4n,
    )
    // CAST: only the report of the redemption is read.
    const serviceOrder = { destination: { redeemTx: "t" } } as unknown as NonNullable<
      OrderData["serviceOrder"]
    >
    const reported = change(orderUpdates.storeObservation, before, shows({ serviceOrder }))
    expect(reported.reportedAt).toBe(AT)
    expect(
      change(orderUpdates.storeObservation, { ...reported, reportedAt: 1 }, shows({ serviceOrder }))
        .reportedAt,
    ).toBe(1)
  })

  test("gives a refund that was replaced its track back when the HTLC shows it", () => {
    const kept = [...earlier("refund"), ...earlier("deposit")]
    const data = { ...funded({ refund: signed("refund", 1) }), earlierSigned: kept }
    const txids = (after: OrderData) => after.transactions.refund.signed.map(({ txid }) => txid)
    const shown = change(
      orderUpdates.storeObservation,
      data,
      shows({ refunded: true, seen: seenRefunded("refund") }),
    )
    expect(txids(shown)).toEqual([txidOf("refund", 0), txidOf("refund", 1)])
    expect([shown.earlierSigned?.length, shown.transactions.refund.settled]).toEqual([1, false])
    for (const other of [
      shows({ seen: seenRefunded("refund") }),
      shows({ refunded: true, seen: seenRefunded("another") }),
    ]) {
      expect(txids(change(orderUpdates.storeObservation, data, other))).toEqual([
        txidOf("refund", 1),
      ])
    }
    const foreign = shows({
      refunded: true,
      seen: { ...seenFunded(true), sourceRefunded: { ...event, txid: txidOf("deposit") } },
    })
    expect(txids(change(orderUpdates.storeObservation, data, foreign))).toEqual([
      txidOf("refund", 1),
    ])
  })

  test("keeps earlier reasons beside new ones", () => {
    const data = { ...funded({}), reasons: [reason("old")] }
    const after = change(
      orderUpdates.storeObservationKeepReasons,
      data,
      shows({ alerts: [reason("old"), reason("new")] }),
    )
    expect(after.reasons.map(({ code }) => code)).toEqual(["old", "new"])
    const deferred = change(orderUpdates.addReasons, data, {
      type: "work.deferred",
      reasons: [reason("late")],
    })
    expect(deferred.reasons.map(({ code }) => code)).toEqual(["old", "late"])
  })

  test("drops an approval of another intent, and keeps one that still counts", () => {
    const base = {
      ...withTransactions({}),
      approvedBy: "op",
      approvedIntent: "a",
      approvedAt: AT,
      reasons: [],
    }
    const verified = (hash: string, needsApproval = true) =>
      change(orderUpdates.storeVerifiedDeposit, base, {
        type: "deposit.verified",
        intent: { hash },
        needsApproval,
      })
    expect([
      verified("a").approvedBy,
      verified("b").approvedBy,
      verified("b", false).approvedBy,
    ]).toEqual(["op", null, "op"])
    expect(verified("b").reasons.map(({ code }) => code)).toEqual(["approval.void"])
  })

  test("disarms a signature: no refund stays booked, and a payout only goes when it is gone", () => {
    const seen = { ...seenRefunded("another"), destinationRedeemed: event }
    const data = {
      ...funded({}),
      seen,
      gasless: { ...gaslessOut(), submissions: 0 },
      paidUnits: 3n,
    }
    const disarm = (payoutGone: boolean) =>
      change(orderUpdates.disarm, data, {
        type: "gasless.disarmed",
        reasons: [reason("x")],
        payoutGone,
      })
    expect(disarm(false)).toMatchObject({
      paidUnits: 3n,
      gasless: { submissions: 1 },
      alerted: ["x"],
    })
    expect(disarm(false).seen).toMatchObject({
      sourceRefunded: null,
      destinationRedeemed: event,
      sourceInitiated: null,
    })
    expect([disarm(true).paidUnits, disarm(true).seen.destinationRedeemed]).toEqual([null, null])
  })

  test("keeps a secret of ours apart from the service's, and starts it untold", () => {
    const own = { hash: "h" }
    const created = (data: OrderData, ownSecret?: object) =>
      change(orderUpdates.storeCreated, data, {
        type: "order.created",
        created: {},
        terms: {},
        ownSecret,
      }).ownSecret
    // CAST: only the status of our secret is read.
    const withSecret = { ...withTransactions({}), ownSecret: own } as unknown as OrderData
    expect(created(withTransactions({}), own)).toEqual({
      ...own,
      status: "unknown",
      revealedAt: null,
      isTold: false,
    })
    expect([created(withSecret), created(withTransactions({}))]).toEqual([
      null,
      withTransactions({}).ownSecret,
    ])
    const lost = change(
      orderUpdates.storeObservation,
      withSecret,
      shows({ secret: "lost" }),
    ).ownSecret
    expect(lost).toEqual({ ...own, status: "lost" })
    expect(change(orderUpdates.storeObservation, withSecret, shows()).ownSecret).toEqual(own)
    expect(
      change(orderUpdates.storeObservation, withTransactions({}), shows({ secret: "lost" }))
        .ownSecret,
    ).toBe(withTransactions({}).ownSecret)
  })

  test("counts what was asked and submitted from nothing on", () => {
    const signature = { type: "gasless.signed", digest: "d", signature: "s" }
    const stored = change(orderUpdates.storeTypedSignature, withTransactions({}), signature)
    expect(stored.gasless).toEqual({
      digest: "d",
      signature: "s",
      submissions: 0,
      refused: false,
      signedAt: AT,
    })
    const once = change(orderUpdates.countSubmission, stored, {
      type: "gasless.submitted",
      refused: true,
    })
    expect(once.gasless).toMatchObject({ submissions: 1, refused: true })
    const again = change(
      orderUpdates.startOver,
      { ...stored, creations: 4 },
      { type: "operator.retried", nonce: "n" },
    )
    expect(again).toMatchObject({
      creations: 0,
      created: null,
      terms: null,
      approvedBy: null,
      patienceSince: AT,
    })
    const kept = change(orderUpdates.keepSecret, stored, {
      type: "secret.kept",
      reasons: [reason("k")],
    })
    expect(kept.reasons).toEqual([reason("k")])
  })
})

const event = { txid: "p", height: 5n, final: true, at: 0 }
