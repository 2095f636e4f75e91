import { describe, expect, test } from "vitest"
import type { ChainPort } from "#chains/port.ts"
import { findLanded, findVanishedDeposit } from "#engine/perform/find-vanished.ts"
import { SAMPLE, samplePlan, sampleTransaction } from "../../support/order-sample.ts"
import { emptyLeg, sampleData, sampleJob } from "../../support/sample-job.ts"

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
    expect(await findLanded(job, port)).toEqual({ landed: null, doubts })
  })

  test("also where a deposit has vanished", async () => {
    const gone = { event: { type: "deposit.unsettled", doubts } }
    expect(await findVanishedDeposit(job, port, emptyLeg(9n))).toEqual(gone)
  })
})
