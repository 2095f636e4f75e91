import { describe, expect, test } from "vitest"
import type { TransactionObservation } from "#domain/transaction.ts"
import {
  findGoneEndings,
  findLanded,
  findVanishedDeposit,
  findVanishedRedeem,
  findVanishedRefund,
  isDepositMissing,
} from "#engine/orders/observe/find-vanished.ts"
import type { OrderData } from "#order/data.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import {
  NOTHING_SEEN,
  SAMPLE,
  samplePlan,
  sampleTransaction,
} from "../../../support/order-sample.ts"
import { emptyLeg, sampleData, sampleJob } from "../../../support/sample-job.ts"

const DEPOSIT = sampleTransaction(samplePlan("deposit", 0))
const doubts = [{ code: "chain.disagreement", message: "a.example: none; b.example: mined" }]

describe("a look at our transactions tells the contradictions between endpoints that it met", () => {
  const known = sampleData({ deposit: [DEPOSIT] })
  const mined = { txid: DEPOSIT.txid, height: 5n, seen: true, final: false }
  const deposit = { ...known.transactions.deposit, mined }
  const data = { ...known, transactions: { ...known.transactions, deposit } }
  const chain: Partial<ChainPort> = {
    chain: SAMPLE.deposit.chain,
    observeTransaction: async () => ({ status: "unseen", doubts }),
  }
  const job = sampleJob(data, { chain })
  // CAST: both functions only observe transactions.
  const port = chain as ChainPort

  test("also where none has landed", async () => {
    expect(await findLanded(job)).toEqual({ news: {}, doubts, alarms: [] })
  })

  test("also where a deposit has vanished", async () => {
    const gone = { event: { type: "deposit.unsettled", doubts } }
    expect(await findVanishedDeposit(job, port, emptyLeg(9n))).toEqual(gone)
  })
})

describe("a transaction that the order went on from before its block was final", () => {
  const observe = async (purpose: "deposit" | "refund", seen: TransactionObservation) => {
    const transaction = sampleTransaction(samplePlan(purpose, 0))
    const known = sampleData({ [purpose]: [transaction] })
    const mined = { txid: transaction.txid, height: 5n, seen: true, final: false }
    const track = { ...known.transactions[purpose], mined }
    const data = { ...known, transactions: { ...known.transactions, [purpose]: track } }
    // CAST: the function only observes transactions.
    const chain = {
      chain: SAMPLE.deposit.chain,
      observeTransaction: async () => seen,
    } as unknown as ChainPort
    const { news, alarms } = await findLanded(sampleJob(data, { chain }))
    return { news, alarms: alarms.map(({ code }) => code) }
  }

  test.each(["deposit", "refund"] as const)(
    "has failed for good when another one came before it in a final block (%s)",
    async (purpose) => {
      const failed = {
        status: "mined",
        ok: false,
        height: 6n,
        confirmations: 9,
        seen: true,
        feeUnits: 7n,
      } as const
      const { news } = await observe(purpose, { ...failed, final: true })
      expect(news.landed).toMatchObject({ purpose, ok: false, final: true, feeUnits: 7n })
      expect((await observe(purpose, { ...failed, final: false })).news).toEqual({})
    },
  )

  test.each([
    ["the same block", 5n, false, false],
    ["another block", 6n, false, true],
    ["the same block, which is final now", 5n, true, true],
  ])("is news in %s", async (_name, height, final, isNews) => {
    const seen = {
      status: "mined",
      ok: true,
      height,
      confirmations: 9,
      seen: true,
      feeUnits: 7n,
      final,
    } as const
    expect("landed" in (await observe("deposit", seen)).news).toBe(isNews)
  })

  test(
    "can never land when another transaction used its nonce, and only a refund's rival is no " +
      "alarm",
    async () => {
      const seen = { status: "excluded", by: "rival", final: true } as const
      expect(await observe("deposit", seen)).toEqual({
        news: { excluded: "deposit" },
        alarms: ["transaction.foreign_rival"],
      })
      expect(await observe("refund", seen)).toEqual({ news: { excluded: "refund" }, alarms: [] })
    },
  )
})

