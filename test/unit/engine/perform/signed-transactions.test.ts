import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { PAUSE_FLAG } from "#domain/pause.ts"
import type {
  SignedTransaction,
  TransactionObservation,
  TransactionPlan,
} from "#domain/transaction.ts"
import { bindPlan } from "#engine/orders/deposit/bind-plan.ts"
import { broadcastTransaction } from "#engine/orders/deposit/broadcast-transaction.ts"
import { planTransaction } from "#engine/orders/deposit/plan-transaction.ts"
import { signTransaction } from "#engine/orders/deposit/sign-transaction.ts"
import { findVanishedDeposit, findVanishedRefund } from "#engine/orders/observe/find-vanished.ts"
import { type Job, sourceChain } from "#engine/orders/observe/job.ts"
import { observeAttempts, observeTransaction } from "#engine/orders/observe/observe-transaction.ts"
import { withDurableCalls } from "#engine/orders/outgoing-calls.ts"
import { AppError } from "#lib/app-error.ts"
import type { OrderData, TransactionPurpose } from "#order/data.ts"
import type { NonceSequence } from "#ports/chain/capabilities.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import { NOTHING_SEEN, samplePlan, sampleTransaction } from "../../../support/order-sample.ts"
import { emptyLeg, sampleData, sampleJob } from "../../../support/sample-job.ts"

const FIRST = sampleTransaction(samplePlan("deposit", 0))
const BUMP = sampleTransaction(samplePlan("deposit", 1))
const VOID = sampleTransaction(samplePlan("void", 0))
const MINED = {
  status: "mined",
  ok: true,
  height: 7n,
  confirmations: 9,
  seen: true,
  final: true,
  feeUnits: 42n,
} as const
const UNSEEN = { status: "unseen" } as const
const PENDING = { status: "pending" } as const
const excluded = (by: string, final: boolean) => ({ status: "excluded", by, final }) as const
const EARLY = 999
const LATE = 1_000
const TRAITS = familyNamed("evm").traits

describe("a transaction with several attempts", () => {
  test("is excluded only when each attempt is, and pending while one is", async () => {
    const statusOf = async (
      first: TransactionObservation,
      bump: TransactionObservation,
    ): Promise<string> => {
      const chain = showing({ [FIRST.txid]: first, [BUMP.txid]: bump })
      return (
        await observeAttempts(sourceChain(sampleJob(sampleData(), { chain })), bumped(), "deposit")
      ).status
    }
    const gone = excluded("rival", true)
    expect(await statusOf(gone, gone)).toBe("excluded")
    expect([await statusOf(gone, PENDING), await statusOf(PENDING, gone)]).toEqual([
      "pending",
      "pending",
    ])
    expect([await statusOf(gone, UNSEEN), await statusOf(UNSEEN, gone)]).toEqual([
      "unseen",
      "unseen",
    ])
    expect([await statusOf(gone, MINED), await statusOf(MINED, gone)]).toEqual(["mined", "mined"])
  })
})

describe("an observed exclusion", () => {
  test("waits until its rival is final", async () => {
    const journal = { isOurs: () => true }
    const observeWith = async (final: boolean) =>
      (await observe("deposit", { [FIRST.txid]: excluded(VOID.txid, final) }, journal)).type
    expect([await observeWith(false), await observeWith(true)]).toEqual([
      "transaction.pending",
      "transaction.excluded",
    ])
  })

  test.each(["approve", "deposit", "void", "revoke"] as const)(
    "of our %s by a transaction that we did not sign holds the order, once it is final",
    async (kind) => {
      const txid = sampleTransaction(samplePlan(kind, 0)).txid
      const observeWith = (final: boolean) => observe(kind, { [txid]: excluded("rival", final) })
      expect(await observeWith(false)).toEqual({ type: "transaction.pending" })
      const reasons = [{ code: "transaction.foreign_rival", by: "rival" }]
      expect(await observeWith(true)).toMatchObject({ type: "order.held", reasons })
    },
  )

  test(
    "of a refund by a transaction that we did not sign is no alarm: the service may have " +
      "redeemed",
    async () => {
      const txid = sampleTransaction(samplePlan("refund", 0)).txid
      expect(await observe("refund", { [txid]: excluded("rival", true) })).toMatchObject({
        type: "transaction.excluded",
      })
    },
  )

  test("of a deposit that expired needs no rival", async () => {
    const seen = { [FIRST.txid]: excluded("expired", true) }
    expect(await observe("deposit", seen)).toMatchObject({
      type: "transaction.excluded",
      by: "expired",
    })
  })
})

