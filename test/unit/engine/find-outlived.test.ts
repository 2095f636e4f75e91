import { expect, test } from "vitest"
import type { TransactionObservation } from "#domain/transaction.ts"
import { findOutlivedNews } from "#engine/orders/observe/find-outlived.ts"
import type { OrderData } from "#order/data.ts"
import { failure } from "../../support/faults.ts"
import { landedTransaction, signed, txidOf } from "../../support/order-steps.ts"
import { sampleData, sampleJob } from "../../support/sample-job.ts"

/* The answers of a chain about a transaction whose place a later one took by the time alone. */

const HOUR_MS = 60 * 60_000
const txid = txidOf("refund")
const MINED = landedTransaction("refund", 5n)
const { purpose: _, txid: __, ...place } = MINED
const mined = { status: "mined", confirmations: 9, seen: true, ...place } as const

const open = (openSince: number, over: Partial<OrderData> = {}): OrderData =>
  sampleData(
    {},
    {
      earlierSigned: signed("refund").signed.map((one) => ({
        ...one,
        purpose: "refund",
        openSince,
      })),
      ...over,
    },
  )

async function ask(
  seen: TransactionObservation | Error,
  { data = open(0), nowMs = 1 }: { data?: OrderData; nowMs?: number } = {},
) {
  const observeTransaction = async (): Promise<TransactionObservation> => {
    if (seen instanceof Error) throw seen
    return seen
  }
  return (await findOutlivedNews(sampleJob(data, { chain: { observeTransaction } }, { nowMs })))
    .outlived
}

test("its block is news once, and again when it is final", async () => {
  const young = { ...MINED, final: false }
  const seen = { ...mined, final: false }
  expect(await ask(seen)).toEqual([{ txid, landed: young, isOver: false }])
  const data = open(0, { mined: [young] })
  expect(await ask(seen, { data })).toBeUndefined()
  expect(await ask({ ...seen, ok: false }, { data })).toMatchObject([{ landed: { ok: false } }])
  expect(await ask({ ...seen, height: 9n }, { data })).toMatchObject([{ landed: { height: 9n } }])
  expect(await ask(mined, { data })).toEqual([{ txid, landed: MINED, isOver: true }])
})

test("a proof ends it, and a block that vanished is no block", async () => {
  const proven = { status: "excluded", by: "expired", final: true } as const
  expect(await ask(proven)).toEqual([{ txid, landed: null, isOver: true }])
  const data = open(0, { mined: [{ ...MINED, final: false }] })
  const gone = [{ txid, landed: null, isOver: false }]
  expect(await ask({ status: "unseen" }, { data })).toEqual(gone)
  expect(await ask({ ...proven, final: false })).toBeUndefined()
})

test("the order waits for a proof for an hour, and not for what one endpoint alone shows", async () => {
  const alone = { ...mined, final: false, isAlone: true } as const
  for (const seen of [{ status: "unseen" }, { status: "pending" }, alone] as const) {
    expect(await ask(seen, { nowMs: HOUR_MS })).toBeUndefined()
    const late = await ask(seen, { nowMs: HOUR_MS + 1 })
    expect(late).toEqual([{ txid, landed: null, isOver: true }])
  }
  const young = { ...mined, final: false }
  expect(await ask(young, { nowMs: HOUR_MS + 1 })).toMatchObject([{ isOver: false }])
})

test("a read that fails tells nothing, and asks for no other transaction", async () => {
  expect(await ask(failure("transient"), { nowMs: HOUR_MS + 1 })).toBeUndefined()
  const closed = sampleData({ refund: signed("refund").signed })
  expect(await ask(mined, { data: closed })).toBeUndefined()
  await expect(ask(new TypeError("a defect"))).rejects.toThrow("a defect")
})
