import { describe, expect, test } from "vitest"
import { PAUSE_FLAG } from "#domain/pause.ts"
import type {
  SignedTransaction,
  TransactionObservation,
  TransactionPlan,
} from "#domain/transaction.ts"
import type { EngineContext } from "#engine/context.ts"
import { createMemory } from "#engine/memory.ts"
import { createGapFiller } from "#engine/watches/gap-filler.ts"
import { createRounds } from "#engine/watches/watch.ts"
import type { OrderData, OwnSecret, TransactionPurpose } from "#order/data.ts"
import type { StateName } from "#order/states.ts"
import { encodeOrder } from "#order/step.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { Journal } from "#ports/journal.ts"
import { failure } from "../../support/faults.ts"
import { SAMPLE, samplePlan, sampleTransaction } from "../../support/order-sample.ts"
import { sampleData } from "../../support/sample-job.ts"

const { chain } = SAMPLE.deposit
const HELD = { ...samplePlan("deposit", 0), resources: ["nonce:1"] }
const WAITING = { ...samplePlan("refund", 0), resources: ["nonce:2"] }
const FILL = { ...samplePlan("void", 0), resources: ["nonce:1"] }
const SEEN: Readonly<Record<string, TransactionObservation>> = { refund: { status: "pending" } }

describe("a nonce of a held order, with a refund behind it,", () => {
  test(
    "is filled after half a minute, by a transaction that is claimed and reserved before the " +
      "key signs",
    async () => {
      const { poll, done, registered } = scene()
      await poll(0)
      await poll(20_000)
      expect(done).toEqual([])
      await poll(30_000)
      expect(done).toEqual(["plan", "claim", "sign", "store", "alert", "send"])
      expect(registered).toMatchObject([
        { orderId: "held", purpose: "fill/nonce:1", resources: ["nonce:1"] },
      ])
      expect(registered[0]).toMatchObject({ reserve: [expect.stringMatching(/nonce:1$/)] })
    },
  )

  test("is filled with the claim of the process before this one", async () => {
    const open = row({ orderId: "held", purpose: "fill/nonce:1", plan: FILL, digest: "claimed" })
    const { poll, done, registered } = scene({ rows: [open] })
    await poll(0)
    await poll(30_000)
    expect(done).toEqual(["claim", "sign", "store", "alert", "send"])
    expect(registered).toMatchObject([{ digest: FILL.digest }])
  })

  test("is no gap while a node has its transaction, or a block has a later nonce", async () => {
    const signed = row({ orderId: "held", purpose: "deposit", plan: HELD, ...bytesOf(HELD) })
    for (const seen of [
      { [HELD.digest]: { status: "pending" } as const, ...SEEN },
      { refund: { status: "excluded", by: "rival", final: false } as const },
    ]) {
      const { poll, done } = scene({ held: signed, seen })
      for (const ms of [0, 30_000, 60_000]) await poll(ms)
      expect(done).toEqual([])
    }
  })

  test("is filled by no bytes that reach a deposit", async () => {
    const signed = row({ orderId: "held", purpose: "deposit", plan: HELD, ...bytesOf(HELD) })
    const { poll, done } = scene({ held: signed })
    await poll(0)
    await poll(30_000)
    expect(done).toEqual(["plan", "claim", "sign", "store", "alert", "send"])
  })

  test("is filled by its own bytes if those protect funds", async () => {
    const plan = { ...samplePlan("revoke", 0), resources: ["nonce:1"] }
    const { poll, done } = scene({
      held: row({ orderId: "held", purpose: "revoke", plan, ...bytesOf(plan) }),
    })
    await poll(0)
    await poll(30_000)
    expect(done).toEqual(["send"])
  })
})