describe("a void", () => {
  test("is neither planned nor waited for once its deposit is in a block", async () => {
    const chain = {
      ...showing({ [FIRST.txid]: MINED, [VOID.txid]: PENDING }),
      planTransaction: async () => VOID.plan,
    }
    const job = jobOf("void", chain)
    expect((await observeTransaction("void")(job)).event).toEqual({ type: "deposit.unsettled" })
    expect((await planTransaction("void")(job)).event).toEqual({ type: "deposit.unsettled" })
  })

  test("is planned while its deposit may land", async () => {
    for (const seen of [UNSEEN, PENDING, excluded("rival", false)]) {
      const chain = { ...showing({ [FIRST.txid]: seen }), planTransaction: async () => VOID.plan }
      expect((await planTransaction("void")(jobOf("void", chain))).event).toMatchObject({
        type: "transaction.planned",
      })
    }
  })

  test("that the node refuses to plan waits for gas, and never ends the order", async () => {
    const refused = [{ code: "chain.simulation", message: "reverts" }]
    const chain = {
      ...showing({ [FIRST.txid]: UNSEEN }),
      planTransaction: async () => ({ refused }),
    }
    const early = await planTransaction("void")(jobOf("void", chain))
    expect(early.event).toMatchObject({ type: "work.deferred", reasons: refused })
    const late = await planTransaction("void")(jobOf("void", chain, { nowMs: 600_001 }))
    expect(late.event).toMatchObject({
      type: "order.held",
      reasons: [{ code: "void.unaffordable" }, ...refused],
    })
  })
})

describe("a signed transaction that is sent", () => {
  test("is recorded as begun before each send, whatever its purpose is", async () => {
    for (const kind of ["approve", "deposit", "void", "refund", "revoke"] as const)
      expect((await send(kind, { nowMs: EARLY })).done).toEqual(["begin", "send"])
  })

  test("reads the chain first when it may be out already", async () => {
    expect(await send("approve", { nowMs: EARLY, repeated: true })).toMatchObject({
      done: ["look", "begin", "send"],
    })
    const again = await send("deposit", { nowMs: EARLY, sentAt: 1 })
    expect(again.done).toEqual(["look", "begin", "send"])
    const known = await send("approve", { nowMs: EARLY, repeated: true, seen: MINED })
    expect(known).toMatchObject({ done: ["look"], event: { type: "transaction.mined" } })
  })

  test("does not go out late, and an approval counts as unsent only where no node can have it", async () => {
    expect(await send("deposit", { nowMs: LATE })).toEqual({
      done: [],
      event: { type: "transaction.late" },
    })
    expect(await send("approve", { nowMs: LATE })).toEqual({
      done: [],
      event: { type: "transaction.late", unsent: true },
    })
    for (const again of [{ repeated: true }, { sentAt: 1 }])
      expect((await send("approve", { nowMs: LATE, ...again })).event).toEqual({
        type: "transaction.late",
      })
  })

  test("waits in a pause before its first send, if it leads to a deposit", async () => {
    for (const kind of ["approve", "deposit"] as const) {
      const { done, event } = await send(kind, { nowMs: EARLY, paused: true })
      expect({ done, type: event.type }).toEqual({ done: [], type: "work.deferred" })
      expect((await send(kind, { nowMs: EARLY, paused: true, sentAt: 1 })).done).toEqual([
        "look",
        "begin",
        "send",
      ])
    }
    expect((await send("refund", { nowMs: EARLY, paused: true })).done).toEqual(["begin", "send"])
  })

  test("is not sent when another order's alarm pauses everything while the disk is slow", async () => {
    for (const kind of ["approve", "deposit"] as const) {
      const { done, event } = await send(kind, { nowMs: EARLY, pausedByDisk: true })
      expect({ done, type: event.type }).toEqual({ done: ["begin"], type: "work.deferred" })
    }
    expect((await send("refund", { nowMs: EARLY, pausedByDisk: true })).done).toEqual([
      "begin",
      "send",
    ])
  })

  test("is voided when every node refuses the deposit, because a node may accept it later", async () => {
    const error = new AppError({ code: "chain.refused", disposition: "refused", message: "no" })
    expect((await send("deposit", { nowMs: EARLY, error })).event).toEqual({
      type: "transaction.late",
    })
    await expect(send("approve", { nowMs: EARLY, error })).rejects.toBe(error)
  })

  test("stays unsent when the service has settled the order in the meantime", async () => {
    const settled = {
      source: { refundTx: "refund", redeemTx: null },
      destination: { refundTx: null },
    }
    expect(await send("deposit", { nowMs: EARLY, repeated: true, settled })).toEqual({
      done: ["look"],
      event: { type: "transaction.late" },
    })
  })
})

