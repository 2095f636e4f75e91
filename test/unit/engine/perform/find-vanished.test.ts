import { describe, expect, test } from "vitest"
import type { TransactionObservation } from "#domain/transaction.ts"
import { findLanded, findVanishedDeposit } from "#engine/orders/observe/find-vanished.ts"
import type { ChainPort } from "#ports/chain.ts"
import { SAMPLE, samplePlan, sampleTransaction } from "../../../support/order-sample.ts"
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
    expect(news.landed?.purpose).toBe(isNews ? "approve" : undefined)
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
