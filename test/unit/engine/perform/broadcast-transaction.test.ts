import { describe, expect, test } from "vitest"
import { PAUSE_FLAG } from "#domain/pause.ts"
import type { EngineContext } from "#engine/context.ts"
import { broadcastTransaction } from "#engine/orders/deposit/broadcast-transaction.ts"
import type { WorkResult } from "#engine/orders/stepper.ts"
import { createOrderData, type TransactionPurpose, type TransactionTrack } from "#order/data.ts"
import { failure } from "../../../support/faults.ts"
import { SAMPLE, samplePlan, sampleTransaction } from "../../../support/order-sample.ts"

const PAUSED = "2026-01-01T00:00:00Z"
const PATIENCE_MS = 10 * 60_000

describe("a transaction that no node accepts and no node refuses", () => {
  test.each(["void", "refund", "revoke"] as const)(
    "holds the order of a %s with an alert after ten minutes",
    async (kind) => {
      await expect(send(kind, PATIENCE_MS)).rejects.toMatchObject({ code: "chain.conflict" })
      const { event } = await send(kind, PATIENCE_MS + 1)
      const { txid } = sampleTransaction(samplePlan(kind, 0))
      expect(event).toMatchObject({
        type: "order.held",
        reasons: [{ code: `${kind}.stuck`, txid }, { code: "chain.conflict" }],
      })
    },
  )

  test.each(["approve", "deposit"] as const)(
    "is sent again for the %s until its window ends",
    async (kind) => {
      await expect(send(kind, PATIENCE_MS + 1)).rejects.toMatchObject({ code: "chain.conflict" })
    },
  )
})

describe("a pause that came after the work began", () => {
  test.each(["approve", "deposit"] as const)("stops an %s that was never sent", async (kind) => {
    expect((await send(kind, 0, PAUSED)).event).toMatchObject({ type: "work.deferred" })
  })

  test.each(["approve", "deposit"] as const)("stops no %s that was sent before", async (kind) => {
    const { txid } = sampleTransaction(samplePlan(kind, 0))
    const reported = [{ type: "transaction.mined", body: JSON.stringify({ txid }) }]
    expect((await send(kind, 0, PAUSED, reported)).event).toMatchObject({ type: "work.deferred" })
    const sent = [{ type: "transaction.sent", body: JSON.stringify({ txid }) }]
    await expect(send(kind, 0, PAUSED, sent)).rejects.toMatchObject({ code: "chain.conflict" })
  })

  test.each(["void", "refund", "revoke"] as const)("stops no %s", async (kind) => {
    await expect(send(kind, 0, PAUSED)).rejects.toMatchObject({ code: "chain.conflict" })
  })
})

async function send(
  kind: TransactionPurpose,
  nowMs: number,
  pause: string | null = null,
  events: readonly { readonly type: string; readonly body: string }[] = [],
): Promise<WorkResult> {
  const fresh = createOrderData(SAMPLE.input)
  const track: TransactionTrack = {
    plan: null,
    signed: [sampleTransaction(samplePlan(kind, 0))],
    sentAt: null,
    mined: null,
  }
  const data = {
    ...fresh,
    sendUntilMs: 2 * PATIENCE_MS,
    transactions: { ...fresh.transactions, [kind]: track },
  }
  const broadcast = async (): Promise<void> => {
    throw failure("uncertain", "chain.conflict")
  }
  // CAST: the performer uses only this part of the context.
  const context = {
    journal: {
      isPending: () => false,
      readFlag: (key: string) => (key === PAUSE_FLAG ? pause : null),
      listEvents: () => events,
    },
    settings: { mode: "live" },
    chains: new Map([[SAMPLE.deposit.chain, { broadcastTransaction: broadcast }]]),
  } as unknown as EngineContext
  return broadcastTransaction(kind)({
    context,
    data,
    repeated: false,
    begin: () => Promise.resolve(),
    nowMs,
  })
}
