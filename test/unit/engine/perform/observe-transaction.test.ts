import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import { bumpWaitMs, observeTransaction } from "#engine/orders/observe/observe-transaction.ts"
import type { WorkResult } from "#engine/orders/stepper.ts"
import type { OrderData, TransactionPurpose } from "#order/data.ts"
import type { ChainPort } from "#ports/chain.ts"
import { samplePlan, sampleTransaction } from "../../../support/order-sample.ts"
import { emptyLeg, sampleData, sampleJob } from "../../../support/sample-job.ts"

const DEPOSIT = sampleTransaction(samplePlan("deposit", 0))
const VOID = sampleTransaction(samplePlan("void", 0))
const EXCLUDED: TransactionObservation = { status: "excluded", by: VOID.txid, final: true }
const DOUBTS = [{ code: "chain.disagreement", message: "one: none; other: mined" }]
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

describe("a deposit beside its void", () => {
  const at = (over: object) => ({ purpose: "void", txid: VOID.txid, final: true, ...over })
  test.each<readonly [string, TransactionObservation, readonly object[], string]>([
    ["a final void in the books is not asked for again", EXCLUDED, [at({})], "deposit"],
    ["a void that is not final is", EXCLUDED, [at({ final: false })], "deposit void"],
    ["the void is, where another one is final", EXCLUDED, [at({ txid: "x" })], "deposit void"],
    ["a deposit in a shallow block asks for none", { ...MINED, final: false }, [], "deposit"],
    ["a deposit in a final block excludes a void of its nonce", MINED, [], "deposit"],
  ])("%s", async (_what, shown, mined, expected) => {
    const asked: string[] = []
    const chain = {
      observeTransaction: async ({ txid }: SignedTransaction) => {
        asked.push(txid === DEPOSIT.txid ? "deposit" : "void")
        return txid === DEPOSIT.txid ? shown : MINED
      },
    }
    const journal = { isOurs: () => true }
    // CAST: the rows of the books that the performer reads.
    const known = { mined: mined as unknown as OrderData["mined"] }
    const data = sampleData({ deposit: [DEPOSIT], void: [VOID] }, known)
    await observeTransaction("deposit")(sampleJob(data, { chain, journal }))
    expect(asked.join(" ")).toBe(expected)
  })
})

test("the leg of a deposit is read only where its chain did not answer before", async () => {
  const ask = async (isUnread: boolean): Promise<number> => {
    let asked = 0
    const chain = {
      traits: familyNamed("evm").traits,
      observeTransaction: async (): Promise<TransactionObservation> => ({ status: "pending" }),
      observeLeg: async () => {
        asked += 1
        return emptyLeg(9n)
      },
    }
    const job = sampleJob(sampleData({ deposit: [DEPOSIT] }), { chain })
    const { id, request } = job.data
    const leg = { orderId: id, side: "source", from: request.from, to: request.to } as const
    const failed = { ...leg, sinceMs: 0, cause: "evm.unreachable", isKept: false }
    job.context.memory.unreadLegs = new Map(isUnread ? [[`${id}/source`, failed]] : [])
    await observeTransaction("deposit")(job)
    return asked
  }
  expect([await ask(false), await ask(true)]).toEqual([0, 1])
})

