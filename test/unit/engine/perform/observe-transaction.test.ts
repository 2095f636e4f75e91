import { describe, expect, test } from "vitest"
import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import type { EngineContext } from "#engine/context.ts"
import { observeTransaction } from "#engine/orders/observe/observe-transaction.ts"
import type { WorkResult } from "#engine/orders/stepper.ts"
import { createOrderData, type OrderData, type TransactionTrack } from "#order/data.ts"
import { SAMPLE, samplePlan, sampleTransaction } from "../../../support/order-sample.ts"
import { sampleData, sampleJob } from "../../../support/sample-job.ts"

const DEPOSIT = sampleTransaction(samplePlan("deposit", 0))
const VOID = sampleTransaction(samplePlan("void", 0))
const EXCLUDED: TransactionObservation = { status: "excluded", by: VOID.txid, final: true }
const MINED: TransactionObservation = {
  status: "mined",
  ok: true,
  height: 7n,
  confirmations: 9,
  seen: true,
  final: true,
  feeUnits: 42n,
}

describe("a deposit that its own void excludes", () => {
  test("carries the void, so that the books get its fee", async () => {
    const { event } = await observeDeposit(MINED)
    expect(event).toMatchObject({
      type: "transaction.excluded",
      landed: { purpose: "void", feeUnits: 42n },
    })
  })

  test.each(["unseen", "pending"] as const)(
    "is observed again while the void is %s at a node that is behind",
    async (status) => {
      expect((await observeDeposit({ status })).event.type).toBe("work.deferred")
    },
  )

  test("is observed again until the void is final", async () => {
    expect((await observeDeposit({ ...MINED, final: false })).event.type).toBe("work.deferred")
  })

  test("is over without the void when another transaction excludes both", async () => {
    const { event } = await observeDeposit({ status: "excluded", by: "another", final: true })
    expect(event).toEqual({ type: "transaction.excluded", by: VOID.txid })
  })
})

describe("a revocation in a final block", () => {
  test(
    "is the only one of two transactions with one nonce, whatever an endpoint shows of the " +
      "approval",
    async () => {
      const { event } = await observeRevocation("nonce:0", MINED)
      expect(event).toMatchObject({ type: "transaction.mined", final: true })
      expect(event).not.toHaveProperty("landed")
    },
  )

  test("with a nonce of its own waits until the approval is final, and carries it", async () => {
    expect((await observeRevocation("nonce:1", { ...MINED, final: false })).event.type).toBe(
      "work.deferred",
    )
    expect((await observeRevocation("nonce:1", MINED)).event).toMatchObject({
      landed: { purpose: "approve", feeUnits: 42n },
    })
  })
})

async function observeRevocation(
  resource: string,
  approveSeen: TransactionObservation,
): Promise<WorkResult> {
  const approve = sampleTransaction({ ...samplePlan("approve", 0), resources: ["nonce:0"] })
  const revoke = sampleTransaction({ ...samplePlan("revoke", 0), resources: [resource] })
  const data = sampleData({ approve: [approve], revoke: [revoke] })
  const chain = {
    observeTransaction: async ({ txid }: SignedTransaction) =>
      txid === revoke.txid ? MINED : approveSeen,
  }
  return observeTransaction("revoke")(sampleJob(data, { chain }))
}

async function observeDeposit(voidSeen: TransactionObservation): Promise<WorkResult> {
  const fresh = createOrderData(SAMPLE.input)
  const track = (signed: SignedTransaction): TransactionTrack => ({
    plan: null,
    signed: [signed],
    sentAt: 0,
    mined: null,
  })
  const transactions = { ...fresh.transactions, deposit: track(DEPOSIT), void: track(VOID) }
  const data: OrderData = { ...fresh, sendUntilMs: 1_000, transactions }
  const chain = {
    chain: SAMPLE.deposit.chain,
    observeTransaction: async ({ txid }: SignedTransaction) =>
      txid === DEPOSIT.txid ? EXCLUDED : voidSeen,
  }
  // CAST: the performer uses only this part of the context.
  const journal = { isOurs: (_chain: string, txid: string) => txid === VOID.txid }
  // CAST: as above.
  const context = { chains: new Map([[chain.chain, chain]]), journal } as unknown as EngineContext
  return observeTransaction("deposit")({
    context,
    data,
    repeated: true,
    begin: () => Promise.resolve(),
    nowMs: 0,
  })
}