describe("a nonce of a burn with a voucher that a reorganisation dropped", () => {
  const burn = row({ orderId: "held", purpose: "deposit", plan: HELD, ...bytesOf(HELD) })
  const isBurnt = true

  test.each(["settling", "held"] as const)(
    "gets its own bytes, because nothing else may have it (%s)",
    async (state) => {
      const { poll, done } = scene({ held: burn, state, sent: ["deposit"], isBurnt })
      await poll(0)
      await poll(30_000)
      expect(done).toEqual(["send"])
    },
  )

  test.each<[StateName, boolean, Scene]>([
    ["redeem-planning", true, {}],
    ["redeem-confirming", true, { hasNonces: false }],
    ["redeem-planning", false, { seen: { [HELD.digest]: { status: "pending" } } }],
    ["redeem-planning", false, { isBurnt: false }],
    ["redeem-planning", false, { held: row({ orderId: "held", purpose: "deposit", plan: HELD }) }],
    ["redeem-planning", false, { hasRoutes: false }],
    ["funded", false, { hasNonces: false }],
    ["deposit-confirming", false, { hasNonces: false }],
    ["completed", false, {}],
  ])(
    "is sent while its order works on the payout, also without nonces (%s: %s)",
    async (state, isSent, over) => {
      const given = { held: burn, waiting: null, state, sent: ["deposit"], isBurnt } as const
      const { poll, done } = scene({ ...given, ...over })
      await poll(0)
      expect(done).toEqual([])
      await poll(10_000)
      expect(done).toEqual(isSent ? ["send"] : [])
    },
  )

  test("is tried again where its chain refuses it or cannot be read", async () => {
    const given = { held: burn, waiting: null, sent: ["deposit"], isBurnt } as const
    for (const fault of ["read", "send"] as const) {
      const { poll, done } = scene({ ...given, state: "redeem-planning", fault })
      for (const ms of [10_000, 20_000]) await poll(ms)
      expect(done).toEqual([fault, fault])
    }
  })

  test("is filled once the order is over", async () => {
    const { poll, done } = scene({ held: burn, state: "abandoned", sent: ["deposit"], isBurnt })
    for (const ms of [0, 30_000]) await poll(ms)
    expect(done).toContain("sign")
  })
})

describe("a nonce of a paused order, whose deposit one node reported as waiting,", () => {
  const signed = sampleTransaction(HELD)
  const sent = { type: "transaction.sent", body: JSON.stringify({ txid: signed.txid }) }
  const deposit = row({ orderId: "paused", purpose: "deposit", plan: HELD, ...bytesOf(HELD) })

  test("is a gap if the order's own events know of no send, as `broadcastTransaction` sees it", async () => {
    const { poll, done } = scene({ held: deposit, pause: "x", events: [] })
    await poll(0)
    await poll(30_000)
    expect(done).toEqual(["plan", "claim", "sign", "store", "alert", "send"])
  })

  test("is no gap after a send", async () => {
    const { poll, done } = scene({ held: deposit, pause: "x", events: [sent] })
    for (const ms of [0, 30_000, 60_000]) await poll(ms)
    expect(done).toEqual([])
  })
})

describe("a nonce that an order claimed for a deposit and left without bytes", () => {
  const unsigned = row({ orderId: "held", purpose: "deposit", plan: HELD })
  const plan = { ...samplePlan("revoke", 0), resources: ["nonce:2"] }
  const revoke = row({ orderId: "held", purpose: "revoke", plan, ...bytesOf(plan) })

  test.each(["revoke-confirming", "held"] as const)(
    "is filled when the order's own revocation waits behind it (%s)",
    async (state) => {
      const { poll, done, registered } = scene({
        held: unsigned,
        waiting: revoke,
        state,
        sent: ["revoke"],
      })
      await poll(0)
      await poll(30_000)
      expect(done).toEqual(["plan", "claim", "sign", "store", "alert", "send"])
      expect(registered).toMatchObject([{ purpose: "fill/nonce:1" }])
    },
  )

  test(
    "is filled when a mempool has the revocation of a held order, although a crash prevented " +
      "the record of its sending",
    async () => {
      const pending = { [plan.action]: { status: "pending" } } as const
      const { poll, done } = scene({ held: unsigned, waiting: revoke, seen: pending })
      for (const ms of [0, 30_000]) await poll(ms)
      expect(done).toContain("send")
      const unsent = scene({ held: unsigned, waiting: revoke, seen: {} })
      for (const ms of [0, 30_000]) await unsent.poll(ms)
      expect(unsent.done).toEqual([])
    },
  )

  test("is filled while the cluster's log is silent, because the order signs nothing then", async () => {
    const refund = row({ orderId: "waits", purpose: "refund", plan: WAITING, ...bytesOf(WAITING) })
    const { poll, done } = scene({
      held: unsigned,
      waiting: refund,
      state: "deposit-signing",
      isLogSilent: true,
    })
    await poll(0)
    await poll(30_000)
    expect(done).toEqual(["plan", "claim", "sign", "store", "alert", "send"])
  })

  test("is left to the order while that is about to sign", async () => {
    const { poll, done } = scene({
      held: unsigned,
      waiting: revoke,
      state: "deposit-signing",
      sent: ["revoke"],
    })
    for (const ms of [0, 30_000, 60_000]) await poll(ms)
    expect(done).toEqual([])
  })
})

