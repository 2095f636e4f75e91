import { describe, expect, test } from "vitest"
import type { MoveObservation } from "#domain/move.ts"
import { createOrderData, type MoveTrack, type OrderData } from "#order/data.ts"
import { SAMPLE, sampleMove, samplePlan } from "../../../test/support/order-sample.ts"
import type { EngineContext } from "../context.ts"
import type { Outcome } from "../stepper.ts"
import { planMove } from "./plan-move.ts"

const APPROVE = sampleMove(samplePlan("approve", 0))
const MINED = { status: "mined", ok: true, height: 5n, confirmations: 9, final: true, feeUnits: 7n } as const

describe("that no allowance is left to be taken back", () => {
  test("is not believed while the approval's block is not final", async () => {
    expect(await revoke({ approval: { ...MINED, final: false } })).toMatchObject({ fact: { type: "work.deferred" } })
  })

  test("is not believed of a node that has not come to the approval's block", async () => {
    expect(await revoke({ approval: MINED, height: 4n })).toMatchObject({ fact: { type: "work.deferred" } })
  })

  test("is believed of a node that knows the final block, and what the approval cost is told with it", async () => {
    const { fact } = await revoke({ approval: MINED, height: 5n })
    const landed = {
      kind: "approve",
      txid: APPROVE.txid,
      ok: true,
      height: 5n,
      final: true,
      feeUnits: 7n,
      heldUnits: 0n,
    }
    expect(fact).toMatchObject({ type: "order.declined", reasons: [{ code: "revoke.unneeded" }], landed })
  })

  test("needs no block of an approval that failed", async () => {
    const { fact } = await revoke({ approval: { ...MINED, ok: false }, height: 4n })
    expect(fact).toMatchObject({ type: "order.declined", landed: { ok: false, feeUnits: 7n } })
  })

  test("does not tell a second time what is known of the approval", async () => {
    const mined = { txid: APPROVE.txid, height: 5n, final: true }
    const { fact } = await revoke({ approval: MINED, mined })
    expect(fact).toMatchObject({ type: "order.declined" })
    expect(fact).not.toHaveProperty("landed")
  })

  test("is asked again and again where nobody else could have used it", async () => {
    expect(await revoke({ approval: MINED, tries: 9 })).toMatchObject({ fact: { type: "work.deferred" } })
    expect(await revoke({ approval: MINED, tries: 10 })).toMatchObject({ fact: { type: "order.declined" } })
  })
})

test("an approval that waits for a block has its nonce used up, whatever the allowance is now", async () => {
  expect(await revoke({ approval: { status: "pending" } })).toMatchObject({ fact: { plan: { purpose: "void" } } })
})

type Scene = {
  readonly approval: MoveObservation
  readonly height?: bigint
  readonly tries?: number
  readonly mined?: MoveTrack["mined"]
}

async function revoke({ approval, height = 9n, tries = 10, mined = null }: Scene): Promise<Outcome> {
  const fresh = createOrderData(SAMPLE.input)
  const approve: MoveTrack = { plan: null, signed: [APPROVE], sentAt: 0, mined }
  const data: OrderData = { ...fresh, deposit: SAMPLE.deposit, tries, moves: { ...fresh.moves, approve } }
  const chain = {
    chain: SAMPLE.deposit.chain,
    account: "wallet",
    observeMove: async () => approval,
    fetchHeight: async () => height,
    findMissingApproval: async () => null,
    planMove: async ({ purpose }: { purpose: "void" | "approve" }) => ({ ...samplePlan("revoke", 0), purpose }),
  }
  // CAST: the performer touches nothing else of the context.
  const context = {
    chains: new Map([[chain.chain, chain]]),
    journal: { listReserved: () => new Set() },
  } as unknown as EngineContext
  return planMove("revoke")({ context, data, repeated: false, stopped: false, begin: () => undefined, nowMs: 0 })
}
