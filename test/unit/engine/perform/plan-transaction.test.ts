import { describe, expect, test } from "vitest"
import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import { allowanceLock, type EngineContext } from "#engine/context.ts"
import { answerRepeatedBytes } from "#engine/orders/deposit/answer-repeated-bytes.ts"
import { planTransaction } from "#engine/orders/deposit/plan-transaction.ts"
import type { WorkResult } from "#engine/orders/stepper.ts"
import { createOrderData, type OrderData, type TransactionTrack } from "#order/data.ts"
import { encodeOrder } from "#order/step.ts"
import { failure } from "../../../support/faults.ts"
import { SAMPLE, samplePlan, sampleTransaction } from "../../../support/order-sample.ts"

const APPROVE = sampleTransaction(samplePlan("approve", 0))
const MINED = {
  status: "mined",
  ok: true,
  height: 5n,
  confirmations: 9,
  seen: true,
  final: true,
  feeUnits: 7n,
} as const

describe("a revocation counts a missing allowance", () => {
  test("not before the approval's block is final", async () => {
    expect(await revoke({ approval: { ...MINED, final: false } })).toMatchObject({
      event: { type: "work.deferred" },
    })
  })

  test("not by a node below the approval's block", async () => {
    expect(await revoke({ approval: MINED, height: 4n })).toMatchObject({
      event: { type: "work.deferred" },
    })
  })

  test("by a node that knows the final block, and books the approval's fee", async () => {
    const { event } = await revoke({ approval: MINED, height: 5n })
    const landed = {
      purpose: "approve",
      txid: APPROVE.txid,
      ok: true,
      height: 5n,
      final: true,
      feeUnits: 7n,
      heldUnits: 0n,
    }
    expect(event).toMatchObject({
      type: "order.declined",
      reasons: [{ code: "revoke.unneeded" }],
      landed,
    })
  })

  test("without the block of an approval that failed", async () => {
    const { event } = await revoke({ approval: { ...MINED, ok: false }, height: 4n })
    expect(event).toMatchObject({ type: "order.declined", landed: { ok: false, feeUnits: 7n } })
  })

  test("without booking a known approval twice", async () => {
    const mined = { txid: APPROVE.txid, height: 5n, final: true }
    const { event } = await revoke({ approval: MINED, mined })
    expect(event).toMatchObject({ type: "order.declined" })
    expect(event).not.toHaveProperty("landed")
  })

  test("not by a node below the block of an approval that a second one was to replace", async () => {
    const landed = {
      purpose: "approve",
      txid: APPROVE.txid,
      ok: true,
      height: 5n,
      final: true,
      feeUnits: 7n,
    } as const
    const scene = {
      approval: { status: "unseen" },
      signed: [],
      landed: [{ ...landed, heldUnits: 0n }],
    } as const
    expect(await revoke({ ...scene, height: 4n })).toMatchObject({
      event: { type: "work.deferred" },
    })
    expect(await revoke({ ...scene, height: 5n })).toMatchObject({
      event: { type: "order.declined" },
    })
  })

  test("only after several tries when no other party could have used it", async () => {
    expect(await revoke({ approval: MINED, tries: 9 })).toMatchObject({
      event: { type: "work.deferred" },
    })
    expect(await revoke({ approval: MINED, tries: 10 })).toMatchObject({
      event: { type: "order.declined" },
    })
  })
})

describe("an approval that another transaction excluded", () => {
  const approval = { status: "excluded", by: "rival", final: true } as const

  test("leaves nothing to revoke, and no fee, when the rival is ours", async () => {
    const { event } = await revoke({ approval, ours: "rival" })
    expect(event).toMatchObject({
      type: "order.declined",
      reasons: [{ code: "revoke.unneeded" }],
      excluded: "approve",
    })
  })

  test("holds the order with an alarm when Ballast did not sign the rival", async () => {
    const { event } = await revoke({ approval })
    const reasons = [{ code: "transaction.foreign_rival", by: "rival", purpose: "approve" }]
    expect(event).toMatchObject({ type: "order.held", reasons, excluded: "approve" })
    const again = await revoke({ approval, alerted: ["transaction.foreign_rival"] })
    expect(again.event).toMatchObject({ type: "order.declined", excluded: "approve" })
  })
})

test(
  "a revocation waits while another order holds the allowance lock, because it would set that " +
    "order's allowance to zero",
  async () => {
    const taken = { code: "journal.resource_taken", disposition: "transient" }
    await expect(revoke({ approval: MINED, left: 5n, isLocked: true })).rejects.toMatchObject(taken)
    await expect(revoke({ approval: MINED, isLocked: true })).rejects.toMatchObject(taken)
    expect(await revoke({ approval: { status: "pending" }, isLocked: true })).toMatchObject({
      event: { plan: { action: "void" } },
    })
  },
)

