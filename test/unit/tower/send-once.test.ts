import { expect, test } from "vitest"
import { type Sending, sendOnce } from "#engine/tower/send-once.ts"
import type { ChainPort } from "#ports/chain.ts"
import { ETH } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { samplePlan, sampleTransaction } from "../../support/order-sample.ts"

const SENT = 1_000
const STUCK = 60_000
const first = sampleTransaction(samplePlan("redeem", 0))
const higher = sampleTransaction(samplePlan("redeem", 1))

const fail: ChainPort["observeTransaction"] = async () => {
  throw failure("transient", "test.unreachable")
}

function act(action: "redeem" | "refund", nowMs: number, observeTransaction = fail) {
  const calls: string[] = []
  const port: Partial<ChainPort> = {
    observeTransaction,
    planBump: async () => higher.plan,
    signTransaction: async () => higher,
    broadcastTransaction: async ({ txid }) => void calls.push(txid),
  }
  const sending: Sending = {
    // CAST: nothing else of the port is used.
    port: port as ChainPort,
    request: { action, asset: ETH },
    plan: async () => higher.plan,
    nowMs,
    reserved: new Set(),
    stuckAfterMs: STUCK,
  }
  return { calls, done: sendOnce(sending, { transaction: first, sentAtMs: SENT }) }
}

test("a redemption leaves again, and gets its higher fee in time, though no node answers", async () => {
  const again = act("redeem", SENT + STUCK - 1)
  expect(await again.done).toEqual({ transaction: first, sentAtMs: SENT })
  expect(again.calls).toEqual([first.txid])
  const raised = act("redeem", SENT + STUCK)
  expect(await raised.done).toEqual({ transaction: higher, sentAtMs: SENT + STUCK })
  expect(raised.calls).toEqual([higher.txid])
})

test("a refund waits for an answer", async () => {
  const refund = act("refund", SENT + STUCK)
  await expect(refund.done).rejects.toMatchObject({ code: "test.unreachable" })
  expect(refund.calls).toEqual([])
})

test("a block that one endpoint alone shows is no reason for another transaction", async () => {
  const place = { height: 1n, confirmations: 1, seen: true, final: false, feeUnits: 1n } as const
  const mined = { status: "mined", ok: true, ...place } as const
  const alone = { ...mined, isAlone: true } as const
  for (const action of ["redeem", "refund"] as const) {
    const early = act(action, SENT + STUCK - 1, async () => alone)
    expect(await early.done).toEqual({ transaction: first, sentAtMs: SENT })
    expect(early.calls).toEqual([])
    const raised = act(action, SENT + STUCK, async () => alone)
    expect(await raised.done).toMatchObject({ transaction: higher })
    // In an agreed block it failed, because its leg is still open.
    const again = act(action, SENT + 1, async () => mined)
    expect(await again.done).toMatchObject({ transaction: higher })
  }
})
