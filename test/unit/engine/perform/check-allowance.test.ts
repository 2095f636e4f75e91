import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import type { TransactionObservation } from "#domain/transaction.ts"
import { checkAllowance } from "#engine/orders/deposit/check-allowance.ts"
import type { ChainPort } from "#ports/chain.ts"
import { samplePlan, sampleTransaction } from "../../../support/order-sample.ts"
import { sampleData, sampleJob } from "../../../support/sample-job.ts"

const APPROVE = sampleTransaction(samplePlan("approve", 0))
const BLOCK = {
  status: "mined",
  ok: true,
  height: 5n,
  confirmations: 9,
  seen: true,
  feeUnits: 7n,
} as const
const LOCK = expect.stringMatching(/^lock\//)

describe("the allowance of an order", () => {
  test("waits for the lock of another order, and is not even read before", async () => {
    await expect(check({ taken: true })).rejects.toMatchObject({
      code: "journal.resource_taken",
      disposition: "transient",
      details: { resource: LOCK },
    })
    expect(reads).toEqual([])
  })

  test("is locked with the plan of its approval, and when it is exact already", async () => {
    const approved = await check({ missing: { setUnits: 10_000n } })
    expect(approved).toMatchObject({ event: { type: "transaction.planned" }, reserve: [LOCK] })
    expect(reads).toEqual(["allowance", "plan 10000"])
    expect(await check({ missing: null })).toMatchObject({
      event: { type: "allowance.ready" },
      reserve: [LOCK],
    })
  })

  test("is set to zero first where the token asks for it", async () => {
    await check({ missing: { setUnits: 0n } })
    expect(reads).toEqual(["allowance", "plan 10000", "plan 0"])
  })

  test("is planned beside its read for the first approval alone", async () => {
    const plans: number[] = []
    for (const approved of [null, { ...BLOCK, final: true }]) {
      await check({ missing: null, approved })
      plans.push(reads.length - 1)
    }
    expect(plans).toEqual([1, 0])
  })

  test.each([
    ["unseen", { status: "unseen" }, { type: "transaction.unseen" }],
    ["in a young block", { ...BLOCK, final: false }, { type: "work.deferred" }],
    ["final", { ...BLOCK, final: true }, { type: "transaction.planned" }],
  ] as const)(
    "is approved again when the approval that was final is %s now",
    async (_what, seen, event) => {
      expect(await check({ missing: { setUnits: 10_000n }, approved: seen })).toMatchObject({
        event,
      })
    },
  )

  test.each([
    [1, { type: "transaction.planned" }],
    [3, { type: "transaction.planned" }],
    [4, { type: "order.declined", reasons: [{ code: "approve.without_effect" }] }],
  ] as const)("that is missing after %d approvals in blocks", async (count, event) => {
    const approved = { ...BLOCK, final: true }
    expect(await check({ missing: { setUnits: 10_000n }, approved, count })).toMatchObject({
      event,
    })
  })

  test("is not approved late", async () => {
    expect(await check({ nowMs: 1_000 })).toMatchObject({ event: { type: "order.declined" } })
    expect(reads).toEqual([])
  })
})

let reads: string[] = []

type Scene = {
  readonly taken?: boolean
  readonly missing?: { setUnits: bigint } | null
  readonly nowMs?: number
  /** So many approvals are in blocks. */
  readonly count?: number
  /** What the node shows of an approval that was final; `null` without one. */
  readonly approved?: TransactionObservation | null
}

async function check(scene: Scene) {
  const { taken = false, missing = null, nowMs = 999, approved = null, count = 0 } = scene
  reads = []
  const known = sampleData({ approve: approved === null ? [] : [APPROVE] })
  const mined =
    approved === null ? null : { txid: APPROVE.txid, height: 5n, seen: true, final: true }
  const approve = { ...known.transactions.approve, mined }
  const landed = Array.from({ length: count }, (_, index) => ({
    ...BLOCK,
    purpose: "approve" as const,
    txid: `approval ${index}`,
    final: true,
    heldUnits: 0n,
  }))
  const data = { ...known, mined: landed, transactions: { ...known.transactions, approve } }
  const chain: Partial<ChainPort> = {
    traits: familyNamed("evm").traits,
    findMissingApproval: async () => {
      reads.push("allowance")
      return missing
    },
    planTransaction: async (request) => {
      reads.push(`plan ${"units" in request ? request.units : ""}`)
      return samplePlan("approve", 0)
    },
    nonces: { bindPlan: async (plan) => plan, takeNonce: async () => null },
    observeTransaction: async () => approved ?? { status: "unseen" },
  }
  const journal = {
    findHolder: (resource: string) => (taken && resource.startsWith("lock/") ? "another" : null),
    listReserved: () => new Set<string>(),
    listSigners: () => [],
  }
  return checkAllowance(sampleJob(data, { chain, journal }, { nowMs }))
}