describe("an approval that a reorganisation dropped after its order had gone on", () => {
  const approval = row({ orderId: "held", purpose: "approve", plan: HELD, ...bytesOf(HELD) })
  const plan = { ...samplePlan("revoke", 0), resources: ["nonce:2"] }
  const revoke = row({ orderId: "held", purpose: "revoke", plan, ...bytesOf(plan) })
  const behind = {
    held: approval,
    waiting: revoke,
    seen: { revoke: { status: "pending" } },
  } as const

  test("loses its nonce to a fill when the order's own revocation waits behind it", async () => {
    const { poll, done, registered } = scene({
      ...behind,
      state: "revoke-confirming",
      sent: ["approve", "revoke"],
    })
    for (const ms of [0, 30_000]) await poll(ms)
    expect(done).toEqual(["plan", "claim", "sign", "store", "alert", "send"])
    expect(registered).toMatchObject([{ purpose: "fill/nonce:1" }])
  })

  test("is left to the order while that still approves or deposits", async () => {
    const { poll, done } = scene({
      ...behind,
      state: "deposit-confirming",
      sent: ["approve", "revoke"],
    })
    for (const ms of [0, 30_000, 60_000]) await poll(ms)
    expect(done).toEqual([])
  })
})

test("a gap that was found while the clock was ahead is filled half a minute after the correction", async () => {
  const { poll, done } = scene()
  for (const ms of [3_600_000, 0, 30_000]) await poll(ms)
  expect(done).toContain("send")
})

describe("a nonce that an order claimed for a revocation, which the key never signed,", () => {
  const unsigned = row({ orderId: "held", purpose: "revoke", plan: HELD })
  const plan = { ...samplePlan("refund", 0), resources: ["nonce:2"] }
  const refund = row({ orderId: "held", purpose: "refund", plan, ...bytesOf(plan) })

  test("is filled when the order's own refund waits behind it", async () => {
    const { poll, done, registered } = scene({
      held: unsigned,
      waiting: refund,
      state: "refund-sending",
      sent: ["refund"],
    })
    await poll(0)
    await poll(30_000)
    expect(done).toEqual(["plan", "claim", "sign", "store", "alert", "send"])
    expect(registered).toMatchObject([{ purpose: "fill/nonce:1" }])
  })

  test("is left to the order while that is about to sign it", async () => {
    const { poll, done } = scene({ held: unsigned, waiting: refund, state: "revoke-signing" })
    for (const ms of [0, 30_000, 60_000]) await poll(ms)
    expect(done).toEqual([])
  })
})

describe("a nonce of a redemption that came too late to be the first to tell its secret", () => {
  const plan = { ...samplePlan("redeem", 0), resources: ["nonce:1"] }
  const held = row({ orderId: "held", purpose: "redeem", plan, ...bytesOf(plan) })
  const ownSecret = {
    nonce: "1",
    hash: "hash",
    status: "revealed",
    revealedAt: 0,
    isTold: false,
  } as const

  test.each(["revealed", "held"] as const)(
    "is filled, and not with the bytes that tell it (%s)",
    async (state) => {
      const { poll, done, planned } = scene({ held, state, ownSecret })
      await poll(0)
      await poll(30_000)
      expect(done).toEqual(["plan", "claim", "sign", "store", "alert", "send"])
      // Its own fee, of the end of a lock, may be above the cap of a void.
      expect(planned).toEqual([{ action: "void", voids: plan, isUnsent: true }])
    },
  )

  test("gets its own bytes where the secret is told anyway", async () => {
    const { poll, done } = scene({ held, ownSecret: { ...ownSecret, isTold: true } })
    await poll(0)
    await poll(30_000)
    expect(done).toEqual(["send"])
  })

  test("is left to the order while that redeems", async () => {
    const { poll, done } = scene({ held, state: "redeem-sending", ownSecret })
    for (const ms of [0, 30_000, 60_000]) await poll(ms)
    expect(done).toEqual([])
  })
})

