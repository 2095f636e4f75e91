import { beforeEach, describe, expect, test } from "vitest"
import { chainOf } from "#domain/asset.ts"
import { LOCK_BUMPS } from "#domain/redeem-fee-cap.ts"
import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import { broadcastTransaction } from "#engine/orders/deposit/broadcast-transaction.ts"
import { observeTransaction } from "#engine/orders/observe/observe-transaction.ts"
import { decideStake } from "#engine/orders/observe/time-to-redeem.ts"
import { mustExist } from "#lib/assert.ts"
import type { OrderData, TransactionPurpose } from "#order/data.ts"
import { failure } from "../../../support/faults.ts"
import { NOTHING_SEEN, samplePlan, sampleTransaction } from "../../../support/order-sample.ts"
import { emptyLeg, sampleData, sampleJob } from "../../../support/sample-job.ts"

const WAIT = 20_000
const NOW = 1_000_000
const PENDING: TransactionObservation = { status: "pending" }
const UNSEEN: TransactionObservation = { status: "unseen" }

type Scene = {
  readonly kind?: TransactionPurpose
  readonly attempts?: number
  readonly sentAgo?: number | null
  readonly waitsAgo?: number
  readonly isTold?: boolean
  readonly isMined?: boolean
  readonly repeated?: boolean
}

let asked: string[]
let sent: string[]
let most: number
beforeEach(() => {
  asked = []
  sent = []
  most = 0
})

function jobWith(shown: TransactionObservation | null, scene: Scene) {
  const { kind = "redeem", attempts = 1, sentAgo = WAIT + 1, isTold = true } = scene
  const signed = Array.from({ length: attempts }, (_, n) => sampleTransaction(samplePlan(kind, n)))
  const fresh = sampleData({ [kind]: signed })
  const order = mustExist(fresh.serviceOrder, "the order of the sample")
  const data: OrderData = {
    ...fresh,
    serviceOrder: { ...order, destination: { ...order.destination, timelock: 10n ** 6n } },
    policy: { ...fresh.policy, stuckAfterMs: WAIT, redeemStuckAfterMs: WAIT },
    seen: { ...NOTHING_SEEN, payoutLock: { refundableAt: 10n ** 9n, height: 0n, readAt: NOW } },
    // CAST: nothing else of it is read.
    ownSecret: isTold ? ({ status: "revealed", isTold: true } as OrderData["ownSecret"]) : null,
    transactions: {
      ...fresh.transactions,
      [kind]: {
        ...fresh.transactions[kind],
        sentAt: sentAgo === null ? null : NOW - sentAgo,
        ...(scene.waitsAgo === undefined ? {} : { waitsSince: NOW - scene.waitsAgo }),
        mined: scene.isMined === true ? { txid: "a", height: 1n, final: false } : null,
      },
    },
  }
  let open = 0
  const node = {
    chain: kind === "redeem" ? chainOf(fresh.request.to) : chainOf(fresh.request.from),
    observeTransaction: async ({ txid }: SignedTransaction) => {
      asked.push(txid)
      most = Math.max(most, ++open)
      await Promise.resolve()
      open--
      if (shown === null) throw failure("transient", "test.unreachable")
      return shown
    },
    observeLeg: async () => emptyLeg(1n),
    fetchHeight: async () => 1n,
    broadcastTransaction: async ({ txid }: SignedTransaction) => void sent.push(txid),
  }
  const job = sampleJob(data, { chain: node }, { nowMs: NOW, repeated: scene.repeated ?? false })
  const chains = new Map(job.context.chains)
  // CAST: the ports of the sample have only the methods that a test gives.
  chains.set(node.chain, { ...chains.get(node.chain), ...node } as never)
  return { ...job, context: { ...job.context, chains } }
}

async function observe(shown: TransactionObservation | null, scene: Scene): Promise<string> {
  const { kind = "redeem" } = scene
  try {
    const { event } = await observeTransaction(kind)(jobWith(shown, scene))
    return event.type
  } catch (error) {
    return String(Reflect.get(Object(error), "code"))
  }
}

describe("a redemption of a told secret gets its next fee", () => {
  test.each<[string, string, TransactionObservation | null, Scene]>([
    ["at its time, though no node answers", "transaction.stuck", null, {}],
    ["not before its time", "test.unreachable", null, { sentAgo: WAIT }],
    ["not while it was never sent", "test.unreachable", null, { sentAgo: null }],
    ["not when a block holds it", "test.unreachable", null, { isMined: true }],
    ["not while its secret is ours alone", "test.unreachable", null, { isTold: false }],
    ["as no refund does", "test.unreachable", null, { kind: "refund" }],
    [
      "counted from the first sending",
      "transaction.stuck",
      PENDING,
      { waitsAgo: WAIT + 1, sentAgo: 9 },
    ],
    ["not before a bump that was put off", "transaction.pending", PENDING, { waitsAgo: WAIT }],
  ])("%s: %s", async (_name, expected, shown, scene) => {
    expect(await observe(shown, scene)).toBe(expected)
  })
})

describe("bytes that nodes take and drop again", () => {
  test.each<[TransactionPurpose, string]>([
    ["redeem", "transaction.stuck"],
    ["refund", "transaction.stuck"],
    ["void", "transaction.stuck"],
    ["deposit", "transaction.unseen"],
  ])("get a higher fee in time, but for those of a deposit: %s", async (kind, expected) => {
    const scene = { kind, sentAgo: 2_000 }
    expect(await observe(UNSEEN, { ...scene, waitsAgo: WAIT + 1 })).toBe(expected)
    expect(await observe(UNSEEN, { ...scene, waitsAgo: WAIT })).toBe("transaction.unseen")
  })
})

test("a slow node is asked for all older attempts at once", async () => {
  expect(await observe(PENDING, { attempts: 5 })).toBe("transaction.stuck")
  expect([asked.length, most]).toEqual([5, 4])
})

test("the bytes of a told secret leave again though no node answers, and no others", async () => {
  const again = { repeated: true }
  expect((await broadcastTransaction("redeem")(jobWith(null, again))).event.type).toBe(
    "transaction.sent",
  )
  expect(sent).toHaveLength(1)
  for (const scene of [{ ...again, isTold: false }, { ...again, kind: "refund" } as const]) {
    const kind = "kind" in scene ? scene.kind : "redeem"
    await expect(broadcastTransaction(kind)(jobWith(null, scene))).rejects.toThrow()
  }
  expect(sent).toHaveLength(1)
})

test("an offer counts with the lock as it is when the next one is due", () => {
  const data = sampleData()
  const timelock = data.serviceOrder?.destination.timelock ?? 0n
  const stake = decideStake(data, 7n, { refundableAt: 100n + timelock, height: 100n })
  expect(stake).toEqual({ left: timelock - timelock / LOCK_BUMPS, timelock, worthUnits: 7n })
  expect(decideStake(data, 7n, { refundableAt: null, height: 100n }).left).toBeNull()
})