describe("a fact that vanished", () => {
  const mined = { txid: FIRST.txid, height: 7n, final: true }

  test("holds the order if it was final, with its block", async () => {
    const gone = async (final: boolean) => {
      const job = jobOf("deposit", showing({ [FIRST.txid]: UNSEEN }), {}, { ...mined, final })
      return (await findVanishedDeposit(job, sourceChain(job), emptyLeg(9n)))?.event
    }
    expect(await gone(false)).toEqual({ type: "deposit.unsettled" })
    const reasons = [
      { code: "chain.final_fact_gone", what: "deposit", txid: FIRST.txid, height: "7" },
    ]
    expect(await gone(true)).toMatchObject({ type: "deposit.unsettled", reasons })
  })

  test("is known by the HTLC alone where a relay made the deposit", async () => {
    const sourceInitiated = { txid: "relayed", height: 7n, final: true, at: 1 }
    const job = sampleJob(sampleData({}, { seen: { ...NOTHING_SEEN, sourceInitiated } }), {})
    const found = await findVanishedDeposit(job, sourceChain(job), emptyLeg(9n))
    expect(found?.event).toMatchObject({
      reasons: [{ code: "chain.final_fact_gone", txid: "relayed" }],
    })
  })

  test("is no refund without agreement, or at a node below its block", async () => {
    const txid = sampleTransaction(samplePlan("refund", 0)).txid
    const open = {
      ...emptyLeg(9n),
      initiated: {
        txid: "in",
        height: 5n,
        confirmations: 1,
        seen: true,
        revealable: true,
        final: true,
        units: 1n,
      },
    }
    const gone = async (leg: LegObservation, seen: TransactionObservation = UNSEEN) => {
      const job = jobOf("refund", showing({ [txid]: seen }), {}, { ...mined, txid })
      return (await findVanishedRefund(job, sourceChain(job), leg))?.event.type ?? null
    }
    expect(await gone(open)).toBe("refund.unsettled")
    expect(await gone({ ...open, agreed: false })).toBeNull()
    expect(await gone({ ...open, height: 6n })).toBeNull()
    expect(await gone(open, MINED)).toBeNull()
  })
})

describe("a plan that is bound to its nonce", () => {
  test("avoids the nonces of other orders, and those of its own order", async () => {
    const { taken } = await bind((plan) => plan)
    expect(taken).toEqual(["nonce:3", "nonce:4"])
  })

  test("keeps everything but its nonce", async () => {
    const nonce = (plan: TransactionPlan): TransactionPlan => ({
      ...plan,
      resources: ["nonce:5"],
      unsigned: "5",
    })
    expect((await bind(nonce)).bound).toMatchObject({ resources: ["nonce:5"] })
    const changes: readonly Partial<TransactionPlan>[] = [
      { maxFeeUnits: 2n },
      { account: "other" },
      { action: "refund" },
      { attempt: 1 },
      { spends: [{ asset: sampleData().request.from, units: 1n }] },
    ]
    for (const change of changes)
      await expect(bind((plan) => ({ ...plan, ...change }))).rejects.toThrow("binding")
  })

  test("is signed again after a restart with the nonce of its claim", async () => {
    const known = { ...samplePlan("deposit", 0), resources: ["nonce:5"], digest: "bound" }
    const { signed, registered } = await sign({ plan: known, digest: "bound", attempt: 0 })
    expect(signed).toEqual([known])
    expect(registered).toMatchObject([
      { digest: "bound", resources: ["nonce:5"], reserve: [expect.stringMatching(/5$/)] },
    ])
    // Without a claim the nonce is asked for, and reserved with the claim.
    const fresh = await sign(null)
    expect(fresh.signed).toMatchObject([{ resources: ["nonce:9"] }])
    expect(fresh.registered).toMatchObject([
      { resources: ["nonce:9"], reserve: [expect.stringMatching(/9$/)] },
    ])
  })

  test("is not signed late, unless its claim may have led to a signature", async () => {
    expect(await sign(null, LATE)).toMatchObject({ signed: [], event: { type: "order.declined" } })
    const known = { ...samplePlan("deposit", 0), resources: ["nonce:5"], digest: "bound" }
    expect(await sign({ plan: known, digest: "bound", attempt: 0 }, LATE)).toMatchObject({
      signed: [known],
    })
  })
})

function bumped(): OrderData {
  return sampleData({ deposit: [FIRST, BUMP] })
}

function showing(seen: Readonly<Record<string, TransactionObservation>>): Partial<ChainPort> {
  return { observeTransaction: async ({ txid }: SignedTransaction) => seen[txid] ?? UNSEEN }
}

/** An order with a signed deposit and one signed transaction of this kind. */
function jobOf(
  kind: TransactionPurpose,
  chain: Partial<ChainPort>,
  over: { nowMs?: number } = {},
  mined: OrderData["transactions"]["deposit"]["mined"] = null,
): Job {
  const signed = [sampleTransaction(samplePlan(kind, 0))]
  const data = sampleData({ deposit: [FIRST], [kind]: signed })
  const transactions = { ...data.transactions, [kind]: { ...data.transactions[kind], mined } }
  const journal = { listReserved: () => new Set<string>(), listSigners: () => [] }
  return sampleJob(
    { ...data, transactions },
    { chain: { traits: TRAITS, ...chain }, journal },
    over,
  )
}

