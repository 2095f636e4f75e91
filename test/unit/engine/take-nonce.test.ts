import { beforeEach, describe, expect, test } from "vitest"
import type { TransactionObservation } from "#domain/transaction.ts"
import { createMemory } from "#engine/memory.ts"
import {
  groupByNonce,
  planOf,
  type Signature,
  toPurpose,
  toSigned,
} from "#engine/orders/pay/nonce-rows.ts"
import { putRescueFirst } from "#engine/orders/pay/take-nonce.ts"
import { silentLogger } from "#lib/log.ts"
import type { OrderData, TransactionPurpose } from "#order/data.ts"
import type { StateName } from "#order/states.ts"
import type { LegObservation, LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import { KIND } from "../../support/fake-burn-leg.ts"
import { never } from "../../support/faults.ts"
import { NOTHING_SEEN, SAMPLE, samplePlan, sampleTransaction } from "../../support/order-sample.ts"
import { emptyLeg, sampleData } from "../../support/sample-job.ts"

const NOW = 10_000_000
const { policy } = sampleData()
/** Three bumps of a refund, or of a redemption without a lock. */
const PATIENT_MS = 3 * policy.stuckAfterMs
const SLOW_MS = 10 * 60_000

type RowOver = Partial<Signature> & {
  readonly state?: StateName
  readonly sentAt?: number | null
  readonly lock?: OrderData["seen"]["payoutLock"]
  readonly serviceOrder?: null
  /** Its payout is taken with a voucher, and has no lock. */
  readonly hasVoucher?: true
}

const BY_VOUCHER = {
  serviceOrder: null,
  quote: { ...SAMPLE.quote, kind: KIND },
  deposit: { ...SAMPLE.deposit, kind: KIND },
}

/** A signature of this nonce that was sent as long ago as its order waits. */
function row(
  id: string,
  purpose: TransactionPurpose,
  nonce: number,
  over: RowOver = {},
): Signature {
  const { state = `${purpose}-confirming`, sentAt = 1, lock, serviceOrder, ...others } = over
  const { hasVoucher, ...rest } = others
  const plan = {
    ...samplePlan(purpose, 0),
    resources: [`nonce:${nonce}`],
    digest: `${id} ${nonce}`,
  }
  const seen = lock === undefined ? NOTHING_SEEN : { ...NOTHING_SEEN, payoutLock: lock }
  const data = sampleData(
    { [purpose]: [sampleTransaction(plan)] },
    {
      seen,
      ...(serviceOrder === null ? { serviceOrder } : {}),
      ...(hasVoucher ? BY_VOUCHER : {}),
    },
  )
  const track = { ...data.transactions[purpose], sentAt }
  // CAST: a row of the journal has more fields, which count for nothing here.
  return {
    orderId: id,
    purpose,
    attempt: 0,
    digest: plan.digest,
    resources: plan.resources,
    plan,
    txid: `txid ${id}`,
    raw: `raw ${id}`,
    atMs: NOW - SLOW_MS,
    order: {
      state,
      data: { ...data, id, transactions: { ...data.transactions, [purpose]: track } },
    },
    ...rest,
  } as Signature
}

let statuses: Map<string, Partial<TransactionObservation>>
let calls: string[]
let records: Parameters<Context["journal"]["claimSignature"]>[0][]
let holders: Map<string, string>
/** Signatures that are settled. */
let settled: readonly Signature[]
let canTake: boolean
let readLeg: (query: LegQuery) => Promise<Partial<LegObservation>>
type Context = Parameters<typeof putRescueFirst>[0]

beforeEach(() => {
  statuses = new Map()
  calls = []
  records = []
  holders = new Map()
  settled = []
  canTake = true
  readLeg = async () => ({})
})

function portOf(over: object = {}): ChainPort {
  // CAST: only these parts are used.
  return {
    chain: "base_sepolia",
    account: "us",
    traits: { nativeCoin: null },
    observeTransaction: async ({ txid }: { txid: string }) =>
      statuses.get(txid) ?? { status: "pending" },
    observeLeg: async (query: LegQuery) => ({ ...emptyLeg(9n), ...(await readLeg(query)) }),
    signTransaction: async (plan: { resources: readonly string[] }) => {
      calls.push(`sign ${plan.resources.join()}`)
      return { txid: "moved", raw: "bytes" }
    },
    broadcastTransaction: async ({ txid }: { txid: string }) => void calls.push(`send ${txid}`),
    nonces: {
      takeNonce: async (plan: object, before: { resources: readonly string[] }) =>
        canTake ? { ...plan, resources: before.resources, digest: "moved digest" } : null,
    },
    ...over,
  } as unknown as ChainPort
}

async function put(
  rows: readonly Signature[],
  port = portOf(),
  nowMs = NOW,
  memory = createMemory(),
): Promise<readonly string[]> {
  // CAST: only these parts are used.
  const context = {
    clock: { now: () => nowMs, sleep: never },
    log: silentLogger,
    memory,
    settings: { assets: new Map() },
    journal: {
      findHolder: (name: string) => holders.get(name) ?? null,
      listOf: (id: string) => [...settled, ...rows].filter(({ orderId }) => orderId === id),
      claimSignature: (claim: (typeof records)[number]) => {
        calls.push("claim")
        records.push(claim)
      },
      storeSignature: () => calls.push("store"),
      raiseAlert: (_at: number, { code }: { code: string }) => calls.push(code),
    },
  } as unknown as Context
  const nonces = Map.groupBy(rows, ({ resources }) => BigInt(resources[0]?.slice(6) ?? 0))
  const listed = [...nonces].map(([nonce, own]) => ({ nonce, rows: own }))
  await putRescueFirst(context, port, listed)
  return calls
}

const TAKEN = ["claim", "sign nonce:1", "nonce.taken_first", "store", "send moved"]
const BEFORE = row("other", "deposit", 1)
const BURN = attested(BEFORE)

/** The deposit is a burn, and its order has the voucher. */
function attested(one: Signature): Signature {
  const { order } = one
  if (order === null) return one
  const quote = { ...SAMPLE.quote, kind: "cctp", guarantee: "contract" } as const
  const voucher = { kind: "cctp", nonce: "1", fields: {} }
  return { ...one, order: { state: "redeem-planning", data: { ...order.data, quote, voucher } } }
}

/** Its order is in another state. */
function left(purpose: "redeem" | "refund", over: RowOver): Signature {
  return row("other", purpose, 1, { state: "revealed", ...over })
}

function ended({ order }: Signature): Signature["order"] {
  return order === null ? null : { ...order, state: "abandoned" }
}

describe("a rescue takes the first nonce that no block has", () => {
  test.each<[string, boolean, readonly Signature[]]>([
    ["a sent redemption", true, [BEFORE, row("one", "redeem", 2)]],
    ["a sent refund", true, [BEFORE, row("one", "refund", 2)]],
    ["no deposit", false, [BEFORE, row("one", "deposit", 2)]],
    ["one that was never sent", false, [BEFORE, row("one", "redeem", 2, { sentAt: null })]],
    ["one without bytes", false, [BEFORE, row("one", "redeem", 2, { raw: null })]],
    ["one whose order went on", false, [BEFORE, row("one", "redeem", 2, { state: "settling" })]],
    ["one of a damaged order", false, [BEFORE, row("one", "redeem", 2, { order: null })]],
    ["the first nonce itself", false, [row("one", "redeem", 1), row("other", "deposit", 2)]],
    [
      "a refund that waited less",
      false,
      [BEFORE, row("one", "refund", 2, { atMs: NOW - SLOW_MS + 1 })],
    ],
    [
      "a redemption that waited for three fees",
      true,
      [BEFORE, row("one", "redeem", 2, { atMs: NOW - PATIENT_MS, serviceOrder: null })],
    ],
    [
      "a redemption of before a clock set back",
      true,
      [BEFORE, row("one", "redeem", 2, { atMs: NOW + SLOW_MS })],
    ],
    [
      "a redemption that waited less",
      false,
      [BEFORE, row("one", "redeem", 2, { atMs: NOW - PATIENT_MS + 1, serviceOrder: null })],
    ],
    [
      "one that was sent first long ago",
      true,
      [BEFORE, row("one", "redeem", 2), row("one", "redeem", 2, { atMs: NOW })],
    ],
  ])("%s: %s", async (_name, expected, rows) => {
    expect(await put(rows)).toEqual(expected ? TAKEN : [])
  })

  test.each<[string, boolean, Signature]>([
    ["a redemption that its order left unsent", true, left("redeem", { sentAt: null })],
    ["a refund that its order left unsent", true, left("refund", { sentAt: null })],
    ["a redemption that was sent", false, left("redeem", {})],
    ["a redemption that its order still sends", false, row("other", "redeem", 1, { sentAt: null })],
    ["a deposit that was not sent", false, row("other", "deposit", 1, { sentAt: null })],
  ])("at once behind %s: %s", async (_name, expected, before) => {
    expect(await put([before, row("one", "redeem", 2, { atMs: NOW })])).toEqual(
      expected ? TAKEN : [],
    )
    // The first one may still land.
    calls = []
    const first = row("first", "deposit", 0, { atMs: NOW })
    expect(await put([first, before, row("one", "redeem", 2, { atMs: NOW })])).toEqual([])
  })

  test.each<[string, Record<string, Partial<TransactionObservation>>, boolean]>([
    ["nothing is in a block", {}, true],
    ["the rescue is in a block", { "txid one": { status: "mined" } }, false],
    ["the rescue is excluded", { "txid one": { status: "excluded" } }, false],
    ["the other one is in a block", { "txid other": { status: "mined" } }, false],
    [
      "no node shows either",
      { "txid other": { status: "unseen" }, "txid one": { status: "unseen" } },
      true,
    ],
  ])("while %s: %o", async (_name, found, expected) => {
    statuses = new Map(Object.entries(found))
    expect(await put([BEFORE, row("one", "redeem", 2)])).toEqual(expected ? TAKEN : [])
  })

  test("behind those that a block has, and the nearest end of a lock first", async () => {
    statuses.set("txid mined", { status: "mined" })
    const lock = { refundableAt: 20n, height: 10n, readAt: NOW, capUnits: null }
    const rows = [
      row("mined", "deposit", 0),
      BEFORE,
      row("back", "refund", 2),
      row("late", "redeem", 3, { lock: { ...lock, refundableAt: 21n } }),
      row("soon", "redeem", 4, { lock }),
    ]
    expect(await put(rows)).toEqual(TAKEN)
    expect(records).toMatchObject([
      { orderId: "soon", purpose: "fill/nonce:1", attempt: 0, digest: "moved digest" },
    ])
  })

  test("one that a block has at another nonce is after the other locks, and before a refund", async () => {
    const lock = { refundableAt: 20n, height: 10n, readAt: NOW, capUnits: null }
    const soon = row("soon", "redeem", 3, { lock })
    const late = row("late", "redeem", 4, { lock: { ...lock, refundableAt: 21n } })
    const back = row("back", "refund", 2)
    readLeg = async () => Promise.reject(new Error("no answer"))
    settled = [{ ...row("soon", "redeem", 0), purpose: "fill/nonce:0" }]
    await put([BEFORE, back, soon, late])
    await put([BEFORE, back, soon])
    // That of the first nonce itself gets its higher fees there.
    settled = [{ ...row("soon", "redeem", 1), purpose: "fill/nonce:1" }]
    await put([BEFORE, back, soon, late])
    expect(records.map(({ orderId }) => orderId)).toEqual(["late", "soon", "soon"])
  })

  const end = { txid: "end", height: 3n, confirmations: 1, paidUnits: 1n, seen: true, final: false }
  const mined = { ...end, revealable: false, secret: null }
  const final = { ...mined, final: true }
  test.each<["redeem" | "refund", string, Partial<LegObservation>, boolean]>([
    ["redeem", "the payout is open", {}, true],
    ["redeem", "a block has the payout", { redeemed: mined }, false],
    ["redeem", "one endpoint alone shows it", { redeemed: final, agreed: false }, true],
    ["redeem", "a block gave it back", { refunded: mined }, true],
    ["redeem", "it went back for good", { refunded: final }, false],
    ["refund", "a block has the refund", { refunded: mined }, false],
    ["refund", "the deposit is taken in a block", { redeemed: mined }, true],
    ["refund", "the deposit is taken for good", { redeemed: final }, false],
  ])("a %s, while %s: %o", async (purpose, _name, leg, expected) => {
    const asked: Pick<LegQuery, "side" | "isExact">[] = []
    readLeg = async ({ side, isExact }) => {
      asked.push({ side, ...(isExact ? { isExact } : {}) })
      return leg
    }
    expect(await put([BEFORE, row("one", purpose, 2)])).toEqual(expected ? TAKEN : [])
    const exact = { side: "destination", isExact: true } as const
    expect(asked).toEqual([purpose === "redeem" ? exact : { side: "source" }])
  })

  test.each<["redeem" | "refund", RowOver, boolean]>([
    ["redeem", {}, true],
    ["refund", {}, true],
    ["redeem", { hasVoucher: true }, false],
  ])(
    "a leg that cannot be read keeps only a mint back: %s, %o",
    async (purpose, over, expected) => {
      readLeg = async () => Promise.reject(new Error("no answer"))
      expect(await put([BEFORE, row("one", purpose, 2, over)])).toEqual(expected ? TAKEN : [])
    },
  )

  test("one whose payout is with us, or whose block is not final, leaves the place to the next one", async () => {
    const paid: Partial<LegObservation> = { redeemed: mined }
    readLeg = async ({ side }) => (side === "destination" ? paid : {})
    await put([BEFORE, row("one", "redeem", 2), row("back", "refund", 3)])
    expect(records).toMatchObject([{ orderId: "back" }])
    readLeg = async () => ({})
    statuses.set("txid one", { status: "mined" })
    await put([BEFORE, row("one", "redeem", 2), row("back", "refund", 3)])
    expect(records).toMatchObject([{ orderId: "back" }, { orderId: "back" }])
  })

  test("one that brought nothing is looked at again after a minute, also before any other read", async () => {
    const memory = createMemory()
    const rows = [BEFORE, row("one", "redeem", 2)]
    const reads: string[] = []
    let leg: Partial<LegObservation> = { redeemed: mined }
    readLeg = async ({ side }) => {
      reads.push(side)
      return leg
    }
    const port = portOf({
      observeTransaction: async () => {
        reads.push("transaction")
        return { status: "pending" }
      },
    })
    const ask = async (nowMs: number) => {
      reads.length = 0
      await put(rows, port, nowMs, memory)
      return reads.length
    }
    expect([await ask(NOW), await ask(NOW + 59_999)]).toEqual([4, 0])
    memory.paidRescues.set("an ended order", NOW)
    expect(await ask(NOW + 60_000)).toBe(4)
    expect([...memory.paidRescues.keys()]).toEqual(["one"])
    leg = {}
    expect(await ask(NOW + 120_000)).toBe(4)
    expect(records).toHaveLength(1)
  })

  test("a mint with a voucher waits as a refund does, and gives way to a lock that ends", async () => {
    const minted = row("mint", "redeem", 2, { hasVoucher: true, atMs: NOW - SLOW_MS + 1 })
    expect(await put([BEFORE, minted])).toEqual([])
    const slow = row("mint", "redeem", 2, { hasVoucher: true })
    expect(await put([BEFORE, slow])).toEqual(TAKEN)
    const lock = { refundableAt: 20n, height: 10n, readAt: NOW, capUnits: null }
    await put([BEFORE, slow, row("soon", "redeem", 3, { lock })])
    expect(records).toMatchObject([{ orderId: "mint" }, { orderId: "soon" }])
  })

  test("but not that of a burn with a voucher, which is sent again, unless a lock would end", async () => {
    const rescue = row("one", "redeem", 2, { hasVoucher: true })
    expect(await put([BURN, rescue])).toEqual([])
    statuses.set("txid other", { status: "unseen" })
    expect(await put([BURN, rescue])).toEqual(["send txid other"])
    calls = []
    expect(await put([{ ...BURN, order: ended(BURN) }, rescue])).toEqual(TAKEN)
    calls = []
    const lock = { refundableAt: 20n, height: 10n, readAt: NOW, capUnits: null }
    expect(await put([BURN, row("one", "redeem", 2, { lock })])).toEqual(TAKEN)
  })

  test("and reserves it unless another order holds it", async () => {
    const name = "base_sepolia/us/nonce:1"
    await put([BEFORE, row("one", "redeem", 2)])
    holders.set(name, "one")
    await put([BEFORE, row("one", "redeem", 2)])
    holders.set(name, "other")
    await put([BEFORE, row("one", "redeem", 2)])
    expect(records.map(({ reserve }) => reserve)).toEqual([[name], [name], []])
  })

  test("as its own first try, whatever else was signed with it", async () => {
    const fill = { purpose: "fill/nonce:1", raw: null, txid: null } as const
    const rows = [BEFORE, row("third", "redeem", 1, fill), row("one", "approve", 1, { raw: null })]
    expect(await put([...rows, row("one", "redeem", 2)])).toEqual(TAKEN)
    expect(records).toMatchObject([{ orderId: "one", attempt: 0, digest: "moved digest" }])
  })

  test("but not on a chain without nonces, nor where the other plan is not known", async () => {
    expect(await put([BEFORE, row("one", "redeem", 2)], portOf({ nonces: undefined }))).toEqual([])
    const unknown = row("other", "deposit", 1, { plan: null, digest: "unknown" })
    expect(await put([unknown, row("one", "redeem", 2)])).toEqual([])
  })

  test("goes on where its process died: a claim is signed again, and lost bytes are sent again", async () => {
    const fill = { purpose: "fill/nonce:1" } as const
    const begun = row("one", "redeem", 1, { ...fill, raw: null, txid: null })
    const rescue = row("one", "redeem", 2)
    expect(await put([BEFORE, begun, rescue])).toEqual(TAKEN)
    expect(records[0]).toMatchObject({ digest: begun.digest, attempt: 1 })
    calls = []
    const signed = row("one", "redeem", 1, { ...fill, txid: "moved" })
    canTake = false
    expect(await put([BEFORE, signed, rescue])).toEqual([])
    statuses.set("moved", { status: "unseen" })
    expect(await put([BEFORE, signed, rescue])).toEqual(["send moved"])
    calls = []
    canTake = true
    // A second fee tells no second alert.
    expect(await put([BEFORE, signed, rescue])).toEqual(TAKEN.filter((call) => !call.includes(".")))
  })
})

describe("the signatures of an account", () => {
  test("are grouped by nonce, lowest first, without those whose nonce is used up", () => {
    const rows = [row("b", "deposit", 10), row("a", "deposit", 9), row("c", "deposit", 10)]
    const listed = [
      ...rows.map((one) => ({ ...one, isUsedUp: false })),
      { ...row("d", "deposit", 9), isUsedUp: true },
      {
        ...row("e", "deposit", 9),
        isUsedUp: false,
        resources: ["input:9", "xnonce:9", "nonce:9x"],
      },
    ]
    // CAST: only these parts are used.
    const context = {
      journal: {
        listUnsettled: () => listed,
        findOrder: (id: string) => (id === "a" ? null : { id }),
      },
      memory: { orders: { readOrNull: ({ id }: { id: string }) => `order ${id}` } },
    } as unknown as Parameters<typeof groupByNonce>[0]
    const groups = groupByNonce(context, portOf())
    const shown = groups.map(({ nonce, rows: own }) => [
      nonce,
      own.map(({ orderId, order }) => [orderId, order]),
    ])
    expect(shown).toEqual([
      [9n, [["a", null]]],
      [
        10n,
        [
          ["b", "order b"],
          ["c", "order c"],
        ],
      ],
    ])
  })

  test("have their own plan, or that of their order with the same digest", () => {
    const signed = row("a", "deposit", 1)
    expect(planOf({ ...signed, plan: null })).toEqual(signed.plan)
    expect(planOf({ ...signed, plan: null, digest: "another" })).toBeNull()
    expect(planOf({ ...signed, plan: null, order: null })).toBeNull()
    const { data, state } = signed.order ?? { data: sampleData(), state: "quoting" as const }
    const open = { plan: samplePlan("refund", 3), signed: [], sentAt: null, mined: null }
    const order = { state, data: { ...data, transactions: { ...data.transactions, refund: open } } }
    expect(planOf({ ...signed, plan: null, order, digest: open.plan.digest })).toEqual(open.plan)
    expect(toPurpose(order, "refund")).toBe("refund")
    expect(toPurpose(order, "fill/nonce:1")).toBeNull()
    expect(toSigned(signed)).toEqual({ plan: signed.plan, txid: signed.txid, raw: signed.raw })
    for (const gone of [{ txid: null }, { raw: null }, { plan: null, order: null }])
      expect(toSigned({ ...signed, ...gone })).toBeNull()
  })
})