describe("an approval whose block vanished", () => {
  const APPROVE = sampleTransaction(samplePlan("approve", 0))
  const observe = async (seen: TransactionObservation, settled = false) => {
    const known = sampleData({ approve: [APPROVE] })
    const approve = { ...known.transactions.approve, settled }
    const data = { ...known, transactions: { ...known.transactions, approve } }
    // CAST: the function only observes transactions.
    const chain = {
      chain: SAMPLE.deposit.chain,
      observeTransaction: async () => seen,
    } as unknown as ChainPort
    const { news, alarms } = await findLanded(sampleJob(data, { chain }))
    return { news, alarms: alarms.map(({ code }) => code) }
  }
  const block = { status: "mined", height: 5n, confirmations: 9, seen: true, feeUnits: 7n } as const

  test.each([
    [{ ...block, ok: true, final: false }, true],
    [{ ...block, ok: true, final: true }, true],
    [{ ...block, ok: false, final: true }, true],
    [{ ...block, ok: false, final: false }, false],
    [{ status: "unseen" }, false],
    [{ status: "excluded", by: "rival", final: false }, false],
  ] as const)("is observed again: %o is news: %s", async (seen, isNews) => {
    const { news } = await observe(seen)
    expect(news).toEqual(isNews ? { landed: expect.objectContaining({ purpose: "approve" }) } : {})
    expect((await observe(seen, true)).news, "once it is settled, no look asks for it").toEqual({})
  })

  test(
    "is over when a final block excludes it, with an alarm when Ballast did not sign that " +
      "transaction",
    async () => {
      const seen = { status: "excluded", by: "rival", final: true } as const
      expect(await observe(seen)).toEqual({
        news: { excluded: "approve" },
        alarms: ["transaction.foreign_rival"],
      })
    },
  )
})

test("the void of an approval that the order needed no more is looked at until its block is final", async () => {
  const approve = sampleTransaction(samplePlan("approve", 0))
  const voided = sampleTransaction({ ...samplePlan("revoke", 0), action: "void" })
  const known = sampleData({ approve: [approve], revoke: [voided] })
  const observe = async (seen: TransactionObservation, settled: boolean) => {
    const tracks = known.transactions
    const transactions = {
      ...tracks,
      approve: { ...tracks.approve, isPaired: true, settled: true },
      revoke: { ...tracks.revoke, settled },
    }
    const chain = portOf(seen)
    return (await findLanded(sampleJob({ ...known, transactions }, { chain }))).news
  }
  const landed = { purpose: "revoke", txid: voided.txid, final: true, feeUnits: 1n }
  expect(await observe({ ...MINED, final: true }, false)).toMatchObject({ landed })
  expect(await observe({ ...MINED, final: true }, true)).toEqual({})
  const rival = { status: "excluded", by: "rival", final: true } as const
  expect(await observe(rival, false)).toEqual({ excluded: "revoke" })
})

const AT = { txid: "a", height: 5n, final: true, at: 1 }
const MINED = {
  status: "mined",
  ok: true,
  height: 5n,
  confirmations: 1,
  seen: true,
  final: false,
  feeUnits: 1n,
} as const
const UNSEEN = { status: "unseen" } as const
// CAST: only these facts of a leg count.
const leg = (over: object, height = 5n): LegObservation =>
  ({ ...emptyLeg(height), ...over }) as LegObservation
const OPEN = { initiated: AT }

/** An order with one transaction that it knew in a block. */
function known(
  purpose: "deposit" | "refund" | "redeem",
  final: boolean | null,
  over: Partial<OrderData> = {},
): OrderData {
  const transaction = sampleTransaction(samplePlan(purpose, 0))
  const data = sampleData({ [purpose]: [transaction] }, over)
  const mined = final === null ? null : { txid: transaction.txid, height: 5n, seen: true, final }
  const track = { ...data.transactions[purpose], mined }
  return { ...data, transactions: { ...data.transactions, [purpose]: track } }
}

// CAST: the functions only observe transactions.
const portOf = (seen: TransactionObservation): ChainPort =>
  ({ chain: SAMPLE.deposit.chain, observeTransaction: async () => seen }) as unknown as ChainPort
function told(result: Awaited<ReturnType<typeof findVanishedDeposit>>): unknown {
  if (result === null) return null
  const { event } = result
  const reasons = "reasons" in event ? event.reasons : undefined
  return [event.type, reasons?.map(({ what }) => what)]
}

test.each<[string, boolean, LegObservation, OrderData]>([
  ["an empty HTLC of a mined deposit", true, leg({}), known("deposit", false)],
  [
    "an empty HTLC of a seen one",
    true,
    leg({}),
    sampleData({}, { seen: { ...NOTHING_SEEN, sourceInitiated: AT } }),
  ],
  ["an empty HTLC without either", false, leg({}), known("deposit", null)],
  ["a full one", false, leg(OPEN), known("deposit", false)],
  ["a redeemed one", false, leg({ redeemed: AT }), known("deposit", false)],
  ["a refunded one", false, leg({ refunded: AT }), known("deposit", false)],
])("a deposit is missing: %s: %s", (_name, expected, observed, data) => {
  expect(isDepositMissing(observed, data)).toBe(expected)
})