test.each<[string, TransactionPurpose, TransactionObservation, boolean]>([
  ["a deposit in a block", "deposit", MINED, true],
  ["one in a block by one endpoint alone", "deposit", { ...MINED, isAlone: true }, false],
  ["one that failed in its block", "deposit", { ...MINED, ok: false }, false],
  ["one without a block", "deposit", { status: "pending" }, false],
  ["a refund in a block", "refund", MINED, false],
])("%s is a look at the source: %s %o %s", async (_name, purpose, seen, counts) => {
  const chain = { traits: familyNamed("evm").traits, observeTransaction: async () => seen }
  const job = sampleJob(sampleData({ [purpose]: [DEPOSIT] }), { chain })
  await observeTransaction(purpose)(job)
  expect(job.context.memory.legReads.get(job.data.id)).toBe(counts ? job.nowMs : undefined)
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

describe("a sent transaction", () => {
  const SENT = 10_000
  const STUCK = sampleData().policy.stuckAfterMs
  const { plan: approvePlan } = sampleTransaction(samplePlan("approve", 0))
  type Scene = {
    readonly attempts?: number
    readonly sentAt?: number | null
    readonly now?: number
    readonly sendUntilMs?: number
    readonly asksFor?: "mined" | "seen"
    readonly paired?: TransactionObservation
    readonly mined?: OrderData["mined"]
  }

  /** The event for what the node shows of each attempt, the last one first. */
  async function observe(
    purpose: TransactionPurpose,
    shown: readonly TransactionObservation[],
    { attempts = 1, sentAt = SENT, now = SENT + 1_000, sendUntilMs = 10 ** 9, ...rest }: Scene = {},
  ): Promise<string> {
    const signed = Array.from({ length: attempts }, (_, n) =>
      sampleTransaction(samplePlan(purpose, n)),
    )
    const approve = sampleTransaction(approvePlan)
    const pair = rest.paired === undefined ? {} : { approve: [approve] }
    const data = sampleData(
      { ...pair, [purpose]: signed },
      { sendUntilMs, mined: rest.mined ?? [] },
    )
    const transactions = {
      ...data.transactions,
      [purpose]: { ...data.transactions[purpose], sentAt },
      ...(rest.paired === undefined
        ? {}
        : { approve: { ...data.transactions.approve, isPaired: true } }),
    }
    const asked: string[] = []
    const chain = {
      // CAST: no other trait is asked for.
      traits: { deadlineAsksFor: rest.asksFor ?? "seen" } as ChainPort["traits"],
      observeTransaction: async ({ txid }: SignedTransaction) => {
        if (rest.paired !== undefined && txid === approve.txid) return rest.paired
        asked.push(txid)
        return shown[asked.length - 1] ?? { status: "unseen" as const }
      },
    }
    const job = sampleJob({ ...data, transactions }, { chain }, { nowMs: now })
    const { event } = await observeTransaction(purpose)(job)
    const wait = "waitMs" in event ? ` ${event.waitMs}` : ""
    const doubts = event.doubts === undefined ? "" : ` (${event.doubts.length})`
    return `${event.type.replace("transaction.", "")}${wait}${doubts} ${asked.length}`
  }

  const PENDING = { status: "pending" } as const
  const UNSEEN = { status: "unseen" } as const
  const late = { sendUntilMs: SENT }
  test.each<[string, string, TransactionPurpose, readonly TransactionObservation[], Scene?]>([
    ["in a block", "mined 1", "deposit", [MINED]],
    ["that no node shows", "unseen 1", "deposit", [UNSEEN]],
    ["that no node shows yet", "work.deferred 1000 1", "deposit", [UNSEEN], { now: SENT + 999 }],
    [
      "that no node shows, after a clock set back",
      "unseen 1",
      "deposit",
      [UNSEEN],
      { now: SENT - 1 },
    ],
    ["that no node shows, and was never sent", "unseen 1", "deposit", [UNSEEN], { sentAt: null }],
    ["that waits", "pending 1", "deposit", [PENDING], { now: SENT + STUCK }],
    ["that waits for long", "stuck 1", "deposit", [PENDING], { now: SENT + STUCK + 1 }],
    [
      "that was sent before the clock was set back for long",
      "stuck 1",
      "deposit",
      [PENDING],
      { now: SENT - STUCK - 1 },
    ],
    [
      "that was sent before the clock was set back",
      "pending 1",
      "deposit",
      [PENDING],
      { now: SENT - STUCK },
    ],
    [
      "that waits for long, and was never sent",
      "pending 1",
      "deposit",
      [PENDING],
      { sentAt: null, now: 10 ** 8 },
    ],
    [
      "that waits with its second fee",
      "pending 2",
      "deposit",
      [PENDING, UNSEEN],
      { attempts: 2, now: SENT + 2 * STUCK },
    ],
    [
      "that waits for long with its second fee",
      "stuck 2",
      "deposit",
      [PENDING, UNSEEN],
      { attempts: 2, now: SENT + 2 * STUCK + 1 },
    ],
    ["whose first attempt is in a block", "mined 2", "deposit", [PENDING, MINED], { attempts: 2 }],
    ["whose last attempt is in a block", "mined 1", "deposit", [MINED, EXCLUDED], { attempts: 2 }],
    ["with an excluded attempt", "pending 2", "deposit", [EXCLUDED, PENDING], { attempts: 2 }],
    [
      "with an excluded and an unseen attempt",
      "unseen 2",
      "deposit",
      [EXCLUDED, UNSEEN],
      { attempts: 2 },
    ],
    ["that may be excluded", "pending 1", "refund", [{ ...EXCLUDED, final: false }]],
    ["that a stranger's excludes", "excluded 1", "refund", [{ ...EXCLUDED, by: "x" }]],
    ["of ours that a stranger's excludes", "order.held 1", "deposit", [{ ...EXCLUDED, by: "x" }]],
    [
      "of ours that a stranger's may exclude",
      "pending 1",
      "deposit",
      [{ ...EXCLUDED, by: "x", final: false }],
    ],
    [
      "with doubts in each attempt",
      "pending (2) 2",
      "deposit",
      [
        { ...PENDING, doubts: DOUBTS },
        { ...UNSEEN, doubts: DOUBTS },
      ],
      { attempts: 2 },
    ],
    ["an approval that is too late", "late 1", "approve", [PENDING], late],
    ["an approval that is too late and not seen", "late 1", "approve", [UNSEEN], late],
    ["an approval in a block in the end", "mined 1", "approve", [MINED], late],
    [
      "a deposit that is too late to be mined",
      "late 1",
      "deposit",
      [PENDING],
      { ...late, asksFor: "mined" },
    ],
    ["a deposit that is too late, and seen", "pending 1", "deposit", [PENDING], late],
    [
      "a refund when deposits are too late",
      "pending 1",
      "refund",
      [PENDING],
      { ...late, asksFor: "mined" },
    ],
    ["a deposit whose approval is gone", "unseen 1", "deposit", [PENDING], { paired: UNSEEN }],
    ["a deposit whose approval waits", "pending 1", "deposit", [PENDING], { paired: PENDING }],
    [
      "a deposit that was just sent with its approval",
      "pending 1",
      "deposit",
      [PENDING],
      { paired: UNSEEN, now: SENT + 999 },
    ],
    ["a void", "pending 1", "void", [PENDING]],
  ])("%s: %s", async (_name, expected, purpose, shown, scene) => {
    expect(await observe(purpose, shown, scene)).toBe(expected)
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
  const chain = {
    observeTransaction: async ({ txid }: SignedTransaction) =>
      txid === DEPOSIT.txid ? EXCLUDED : voidSeen,
  }
  const journal = { isOurs: (_chain: string, txid: string) => txid === VOID.txid }
  const data = sampleData({ deposit: [DEPOSIT], void: [VOID] })
  return observeTransaction("deposit")(sampleJob(data, { chain, journal }, { repeated: true }))
}

describe("the wait for a higher fee", () => {
  const { policy } = sampleData()
  const lockMs = 24 * 3 * policy.stuckAfterMs
  const seconds = policy.timelocks.destination.secondsPerUnit
  const serviceOrder = {
    destination: { timelock: BigInt(Math.round(lockMs / 1_000 / seconds)) },
  }
  function waitOf(kind: TransactionPurpose, redeemStuckAfterMs?: number): number {
    const own = redeemStuckAfterMs === undefined ? {} : { redeemStuckAfterMs }
    // CAST: the parts that the wait reads.
    const data = { policy: { ...policy, ...own }, serviceOrder } as unknown as OrderData
    return bumpWaitMs(data, kind, 2)
  }

  test("of a redemption is the destination's, and the one of a deposit the source's", () => {
    expect(waitOf("redeem", 2 * policy.stuckAfterMs)).toBe(2 * policy.stuckAfterMs)
    expect(waitOf("refund", 7)).toBe(2 * policy.stuckAfterMs)
  })

  test("of an older order's redemption is the source's, and never above a share of the lock", () => {
    expect(waitOf("redeem")).toBe(policy.stuckAfterMs)
    expect(waitOf("redeem", lockMs)).toBeCloseTo(lockMs / 24, -4)
  })
})