describe("a refund or redemption that a reorganisation dropped after its order had gone on", () => {
  const states = ["proving-unfunded", "deposit-sending", "settling"] as const
  const scenes = (["redeem", "refund"] as const).flatMap((purpose) =>
    states.map((state) => ({ purpose, state })),
  )

  test.each(scenes)("gets its own bytes again ($purpose, $state)", async ({ purpose, state }) => {
    const plan = { ...samplePlan(purpose, 1), resources: ["nonce:1"] }
    const held = row({ orderId: "held", purpose, plan, ...bytesOf(plan) })
    const seen = { [WAITING.digest]: { status: "pending" } as const }
    const { poll, done } = scene({ held, state, sent: [purpose], seen })
    await poll(0)
    expect(done).toEqual([])
    await poll(30_000)
    expect(done).toEqual(["send"])
  })
})

test("an approval that a paused order never sent is filled, though the order sends its deposit", async () => {
  const approve = { ...samplePlan("approve", 0), resources: ["nonce:1"] }
  const { poll, done } = scene({
    held: row({ orderId: "held", purpose: "approve", plan: approve, ...bytesOf(approve) }),
    state: "deposit-sending",
    pause: "x",
    events: [],
  })
  await poll(0)
  await poll(30_000)
  expect(done).toEqual(["plan", "claim", "sign", "store", "alert", "send"])
})

test("a fill that another transaction excluded for good is settled", async () => {
  const fill = row({ orderId: "held", purpose: "fill/nonce:1", plan: FILL, ...bytesOf(FILL) })
  const seen = { [FILL.digest]: { status: "excluded", by: "rival", final: true } as const, ...SEEN }
  const { poll, done } = scene({ rows: [fill], seen })
  await poll(0)
  expect(done).toEqual(["settle held fill/nonce:1"])
})

test("a nonce that nothing waits behind is no gap", async () => {
  const { poll, done } = scene({ waiting: null })
  for (const ms of [0, 30_000, 60_000]) await poll(ms)
  expect(done).toEqual([])
})

const BURNT: Partial<OrderData> = {
  quote: { ...SAMPLE.quote, kind: "cctp", guarantee: "contract" },
  voucher: { kind: "cctp", nonce: "1", fields: {} },
  stateSince: 0,
}

type Unsettled = ReturnType<Journal["listUnsettled"]>[number]

type Scene = {
  readonly held?: Unsettled
  readonly waiting?: Unsettled | null
  readonly rows?: readonly Unsettled[]
  readonly seen?: Readonly<Record<string, TransactionObservation>>
  readonly pause?: string | null
  /** The stored events of every order. */
  readonly events?: readonly { readonly type: string; readonly body: string }[]
  /** The state of the order `held`, and the transactions of it that a node has got. */
  readonly state?: StateName
  readonly sent?: readonly TransactionPurpose[]
  readonly isLogSilent?: boolean
  /** Of both orders. */
  readonly ownSecret?: OwnSecret | null
  /** Both deposits are burns, whose orders have their vouchers. */
  readonly isBurnt?: boolean
  readonly hasNonces?: boolean
  readonly hasRoutes?: boolean
  /** The call that fails at the node. */
  readonly fault?: "read" | "send"
}

/**
 * A held order with nonce 1, and a refund of another order with nonce 2. `seen`: by the action of a
 * transaction.
 */