test.each<[string, TransactionObservation, OrderData, unknown]>([
  ["still in a block", MINED, known("deposit", true), null],
  [
    "failed in another block",
    { ...MINED, ok: false },
    known("deposit", false),
    ["deposit.unsettled", undefined],
  ],
  ["that was not final", UNSEEN, known("deposit", false), ["deposit.unsettled", undefined]],
  ["that was final", UNSEEN, known("deposit", true), ["deposit.unsettled", ["deposit"]]],
  [
    "of another machine that was final",
    MINED,
    sampleData({}, { seen: { ...NOTHING_SEEN, sourceInitiated: AT } }),
    ["order.held", ["deposit"]],
  ],
  [
    "of another machine that was not",
    MINED,
    sampleData({}, { seen: { ...NOTHING_SEEN, sourceInitiated: { ...AT, final: false } } }),
    ["deposit.unsettled", undefined],
  ],
])("a deposit %s", async (_name, seen, data, expected) => {
  const port = portOf(seen)
  expect(told(await findVanishedDeposit(sampleJob(data, { chain: port }), port, leg({})))).toEqual(
    expected,
  )
})

describe.each([
  ["refund", findVanishedRefund],
  ["redeem", findVanishedRedeem],
] as const)("a %s in a block", (purpose, find) => {
  const GONE = [`${purpose}.unsettled`, undefined]
  test.each<[string, boolean | null, LegObservation | null, TransactionObservation, unknown]>([
    ["is gone while the HTLC is open again", false, leg(OPEN), UNSEEN, GONE],
    ["is there while a node shows it", false, leg(OPEN), MINED, null],
    ["is gone when it failed", false, leg(OPEN), { ...MINED, ok: false }, GONE],
    ["is not known", null, leg(OPEN), UNSEEN, null],
    ["is there while the HTLC is refunded", false, leg({ ...OPEN, refunded: AT }), UNSEEN, null],
    ["is there while the HTLC is redeemed", false, leg({ ...OPEN, redeemed: AT }), UNSEEN, null],
    ["is there while the HTLC is empty", false, leg({}), UNSEEN, null],
    ["is there for one endpoint alone", false, leg({ ...OPEN, agreed: false }), UNSEEN, null],
    ["is there for a node that is behind", false, leg(OPEN, 4n), UNSEEN, null],
    ["is sent again when neither can be read", false, null, UNSEEN, GONE],
    ["waits when the HTLC cannot be read", false, null, { status: "pending" }, null],
    ["stays final when the HTLC cannot be read", true, null, UNSEEN, null],
    ["is not known, and the HTLC cannot be read", null, null, UNSEEN, null],
  ])("%s", async (_name, final, observed, seen, expected) => {
    const port = portOf(seen)
    const job = sampleJob(known(purpose, final), { chain: port })
    expect(told(await find(job, port, observed))).toEqual(expected)
  })

  test("has a reason only where a final refund is gone", async () => {
    const port = portOf(UNSEEN)
    const job = sampleJob(known(purpose, true), { chain: port })
    const expected = [`${purpose}.unsettled`, purpose === "refund" ? ["refund"] : undefined]
    expect(told(await find(job, port, leg(OPEN)))).toEqual(expected)
  })
})

test("a payout that a voucher takes is open while it is not taken", async () => {
  // CAST: the kind of a quote is all that counts.
  const quote = { ...SAMPLE.quote, kind: "cctp" } as OrderData["quote"]
  const port = portOf(UNSEEN)
  const job = sampleJob(known("redeem", false, { quote }), { chain: port })
  expect(told(await findVanishedRedeem(job, port, leg({})))).toEqual([
    "redeem.unsettled",
    undefined,
  ])
})

test.each<[string, readonly string[], LegObservation | null, boolean]>([
  ["an end that the leg still shows", [], leg({ redeemed: AT, refunded: AT }), true],
  ["a final end that it does not", ["refund", "payout"], leg({}), true],
  ["an end that was not final", [], leg({}), false],
  ["a node that is behind", [], leg({}, 4n), true],
  ["one endpoint alone", [], leg({ agreed: false }), true],
  ["a leg that cannot be read", [], null, true],
])("the alarms of gone endings: %s", (_name, expected, observed, final) => {
  const end = { ...AT, final }
  const seen = { ...NOTHING_SEEN, sourceRefunded: end, destinationRedeemed: end }
  const found = findGoneEndings(sampleData({}, { seen }), observed, observed)
  expect(found.map(({ what }) => what)).toEqual(expected)
  expect(findGoneEndings(sampleData(), observed, observed)).toEqual([])
})
