import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { PAUSE_FLAG } from "#domain/pause.ts"
import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import { observeOrder } from "#engine/orders/observe/observe-order.ts"
import type { OrderData, OwnSecret } from "#order/data.ts"
import { encodeOrder } from "#order/step.ts"
import type { LegObservation, LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import { failure } from "../../../support/faults.ts"
import {
  NOTHING_SEEN,
  SAMPLE,
  samplePlan,
  sampleTransaction,
} from "../../../support/order-sample.ts"
import { emptyLeg, PINNED, sampleData, sampleJob } from "../../../support/sample-job.ts"

const TO = SAMPLE.input.request.to.split(":")[0] ?? ""
const OWED = SAMPLE.terms.destinationUnits
const DEPOSIT = sampleTransaction(samplePlan("deposit", 0))
const REFUND = sampleTransaction(samplePlan("refund", 0))
const REDEEM = sampleTransaction(samplePlan("redeem", 0))
const UNREAD = failure("transient", "evm.unreachable")
const UNSEEN: TransactionObservation = { status: "unseen" }
const OWN: OwnSecret = {
  nonce: "1",
  hash: SAMPLE.order.source.secretHash,
  status: "unknown",
  revealedAt: null,
  isTold: false,
}
const REVEALED: OwnSecret = { ...OWN, status: "revealed", revealedAt: 1, isTold: true }
const NOW = 1_000_000

const on = (txid: string, height = 5n) => {
  return { txid, height, confirmations: 9, seen: true, revealable: true, final: true } as const
}
const seenAt = (txid: string, height = 5n) => ({ txid, height, final: true, at: 1 })
const leg = (over: object = {}, height = 100n): LegObservation =>
  // CAST: the parts of a leg are given whole.
  ({ ...emptyLeg(height), refundableAt: 900n, ...over }) as LegObservation
const FUNDED = { initiated: { ...on("in"), units: 10_000n } }
const paidWith = (paidUnits: bigint | null, over: object = {}) => {
  return { ...FUNDED, redeemed: { ...on("pay"), paidUnits, secret: null, ...over } }
}
const OPEN = leg(FUNDED)

type Scene = {
  readonly source?: LegObservation | null
  readonly destination?: LegObservation | null
  readonly over?: Partial<OrderData>
  readonly seen?: Partial<OrderData["seen"]>
  readonly signed?: Parameters<typeof sampleData>[0]
  readonly mined?: Partial<Record<"deposit" | "refund" | "redeem", object>>
  readonly shown?: Readonly<Record<string, TransactionObservation>>
  readonly decisions?: readonly string[]
  readonly others?: readonly OrderData[]
  readonly isPaused?: boolean
  readonly service?: object
  readonly payee?: Partial<ChainPort>
  readonly payer?: Partial<ChainPort>
  readonly pays?: "evm" | "bitcoin"
  readonly head?: bigint
  readonly nowMs?: number
}

function scene(given: Scene) {
  const { source = OPEN, destination = leg(), over = {}, mined = {}, shown = {} } = given
  const { others = [], head = 50n, nowMs = NOW } = given
  const fresh = sampleData({ deposit: [DEPOSIT], ...given.signed }, { sendUntilMs: NOW, ...over })
  const tracks = Object.entries(mined).map(([purpose, block]) => {
    const known = fresh.transactions[purpose as "deposit"]
    return [purpose, { ...known, mined: block }]
  })
  const data: OrderData = {
    ...fresh,
    seen: { ...NOTHING_SEEN, ...over.seen, ...given.seen },
    transactions: { ...fresh.transactions, ...Object.fromEntries(tracks) },
  }
  const asked: string[] = []
  const queries: LegQuery[] = []
  const sent: string[] = []
  const portOf = (name: string, answer: LegObservation | null) => ({
    traits: familyNamed(name === "source" ? "evm" : (given.pays ?? "bitcoin")).traits,
    account: "wallet",
    sameAddress: (a: string, b: string) => a === b,
    fetchHeight: async () => {
      asked.push(`${name} head`)
      return head
    },
    observeLeg: async (query: LegQuery) => {
      queries.push(query)
      if (answer === null) throw UNREAD
      return answer
    },
    observeTransaction: async ({ txid }: SignedTransaction) => shown[txid] ?? UNSEEN,
    broadcastTransaction: async ({ txid }: SignedTransaction) => void sent.push(txid),
    capRedeemFee: () => 77n,
  })
  const rows = others.map((other) => ({
    id: other.id,
    to: other.request.to,
    deposited: other.rule !== "without deposit",
    snapshot: encodeOrder({ state: "completed", data: other }),
  }))
  const journal = {
    listPaidBy: () => rows as never,
    listSecretDecisions: () => {
      asked.push("decisions")
      return (given.decisions ?? []) as never
    },
    readFlag: (key: string) => (given.isPaused === true && key === PAUSE_FLAG ? "now" : null),
    isOurs: () => true,
  }
  const fetchOrder = async () => given.service ?? SAMPLE.order
  const job = sampleJob(
    data,
    {
      chain: { ...portOf("source", source), ...given.payer } as Partial<ChainPort>,
      service: { fetchOrder: fetchOrder as never },
      journal,
    },
    { nowMs },
  )
  Object.assign(
    job.context.chains.get(TO as never) ?? {},
    portOf("destination", destination),
    given.payee,
  )
  return { job, asked, queries, sent }
}

async function observe(given: Scene) {
  const { job, asked, queries, sent } = scene(given)
  const { event } = await observeOrder(job)
  const found = event as unknown as Record<string, unknown> & { readonly seen: OrderData["seen"] }
  const alerts = (found["alerts"] ?? found["reasons"] ?? []) as { readonly code: string }[]
  return { event, found, codes: alerts.map(({ code }) => code), asked, queries, sent }
}

describe("an order without a deposit of ours", () => {
  test.each<[string, Partial<OrderData>]>([
    ["verified", { deposit: null }],
    ["signed", {}],
  ])("that is %s is not looked for, for an hour", async (_what, over) => {
    const { event, queries } = await observe({ over, signed: { deposit: [] } })
    expect(event).toMatchObject({ type: "work.deferred", waitMs: 3_600_000 })
    expect(queries).toEqual([])
  })

  test("is looked for where a chain has shown one, and the bytes are lost", async () => {
    const { event } = await observe({
      signed: { deposit: [] },
      seen: { sourceInitiated: seenAt("in") },
    })
    expect(event.type).toBe("order.observed")
  })
})

describe("neither leg can be read", () => {
  const none = { source: null, destination: null }
  test("so the work waits, and says why", async () => {
    expect(await observe(none)).toMatchObject({
      event: { type: "work.deferred" },
      codes: ["watch.unreadable"],
    })
  })

  test("and a refund by its known height is due all the same", async () => {
    const seen = { refundableAtHeight: 50n }
    expect((await observe({ ...none, seen })).found).toMatchObject({ refundable: true })
    expect((await observe({ ...none, seen, head: 49n })).event.type).toBe("work.deferred")
  })

  test("and a redemption that is due comes all the same", async () => {
    const over = { ownSecret: { ...REVEALED, isShown: true as const } }
    expect((await observe({ ...none, over })).found).toMatchObject({ secret: "redeem" })
  })

  test("and what is wrong is told all the same", async () => {
    const contracts = { fetchContractIdentity: async () => ({ code: "0xother" }) }
    const found = await observe({ ...none, payer: { contracts: contracts as never } })
    expect(found.event.type).toBe("order.observed")
    expect(found.codes).toContain("alarm.contract_changed")
    const same = { fetchContractIdentity: async () => PINNED }
    expect((await observe({ ...none, payer: { contracts: same as never } })).event.type).toBe(
      "work.deferred",
    )
  })
})

describe("a chain's height is asked for", () => {
  const due = { seen: { refundableAtHeight: 50n } }
  const heads = async (given: Scene) =>
    (await observe(given)).asked.filter((one) => /head/.test(one))

  test.each<[string, Scene, readonly string[]]>([
    ["where a refund is due by a known height", { source: null, ...due }, ["source head"]],
    ["not where the leg tells it", due, []],
    ["not without a known height", { source: null }, []],
    [
      "not where the refund is not ours",
      { source: null, ...due, over: { deposit: { ...SAMPLE.deposit, isRefundableByUs: false } } },
      [],
    ],
    ["not where our secret is told", { source: null, ...due, over: { ownSecret: REVEALED } }, []],
    [
      "where the lock of our payout is not read",
      { destination: null, over: { ownSecret: OWN } },
      ["destination head"],
    ],
    ["not of a payout of the service's secret", { destination: null }, []],
    ["not where the payout is read", { over: { ownSecret: OWN } }, []],
  ])("%s", async (_what, given, expected) => {
    expect(await heads(given)).toEqual(expected)
  })

  test("and is the source's height from then on", async () => {
    const { found } = await observe({ source: null, ...due, head: 60n })
    expect(found.seen).toMatchObject({ sourceHeight: 60n, refundableAtHeight: 50n })
    const unread = await observe({ source: null, seen: { sourceHeight: 40n } })
    expect(unread.found.seen.sourceHeight).toBe(40n)
  })
})

describe("a decision in the journal to tell our secret", () => {
  test.each<[string, OwnSecret | null, readonly string[], string | undefined, boolean]>([
    ["is followed by an order that does not know it", OWN, ["reveal"], "told", true],
    [
      "counts also for one that withheld it",
      { ...OWN, status: "withheld" },
      ["reveal"],
      "told",
      true,
    ],
    ["is none where it was to withhold", OWN, ["withhold"], undefined, true],
    ["is not asked for by one that has told it", REVEALED, ["reveal"], undefined, false],
    [
      "is not asked for by one that has lost it",
      { ...OWN, status: "lost" },
      ["reveal"],
      undefined,
      false,
    ],
    ["is not asked for where the service chose", null, ["reveal"], undefined, false],
  ])("%s", async (_what, ownSecret, decisions, secret, isAsked) => {
    const { found, asked } = await observe({
      over: {
        ownSecret: ownSecret?.status === "revealed" ? { ...ownSecret, revealedAt: NOW } : ownSecret,
      },
      decisions,
      destination: leg({ ...FUNDED, initiated: { ...on("in"), revealable: false, units: OWED } }),
    })
    expect(found["secret"]).toBe(secret)
    expect(asked.includes("decisions")).toBe(isAsked)
  })
})

describe("a payout", () => {
  test.each<[bigint | null, boolean]>([
    [OWED, true],
    [OWED - 1n, false],
    [0n, false],
    [null, false],
  ])("of %s units is the whole one: %s", async (units, paid) => {
    const { found } = await observe({ destination: leg(paidWith(units)), pays: "evm" })
    expect(found).toMatchObject({ paid, paidUnits: units })
  })

  test("may be less by the fee that its redeemer takes, and by that of our own redemption", async () => {
    const fee = { over: { payoutFeeUnits: 3n } }
    const of = async (units: bigint, given: Scene = {}, txid = "pay") =>
      (await observe({ destination: leg(paidWith(units, { txid })), ...given })).found["paid"]
    expect([await of(OWED - 3n, fee), await of(OWED - 4n, fee)]).toEqual([true, false])
    const own = { ...REDEEM, plan: { ...REDEEM.plan, maxFeeUnits: 5n } }
    const ours = { signed: { redeem: [own] } }
    expect([await of(OWED - 5n, ours, own.txid), await of(OWED - 6n, ours, own.txid)]).toEqual([
      true,
      false,
    ])
    expect(await of(OWED - 5n, ours)).toBe(false)
    expect(await of(OWED - 5n, { ...ours, pays: "evm" }, own.txid)).toBe(false)
  })

  test("that is final and short is an alarm, and one that may vanish is none", async () => {
    const short = async (final: boolean) =>
      (await observe({ destination: leg(paidWith(1n, { final })), pays: "evm" })).codes
    expect(await short(true)).toContain("alarm.payout_short")
    expect(await short(false)).not.toContain("alarm.payout_short")
    const whole = await observe({ destination: leg(paidWith(OWED)), pays: "evm" })
    expect(whole.codes).toEqual([])
  })

  const other = (id: string, over: Partial<OrderData> = {}): OrderData => ({
    ...sampleData(),
    id,
    seen: { ...NOTHING_SEEN, destinationRedeemed: seenAt("pay") },
    ...over,
  })
  test("of several orders is divided, and never below nothing or above the promise", async () => {
    const receipt = async (units: bigint, others: readonly OrderData[], given: Scene = {}) => {
      const found = await observe({ destination: leg(paidWith(units)), others, ...given })
      return (found.found["moved"] as { receipt: object | null }).receipt
    }
    const booked = (units: bigint) => other("other", { receipt: { txid: "pay", units } })
    expect(await receipt(OWED + 7n, [])).toEqual({ txid: "pay", units: OWED })
    expect(await receipt(OWED + 7n, [booked(8n)])).toEqual({ txid: "pay", units: OWED - 1n })
    expect(await receipt(OWED, [booked(OWED + 1n)])).toEqual({ txid: "pay", units: 0n })
    expect(await receipt(OWED, [other("other")])).toEqual({ txid: "pay", units: OWED })
    const known = { txid: "pay", units: 1n }
    expect(await receipt(OWED, [], { over: { receipt: known } })).toEqual(known)
    const before = { txid: "before", units: 1n }
    expect(await receipt(OWED, [], { over: { receipt: before } })).toEqual({
      txid: "pay",
      units: OWED,
    })
    const contract = { pays: "evm" } as const
    expect(await receipt(OWED + 7n, [booked(8n)], contract)).toEqual({
      txid: "pay",
      units: OWED + 7n,
    })
  })

  test("counts for no order of ours that it does not pay", async () => {
    const paid = async (one: OrderData, final = true) =>
      (await observe({ destination: leg(paidWith(OWED, { final })), others: [one] })).codes
    expect(await paid(other("other"))).toContain("alarm.payout_short")
    for (const not of [
      other("order-1"),
      other("other", { rule: "without deposit" }),
      other("other", { seen: { ...NOTHING_SEEN, destinationRedeemed: seenAt("x") } }),
      other("other", { seen: NOTHING_SEEN }),
      other("other", { request: { ...SAMPLE.input.request, destinationOwner: "elsewhere" } }),
    ])
      expect(await paid(not)).toEqual([])
  })

  test("of one endpoint alone is not booked, and a known receipt stays", async () => {
    const receipt = { txid: "before", units: 1n }
    const split = leg({ ...paidWith(OWED), agreed: false })
    const { found } = await observe({ destination: split, over: { receipt } })
    expect(found["moved"]).toMatchObject({ receipt })
  })
})

describe("what the source returns", () => {
  const refunded = (over: object = {}) => {
    return { ...FUNDED, refunded: { ...on("back"), paidUnits: 9n, ...over } }
  }
  const moved = async (source: LegObservation | null, over: Partial<OrderData> = {}) =>
    (await observe({ source, over })).found["moved"]

  test("is its refund and its rent", async () => {
    expect(await moved(leg(refunded({ releasedUnits: 2n })))).toMatchObject({
      returned: { txid: "back", units: 9n },
      rentReturned: { txid: "back", units: 2n },
    })
  })

  test("is the rent also of a redemption", async () => {
    const redeemed = { ...on("take"), paidUnits: null, secret: null, releasedUnits: 3n }
    expect(await moved(leg({ ...FUNDED, redeemed }))).toMatchObject({
      returned: null,
      rentReturned: { txid: "take", units: 3n },
    })
    const both = { ...refunded({ releasedUnits: 2n }), redeemed }
    expect(await moved(leg(both))).toMatchObject({ rentReturned: { txid: "back", units: 2n } })
  })

  test("is nothing of a refund that paid nothing, and an alarm once it is final", async () => {
    const empty = refunded({ paidUnits: 0n, releasedUnits: 2n })
    expect(await moved(leg(empty))).toMatchObject({ returned: null })
    expect((await observe({ source: leg(empty) })).codes).toContain("alarm.refund_short")
    const young = refunded({ paidUnits: 0n, final: false })
    expect((await observe({ source: leg(young) })).codes).not.toContain("alarm.refund_short")
  })

  test("is as it was where the source is not read with agreement", async () => {
    const known = { returned: { txid: "x", units: 1n }, rentReturned: { txid: "y", units: 2n } }
    expect(await moved(null, known)).toMatchObject(known)
    expect(await moved(leg({ ...refunded(), agreed: false }), known)).toMatchObject(known)
    expect(await moved(OPEN, known)).toMatchObject({ returned: null, rentReturned: null })
  })

  test("ends the order once it is final, and settles it once it is seen", async () => {
    const end = async (final: boolean, seen: boolean, agreed = true) => {
      const source = leg({ ...refunded({ final, seen }), agreed })
      const { refunded: isBack, settling, agreed: both } = (await observe({ source })).found
      return [isBack, settling, both]
    }
    expect(await end(true, true)).toEqual([true, true, true])
    expect(await end(false, true)).toEqual([false, true, true])
    expect(await end(false, false)).toEqual([false, false, true])
    expect(await end(true, true, false)).toEqual([false, false, false])
  })
})

describe("the time for the payout is over", () => {
  const late = NOW + 5 * 60_000
  const lapsed = async (given: Scene) => (await observe(given)).found["lapsed"]
  test.each<[string, Scene, boolean]>([
    ["five minutes after the window", { nowMs: late + 1 }, true],
    ["not before", { nowMs: late }, false],
    ["not for a funded payout", { nowMs: late + 1, destination: OPEN }, false],
    [
      "not for a taken source",
      {
        nowMs: late + 1,
        source: leg({ ...FUNDED, redeemed: { ...on("take"), paidUnits: null, secret: null } }),
      },
      false,
    ],
    ["not for an unread payout", { nowMs: late + 1, destination: null }, false],
    ["not for one endpoint alone", { nowMs: late + 1, destination: leg({ agreed: false }) }, false],
  ])("%s", async (_what, given, expected) => {
    expect(await lapsed(given)).toBe(expected)
  })

  test("is concluded only by an answer that proves the absence", async () => {
    const asks = async (given: Scene) =>
      (await observe(given)).queries.filter(({ provesAbsence }) => provesAbsence === true).length
    expect(await asks({ nowMs: late + 1 })).toBe(1)
    expect(await asks({ nowMs: late })).toBe(0)
    expect(await asks({ nowMs: late + 1, destination: OPEN })).toBe(0)
  })
})

describe("a refund is possible", () => {
  const source = leg({ ...FUNDED, refundableAt: 100n })
  test.each<[string, Scene, boolean]>([
    ["from its height on", { source }, true],
    ["not a block before", { source: leg({ ...FUNDED, refundableAt: 101n }) }, false],
    ["not at an unknown height", { source: leg({ ...FUNDED, refundableAt: null }) }, false],
    ["not while our secret is told", { source, over: { ownSecret: REVEALED } }, false],
    [
      "not where only the service can",
      { source, over: { deposit: { ...SAMPLE.deposit, isRefundableByUs: false } } },
      false,
    ],
    ["not after the payout", { source, destination: leg(paidWith(OWED)) }, false],
    ["after a payout that did not reach us", { source, destination: leg(paidWith(1n)) }, true],
    [
      "not after a payout of an unknown amount",
      { source, destination: leg(paidWith(null)) },
      false,
    ],
    [
      "not after the refund",
      {
        source: leg({ ...FUNDED, refundableAt: 100n, refunded: { ...on("back"), paidUnits: 1n } }),
      },
      false,
    ],
    [
      "not after the redemption",
      {
        source: leg({
          ...FUNDED,
          refundableAt: 100n,
          redeemed: { ...on("take"), paidUnits: null, secret: null },
        }),
      },
      false,
    ],
  ])("%s", async (_what, given, expected) => {
    expect((await observe(given)).found["refundable"]).toBe(expected)
  })
})

describe("a known fact", () => {
  const kept = { txid: "in", height: 4n, final: false, at: 7 }
  test.each<[string, Scene, object | null]>([
    ["keeps its first time", {}, { txid: "in", height: 5n, final: true, at: 7 }],
    [
      "begins anew for another transaction",
      { seen: { sourceInitiated: { ...kept, txid: "x" } } },
      { txid: "in", height: 5n, final: true, at: NOW },
    ],
    ["stays where its leg is not read", { source: null, destination: OPEN }, kept],
    ["stays for one endpoint alone", { source: leg({ ...FUNDED, agreed: false }) }, kept],
    [
      "is new for one endpoint alone where none was known",
      { source: leg({ ...FUNDED, agreed: false }), seen: { sourceInitiated: null } },
      { txid: "in", height: 5n, final: true, at: NOW, isAlone: true },
    ],
  ])("%s", async (_what, given, expected) => {
    const seen = { sourceInitiated: kept, ...given.seen }
    expect((await observe({ ...given, seen })).found.seen.sourceInitiated).toEqual(expected)
  })

  test("of the payout is taken over part by part", async () => {
    const { found } = await observe({ destination: leg(paidWith(OWED)) })
    expect(found.seen).toMatchObject({
      destinationInitiated: { txid: "in", at: NOW },
      destinationRedeemed: { txid: "pay", at: NOW },
      sourceRefunded: null,
      sourceRedeemed: null,
    })
  })

  test("of the lock is kept for a payout with our own secret alone, with its dearest fee", async () => {
    const ours = await observe({ over: { ownSecret: OWN }, destination: OPEN })
    expect(ours.found.seen.payoutLock).toEqual({
      refundableAt: 900n,
      height: 100n,
      readAt: NOW,
      capUnits: 77n,
    })
    expect((await observe({ destination: OPEN })).found.seen).not.toHaveProperty("payoutLock")
  })

  test("that a payout is due is the source's redemption, or a report of the service", async () => {
    const wait = async (given: Scene) => (await observe(given)).found.seen.payoutWait
    const taken = leg({ ...FUNDED, redeemed: { ...on("take"), paidUnits: null, secret: null } })
    const counted = { waitedMs: 0, height: 100n, sinceHeightMs: 0, readAt: NOW }
    const reported = {
      ...SAMPLE.order,
      destination: { ...SAMPLE.order.destination, redeemTx: "x" },
    }
    expect(await wait({})).toBeNull()
    expect(await wait({ source: taken })).toEqual(counted)
    expect(await wait({ over: { reportedAt: 1 } })).toEqual(counted)
    expect(await wait({ service: reported })).toEqual(counted)
  })
})

describe("a deposit whose HTLC is empty", () => {
  const mined = { deposit: { txid: DEPOSIT.txid, height: 5n, final: false } }
  const lost = { source: leg(), mined }
  test("is looked for again", async () => {
    expect((await observe(lost)).event.type).toBe("deposit.unsettled")
  })

  test("is not missed by a node below its block, nor where none was known", async () => {
    expect((await observe({ ...lost, source: leg({}, 4n) })).event.type).not.toBe(
      "deposit.unsettled",
    )
    expect((await observe({ source: leg() })).event.type).toBe("order.observed")
  })

  test("stays where our secret is told, until the payout is known to be over", async () => {
    const told = { ...lost, over: { ownSecret: REVEALED, sendUntilMs: 2 * NOW } }
    const type = async (given: Scene) => (await observe({ ...told, ...given })).event.type
    expect(await type({ destination: OPEN })).toBe("order.observed")
    expect(await type({ destination: null })).toBe("order.observed")
    expect(await type({ destination: leg() })).toBe("deposit.unsettled")
    expect(await type({ destination: leg(paidWith(OWED)) })).toBe("deposit.unsettled")
    expect(
      await type({ destination: leg({ ...FUNDED, refunded: { ...on("b"), paidUnits: 0n } }) }),
    ).toBe("deposit.unsettled")
  })

  test("is sent again meanwhile, in its time and outside of a pause", async () => {
    const over = { ownSecret: REVEALED, sendUntilMs: NOW + 1 }
    const told = { ...lost, over, destination: OPEN }
    expect((await observe(told)).sent).toEqual([DEPOSIT.txid])
    expect((await observe({ ...told, isPaused: true })).sent).toEqual([])
    expect((await observe({ ...told, over: { ...over, sendUntilMs: NOW } })).sent).toEqual([])
    expect((await observe({ ...told, source: leg({ agreed: false }) })).sent).toEqual([])
    const relayed = { signed: { deposit: [] }, seen: { sourceInitiated: seenAt("in") } }
    expect((await observe({ ...told, mined: {}, ...relayed })).sent).toEqual([])
  })

  test("of one endpoint alone is nothing", async () => {
    const { event, sent } = await observe({ ...lost, source: leg({ agreed: false }) })
    expect([event.type, sent]).toEqual(["order.observed", []])
  })
})

describe("a transaction of ours that left its block", () => {
  test("is a refund, and a redemption where one was known", async () => {
    const refund = { refund: { txid: REFUND.txid, height: 5n, final: false } }
    expect((await observe({ signed: { refund: [REFUND] }, mined: refund })).event.type).toBe(
      "refund.unsettled",
    )
    const redeem = { redeem: { txid: REDEEM.txid, height: 5n, final: false } }
    const paid = { signed: { redeem: [REDEEM] }, destination: OPEN, over: { ownSecret: REVEALED } }
    expect((await observe({ ...paid, mined: redeem })).event.type).toBe("redeem.unsettled")
    expect((await observe(paid)).event.type).toBe("order.observed")
  })
})

describe("a report of the service", () => {
  const service = {
    ...SAMPLE.order,
    affiliateFees: [{ asset: "x", address: "y", feeBps: 1 }],
    source: {
      ...SAMPLE.order.source,
      swapId: "other",
      secretHash: "other",
      timelock: 1n,
      initiateTx: "0x1",
    },
    destination: {
      ...SAMPLE.order.destination,
      swapId: "other",
      secretHash: "other",
      redeemer: "thief",
      initiator: "thief",
      timelock: 1n,
      delegate: "thief",
      redeemTx: "0x2",
    },
  }
  test("adds its progress, and changes no verified field", async () => {
    const { found } = await observe({ service })
    const { source, destination, affiliateFees } = SAMPLE.order
    expect(found["serviceOrder"]).toMatchObject({
      affiliateFees,
      source: { ...source, initiateTx: "0x1" },
      destination: {
        swapId: destination.swapId,
        secretHash: destination.secretHash,
        redeemer: destination.redeemer,
        initiator: "thief",
        redeemTx: "0x2",
      },
    })
  })

  test("changes no term by which we redeem ourselves", async () => {
    const { found } = await observe({ service, over: { ownSecret: OWN } })
    const { initiator, timelock, delegate } = SAMPLE.order.destination
    expect(found["serviceOrder"]).toMatchObject({ destination: { initiator, timelock, delegate } })
  })

  test("that fails leaves the last one", async () => {
    const { job } = scene({})
    Object.assign(job.context.services.get("main") ?? {}, {
      fetchOrder: () => Promise.reject(UNREAD),
    })
    const { event } = await observeOrder(job)
    expect(event).toMatchObject({ type: "order.observed", serviceOrder: SAMPLE.order })
  })
})

describe("a payout that cannot reach its owner", () => {
  const fault = { code: "x.frozen", message: "the account is frozen" }
  const asked: string[] = []
  const checkPayout = async (asset: string) => {
    asked.push(asset)
    return [fault]
  }
  const payee = { contracts: { checkPayout } as never }
  const due = {
    destination: OPEN,
    payee,
    over: { ownSecret: { ...REVEALED, isShown: true as const } },
  }

  test("is an alarm while its redemption is due, and is not asked for before", async () => {
    expect((await observe(due)).codes).toContain("alarm.payout_blocked")
    expect(asked).toHaveLength(1)
    const early = { ...due, over: { ownSecret: { ...REVEALED, revealedAt: NOW } } }
    expect((await observe(early)).codes).not.toContain("alarm.payout_blocked")
    expect(asked).toHaveLength(1)
  })
})