function scene({
  held = row({ orderId: "held", purpose: "deposit", plan: HELD }),
  waiting = row({ orderId: "waits", purpose: "refund", plan: WAITING, ...bytesOf(WAITING) }),
  rows = [],
  seen = SEEN,
  pause = null,
  events = [],
  state = "held",
  sent = [],
  isLogSilent = false,
  ownSecret = null,
  isBurnt = false,
  hasNonces = true,
  hasRoutes = true,
  fault,
}: Scene = {}) {
  const done: string[] = []
  const registered: object[] = []
  const planned: object[] = []
  let nowMs = 0
  const all = [held, ...rows, ...(waiting === null ? [] : [waiting])]
  const journal: Partial<Journal> = {
    listUnsettled: () => all,
    // CAST: the filler reads only the snapshot.
    findOrder: (id) =>
      ({
        snapshot: snapshotOf(id, state, sent, { ownSecret, ...(isBurnt ? BURNT : {}) }),
      }) as ReturnType<Journal["findOrder"]>,
    claimSignature: (claim) => {
      done.push("claim")
      registered.push(claim)
    },
    storeSignature: () => void done.push("store"),
    settleSignatures: (id, purpose) => void done.push(`settle ${id} ${purpose}`),
    raiseAlert: () => void done.push("alert"),
    listEntries: () => [],
    readFlag: (name) => (name === PAUSE_FLAG ? pause : null),
    // CAST: the filler reads only type and body.
    listEvents: () => events as ReturnType<Journal["listEvents"]>,
  }
  const fail = (what: string): never => {
    done.push(what)
    throw failure("transient")
  }
  const port: Partial<ChainPort> = {
    chain,
    account: "wallet",
    ...(hasNonces && {
      nonces: { bindPlan: async (plan) => plan, takeNonce: async () => null },
    }),
    observeTransaction: async ({ plan }: SignedTransaction) => {
      if (fault === "read") fail("read")
      return seen[plan.digest] ?? seen[plan.action] ?? { status: "unseen" }
    },
    planTransaction: async (intent) => {
      done.push("plan")
      planned.push(intent)
      return FILL
    },
    signTransaction: async (plan) => {
      done.push("sign")
      return sampleTransaction(plan)
    },
    broadcastTransaction: async () => (fault === "send" ? fail("send") : void done.push("send")),
  }
  const none = (): void => undefined
  // CAST: the filler uses only this part of the context.
  const context = {
    journal,
    chains: new Map([[chain, port]]),
    routes: hasRoutes ? new Map() : undefined,
    settings: { mode: "live", assets: new Map() },
    memory: createMemory(),
    clock: { now: () => nowMs },
    log: { warn: none, info: none },
    findLogSilence: () => (isLogSilent ? { code: "cluster.silent", message: "Silent" } : null),
  } as unknown as EngineContext
  const rounds = createRounds(context, [createGapFiller(context)], none)
  const poll = async (atMs: number): Promise<void> => {
    nowMs = atMs
    rounds.poll()
    await rounds.idle()
  }
  return { poll, done, registered, planned }
}

function snapshotOf(
  id: string,
  held: StateName,
  sent: readonly TransactionPurpose[],
  over: Partial<OrderData>,
): string {
  // The track of the paused order says that it was sent (`sentAt`).
  if (id === "paused")
    return encodeOrder({
      state: "deposit-bumping",
      data: { ...sampleData({ deposit: [sampleTransaction(HELD)] }), id },
    })
  const data = sampleData()
  const sentTracks = Object.fromEntries(
    sent.map((purpose) => [purpose, { ...data.transactions[purpose], sentAt: 1 }]),
  )
  const state = id === "held" ? held : "refund-confirming"
  return encodeOrder({
    state,
    data: { ...data, id, ...over, transactions: { ...data.transactions, ...sentTracks } },
  })
}

function bytesOf(plan: TransactionPlan): Pick<Unsettled, "txid" | "raw"> {
  return { txid: sampleTransaction(plan).txid, raw: "bytes" }
}

function row(
  known: Pick<Unsettled, "orderId" | "purpose" | "plan"> & Partial<Unsettled>,
): Unsettled {
  const { plan } = known
  // CAST: the filler reads only these fields of a signature.
  return {
    chain,
    account: "wallet",
    attempt: 0,
    digest: plan?.digest ?? "",
    resources: plan?.resources ?? [],
    txid: null,
    raw: null,
    isUsedUp: false,
    ...known,
  } as Unsettled
}