test("a revocation behind an order that waits for an operator is held after ten minutes", async () => {
  const scene = { approval: MINED, isLocked: true } as const
  const nowMs = SAMPLE.input.createdAt + 600_001
  const taken = { code: "journal.resource_taken" }
  await expect(revoke({ ...scene, holderState: "held", nowMs: nowMs - 1 })).rejects.toMatchObject(
    taken,
  )
  await expect(revoke({ ...scene, nowMs })).rejects.toMatchObject(taken)
  const { event } = await revoke({ ...scene, holderState: "held", nowMs })
  expect(event).toMatchObject({
    type: "order.held",
    reasons: [{ code: "revoke.blocked", holder: "holder" }],
  })
})

test("a revocation keeps the allowance from orders that need it alone, and not from pairs", async () => {
  const { reserve } = await revoke({ approval: MINED, left: 5n })
  expect(reserve).toEqual([
    `${allowanceLock(SAMPLE.input.request.from, SAMPLE.deposit.htlc)}#${SAMPLE.input.id}`,
    "base_sepolia/wallet/nonce:0",
  ])
})

test("a plan tells the contradictions between endpoints that it met", async () => {
  const doubts = [{ code: "chain.disagreement", message: "a.example: none; b.example: mined" }]
  for (const approval of [MINED, { status: "pending" } as const, { ...MINED, final: false }])
    expect(await revoke({ approval: { ...approval, doubts } }), approval.status).toMatchObject({
      event: { doubts },
    })
})

test("a pending approval is voided, whatever the present allowance is", async () => {
  expect(await revoke({ approval: { status: "pending" } })).toMatchObject({
    event: { plan: { action: "void" } },
  })
})

test("an approval with a second fee is voided by its last attempt", async () => {
  const signed = [APPROVE, sampleTransaction(samplePlan("approve", 1))]
  expect(await revoke({ approval: { status: "unseen" }, signed })).toMatchObject({
    event: { plan: { action: "void", unsigned: "void of approve 1" } },
  })
})

describe("a plan that the chain's port fails", () => {
  const refused = failure("refused", "evm.unvoidable")
  test("waits where a void is refused", async () => {
    const found = await revoke({ approval: { status: "pending" }, fails: refused })
    expect(found).toMatchObject({
      event: { type: "work.deferred", reasons: [{ code: "evm.unvoidable" }] },
    })
  })

  test.each<readonly [string, Scene, Error]>([
    ["a void for the moment", { approval: { status: "pending" } }, failure("transient")],
    ["a void by a mistake of ours", { approval: { status: "pending" } }, new Error("mistake")],
    ["a revocation in a block of its own", { approval: MINED, left: 5n }, refused],
  ])("stays an error for %s", async (_what, scene, fails) => {
    await expect(revoke({ ...scene, fails })).rejects.toBe(fails)
  })
})

describe("a revocation with the bytes of an earlier order's", () => {
  const approval = { status: "pending" } as const

  test("waits for another nonce once those were sent, and then holds the order", async () => {
    const early = await revoke({ approval, earlier: { sentAt: 1 } })
    expect(early.event).toMatchObject({
      type: "work.deferred",
      reasons: [{ code: "plan.repeated" }],
    })
    const late = await revoke({
      approval,
      earlier: { sentAt: 1 },
      nowMs: SAMPLE.input.createdAt + 600_001,
    })
    expect(late.event).toMatchObject({ type: "order.held", reasons: [{ code: "plan.repeated" }] })
  })

  test("waits also without a record of the send: the process may have died after it", async () => {
    const { event } = await revoke({ approval, earlier: { sentAt: null } })
    expect(event).toMatchObject({ type: "work.deferred", reasons: [{ code: "plan.repeated" }] })
  })
})

describe("an approval with the bytes of an earlier order's", () => {
  const revoked = { ...untouched(), signed: [APPROVE] }
  const landed = {
    purpose: "approve",
    txid: APPROVE.txid,
    ok: true,
    height: 5n,
    final: true,
    feeUnits: 7n,
    heldUnits: 0n,
  } as const

  test("may be signed when those became too late before their first send", () => {
    expect(answerFor({ allowanceCleared: true })).toBe(null)
  })

  test.each([
    ["the allowance is not known to be clear", { allowanceCleared: false }],
    ["they were sent", { allowanceCleared: true, sentAt: 1 }],
    ["the earlier order revoked them", { allowanceCleared: true, revoke: revoked }],
    ["a block shows them", { allowanceCleared: true, mined: [landed] }],
    [
      "a look shows them in a block",
      { allowanceCleared: true, shown: { txid: APPROVE.txid, height: 5n, final: false } },
    ],
  ])("waits when %s", (_why, earlier) => {
    expect(answerFor(earlier)).toMatchObject({
      event: { type: "work.deferred", reasons: [{ code: "plan.repeated" }] },
    })
  })

  test("waits when one of several earlier orders sent them", () => {
    const answer = answerFor({ allowanceCleared: true }, { allowanceCleared: true, sentAt: 1 })
    expect(answer).toMatchObject({ event: { reasons: [{ code: "plan.repeated" }] } })
  })
})