async function observe(
  kind: TransactionPurpose,
  seen: Readonly<Record<string, TransactionObservation>>,
  journal: { isOurs?: () => boolean } = {},
) {
  const data = sampleData({ [kind]: [sampleTransaction(samplePlan(kind, 0))] })
  return (await observeTransaction(kind)(sampleJob(data, { chain: showing(seen), journal }))).event
}

type Send = {
  readonly nowMs: number
  readonly repeated?: boolean
  readonly paused?: boolean
  /** The journal waits for the disk after the beginning, and a pause is written meanwhile. */
  readonly pausedByDisk?: boolean
  readonly sentAt?: number | null
  readonly seen?: TransactionObservation
  readonly error?: Error
  readonly settled?: object
}

async function send(
  kind: TransactionPurpose,
  {
    sentAt = null,
    seen = UNSEEN,
    error,
    settled,
    paused = false,
    pausedByDisk = false,
    ...over
  }: Send,
) {
  const done: string[] = []
  const data = sampleData({ [kind]: [sampleTransaction(samplePlan(kind, 0))] })
  const track = { ...data.transactions[kind], sentAt }
  const chain: Partial<ChainPort> = {
    observeTransaction: async () => {
      done.push("look")
      return seen
    },
    broadcastTransaction: async () => {
      done.push("send")
      if (error) throw error
    },
  }
  const open = { source: { refundTx: null, redeemTx: null }, destination: { refundTx: null } }
  // CAST: the performer reads only these fields of the order.
  const service = { fetchOrder: async () => (settled ?? open) as never }
  const order = { ...data, transactions: { ...data.transactions, [kind]: track } }
  const { txid } = sampleTransaction(samplePlan(kind, 0))
  const sent = { atMs: 1, type: "transaction.sent", state: "", body: JSON.stringify({ txid }) }
  const pause = "2026-01-01T00:00:00Z"
  const disk = { isPending: pausedByDisk, pause: paused ? pause : null }
  const journal = {
    listEvents: () => (sentAt === null ? [] : [sent]),
    isPending: () => disk.isPending,
    durable: async () => void Object.assign(disk, { isPending: false, pause }),
    readFlag: (key: string) => (key === PAUSE_FLAG ? disk.pause : null),
  }
  const job = sampleJob(
    order,
    { chain, service, journal },
    { ...over, begin: async () => void done.push("begin") },
  )
  const context = withDurableCalls(job.context)
  return { event: (await broadcastTransaction(kind)({ ...job, context })).event, done }
}

async function bind(change: (plan: TransactionPlan) => TransactionPlan) {
  const taken: string[] = []
  const nonces: NonceSequence = {
    bindPlan: async (plan, reserved) => {
      taken.push(...reserved)
      return change(plan)
    },
    takeNonce: async () => null,
  }
  const { chain: source } = samplePlan("deposit", 0)
  // The same account of another chain has its own nonces.
  const other = { chain: "ethereum_sepolia", account: "wallet", resources: ["nonce:9"] }
  const own = [{ chain: source, account: "wallet", resources: ["nonce:4"] }, other]
  // CAST: the function reads only these fields of a signature.
  const journal = { listReserved: () => new Set(["nonce:3"]), listOf: () => own as never }
  const bound = await bindPlan(
    sampleJob(sampleData(), { chain: { nonces }, journal }),
    samplePlan("deposit", 0),
  )
  return { bound, taken }
}

/** Signs the planned deposit of an order with this open claim. */
async function sign(
  claim: { plan: TransactionPlan; digest: string; attempt: number } | null,
  nowMs = EARLY,
) {
  const signed: TransactionPlan[] = []
  const registered: object[] = []
  const chain: Partial<ChainPort> = {
    nonces: {
      bindPlan: async (plan) => ({ ...plan, resources: ["nonce:9"] }),
      takeNonce: async () => null,
    },
    signTransaction: async (plan) => {
      signed.push(plan)
      return sampleTransaction(plan)
    },
  }
  const journal = {
    // CAST: the performer reads only these fields of a claim.
    findOpenClaim: () => claim as never,
    claimSignature: (row: object) => void registered.push(row),
    listReserved: () => new Set<string>(),
    listOf: () => [],
    listSigners: () => [],
  }
  const data = sampleData()
  const deposit = { ...data.transactions.deposit, plan: samplePlan("deposit", 0) }
  const job = sampleJob(
    { ...data, transactions: { ...data.transactions, deposit } },
    { chain, journal },
    { nowMs },
  )
  return { event: (await signTransaction("deposit")(job)).event, signed, registered }
}