type EarlierApproval = {
  readonly allowanceCleared: boolean
  readonly sentAt?: number
  readonly revoke?: TransactionTrack
  readonly mined?: OrderData["mined"]
  readonly shown?: TransactionTrack["mined"]
}

/** The answer to a plan of the bytes `APPROVE`, after ended orders that signed them. */
function answerFor(...earlier: readonly EarlierApproval[]): WorkResult | null {
  const fresh = createOrderData(SAMPLE.input)
  const snapshots = earlier.map(
    ({ allowanceCleared, sentAt = null, mined = [], shown = null, ...one }) => {
      const approve: TransactionTrack = { plan: null, signed: [APPROVE], sentAt, mined: shown }
      const revocation = one.revoke ?? untouched()
      const transactions = { ...fresh.transactions, approve, revoke: revocation }
      return encodeOrder({
        state: "rejected",
        data: { ...fresh, allowanceCleared, mined, transactions },
      })
    },
  )
  const journal = {
    listSigners: () => earlier.map((_, index) => ({ orderId: String(index), purpose: "approve" })),
    findOrder: (id: string) => ({ snapshot: snapshots[Number(id)] }),
  }
  // CAST: the function reads only this part of the context.
  const context = { journal } as unknown as EngineContext
  const job = {
    context,
    data: fresh,
    repeated: false,
    begin: () => Promise.resolve(),
    nowMs: 0,
  }
  return answerRepeatedBytes(job, "approve", APPROVE.plan)
}

function untouched(): TransactionTrack {
  return { plan: null, signed: [], sentAt: null, mined: null }
}

type RevokeRequest = {
  readonly action: "void" | "approve"
  readonly voids?: { readonly unsigned: string }
}

type Scene = {
  readonly approval: TransactionObservation
  readonly height?: bigint
  readonly tries?: number
  readonly mined?: TransactionTrack["mined"]
  /** The revocation of an earlier order that signed the same bytes. */
  readonly earlier?: { readonly sentAt: number | null } | null
  readonly nowMs?: number
  /** The allowance on chain. */
  readonly left?: bigint
  readonly isLocked?: boolean
  /** The transaction beside the order's own that Ballast signed. */
  readonly ours?: string
  readonly holderState?: string
  readonly alerted?: readonly string[]
  readonly signed?: readonly SignedTransaction[]
  /** Our transactions in blocks. */
  readonly landed?: OrderData["mined"]
  /** The error of the plan. */
  readonly fails?: Error
}

async function revoke({
  approval,
  height = 9n,
  tries = 10,
  mined = null,
  earlier = null,
  nowMs = 0,
  left = 0n,
  isLocked = false,
  ours = "",
  holderState = "funded",
  alerted = [],
  signed = [APPROVE],
  landed = [],
  fails,
}: Scene): Promise<WorkResult> {
  const fresh = createOrderData(SAMPLE.input)
  const approve: TransactionTrack = { plan: null, signed, sentAt: 0, mined }
  const data: OrderData = {
    ...fresh,
    deposit: SAMPLE.deposit,
    tries,
    alerted,
    mined: landed,
    transactions: { ...fresh.transactions, approve },
  }
  const revocation: TransactionTrack = {
    ...fresh.transactions.revoke,
    sentAt: earlier?.sentAt ?? null,
  }
  const earlierData: OrderData = {
    ...fresh,
    transactions: { ...fresh.transactions, revoke: revocation },
  }
  const chain = {
    chain: SAMPLE.deposit.chain,
    account: "wallet",
    observeTransaction: async () => approval,
    fetchHeight: async () => height,
    findMissingApproval: async () => (left === 0n ? null : { setUnits: 0n }),
    planTransaction: async ({ action, voids }: RevokeRequest) => {
      if (fails !== undefined) throw fails
      const plan = { ...samplePlan("revoke", 0), action }
      return voids === undefined ? plan : { ...plan, unsigned: `void of ${voids.unsigned}` }
    },
  }
  // CAST: the performer uses only this part of the context.
  const context = {
    chains: new Map([[chain.chain, chain]]),
    journal: {
      listReserved: () => new Set(),
      findHolder: (resource: string) =>
        isLocked && resource.startsWith("lock/") ? "holder" : null,
      isOurs: (_chain: string, txid: string) => txid === ours,
      readFlag: () => null,
      listSigners: () => (earlier === null ? [] : [{ orderId: "earlier", purpose: "revoke" }]),
      findOrder: (id: string) => ({
        state: id === "holder" ? holderState : "rejected",
        snapshot: encodeOrder({ state: "rejected", data: earlierData }),
      }),
    },
  } as unknown as EngineContext
  return planTransaction("revoke")({
    context,
    data,
    repeated: false,
    begin: () => Promise.resolve(),
    nowMs,
  })
}
