import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import { proveUnfunded } from "#engine/orders/observe/prove-unfunded.ts"
import { AppError } from "#lib/app-error.ts"
import type { OrderData } from "#order/data.ts"
import { OPEN_PAYOUT } from "#order/update.ts"
import type { LegObservation, UnfundedProof } from "#ports/chain/htlc-reader.ts"
import { SAMPLE, samplePlan, sampleTransaction } from "../../../support/order-sample.ts"
import { emptyLeg, sampleData, sampleJob } from "../../../support/sample-job.ts"

const NOW = 10_000_000
const PATIENCE_MS = 10 * 60_000
const FAILED = new AppError({
  code: "evm.unreachable",
  disposition: "transient",
  message: "no answer",
})
const SILENT: UnfundedProof = { status: "unsure", reasons: [{ code: "chain.silent", message: "" }] }
const SPLIT: Reason = { code: "chain.disagreement", message: "a: open; b: closed" }
const EMPTY: UnfundedProof = { status: "unfunded", height: 7n, rivals: [] }
const FUNDED: UnfundedProof = { status: "funded" }
const ENDED = { type: "order.unfunded", height: 7n, rivals: [] }
const MOMENT = { txid: "x", height: 5n, final: true, seen: true, paidUnits: 1n }
// CAST: an end of a leg is read for these parts alone.
const leg = (over: object): LegObservation => ({ ...emptyLeg(9n), ...over }) as LegObservation
const PENDING: TransactionObservation = { status: "pending" }
const UNSEEN: TransactionObservation = { status: "unseen" }

type LeftOver = Partial<OrderData["transactions"]["redeem"]>

/** An order that signed this refund or redemption, which a block may have shown. */
function leftOver(
  purpose: "refund" | "redeem",
  signed: SignedTransaction,
  over: LeftOver,
): Pick<OrderData, "transactions" | "mined"> {
  const { transactions } = sampleData({ [purpose]: [signed] })
  const { mined = null } = over
  const record = { purpose, ok: true, feeUnits: 1n, heldUnits: 0n }
  return {
    transactions: { ...transactions, [purpose]: { ...transactions[purpose], ...over } },
    mined: mined === null ? [] : [{ ...record, ...mined }],
  }
}

type Scene = {
  readonly proof?: UnfundedProof | Error
  readonly data?: Partial<OrderData>
  readonly signed?: readonly SignedTransaction[]
  readonly waitedMs?: number
  /** What the chain shows of each transaction, by its id; nothing where it fails. */
  readonly seen?: Readonly<Record<string, TransactionObservation>>
  readonly legs?: { readonly source?: LegObservation; readonly destination?: LegObservation }
  /** Of an order with a voucher: whether it pays nothing any more. */
  readonly isOver?: boolean
}

const unread: unknown[] = []
const asked: string[] = []

function jobOf(scene: Scene) {
  const { proof = EMPTY, waitedMs = 0, seen = {}, legs = {} } = scene
  unread.splice(0)
  asked.splice(0)
  const deposit = scene.signed ?? []
  const data = sampleData({ deposit }, { stateSince: NOW - waitedMs, ...scene.data })
  const node = (side: "source" | "destination") => ({
    traits: familyNamed(side === "source" ? "evm" : "bitcoin").traits,
    proveUnfunded: async () => {
      if (proof instanceof Error) throw proof
      return proof
    },
    observeTransaction: async ({ txid }: SignedTransaction) => {
      const found = seen[txid]
      if (found === undefined) throw FAILED
      return found
    },
    observeLeg: async () => {
      asked.push(side)
      return legs[side] ?? emptyLeg(9n)
    },
    fetchHeight: async () => 9n,
    routeLegs: new Map([["cctp", { isOver: async () => scene.isOver === true }]]),
  })
  const journal = { listOf: () => [] }
  const service = { fetchOrder: async () => Promise.reject(FAILED) }
  // CAST: the proof asks nothing else of a chain.
  const chain = node("source") as never
  const over = { nowMs: NOW, noteUnread: (error: unknown) => void unread.push(error) }
  const job = sampleJob(data, { chain, journal, service }, over)
  const chains = new Map(job.context.chains)
  const to = chainOf(data.request.to)
  // CAST: as above.
  chains.set(to, { chain: to, account: "wallet", ...node("destination") } as never)
  return { ...job, context: { ...job.context, chains } }
}

const prove = async (scene: Scene) => (await proveUnfunded(jobOf(scene))).event
const doubtsIn = ({ doubts = [] }: { readonly doubts?: readonly Reason[] }) =>
  doubts.map(({ code }) => code)

describe("a proof that cannot be read", () => {
  test("counts against the slots of its chain, and does not end the order", async () => {
    expect((await prove({ proof: FAILED })).type).toBe("order.unproven")
    expect(unread).toEqual([FAILED])
  })

  test.each(["hold", "bug", "aborted"] as const)("is thrown where it is of %s", async (of) => {
    const error = new AppError({ code: "engine.test", disposition: of, message: "x" })
    await expect(prove({ proof: error })).rejects.toBe(error)
    expect(unread).toEqual([])
  })

  test.each(["refused", "uncertain", "fatal"] as const)("waits where it is %s", async (of) => {
    const error = new AppError({ code: "engine.test", disposition: of, message: "x" })
    expect((await prove({ proof: error })).type).toBe("order.unproven")
  })
})

describe("an order that waits for its proof", () => {
  test.each([
    ["without an alert within ten minutes", PATIENCE_MS, SILENT, [], []],
    ["with one after ten minutes", PATIENCE_MS + 1, SILENT, ["ending.unproven"], []],
    [
      "with a doubt at once where endpoints contradict each other",
      0,
      { status: "unsure", reasons: [SPLIT, { code: "chain.silent", message: "" }] },
      [],
      ["chain.disagreement"],
    ],
    [
      "with both later",
      PATIENCE_MS + 1,
      { status: "unsure", reasons: [SPLIT] },
      ["ending.unproven"],
      ["chain.disagreement"],
    ],
  ] as const)("stays %s", async (_name, waitedMs, proof, codes, doubts) => {
    const event = await prove({ proof, waitedMs })
    if (event.type !== "order.unproven") throw new Error(event.type)
    expect(event.alerts.map(({ code }) => code)).toEqual(codes)
    expect(doubtsIn(event)).toEqual(doubts)
  })

  test("tells why no endpoint proves it", async () => {
    const waitedMs = PATIENCE_MS + 1
    const reasons = [
      { code: "a", message: "one" },
      { code: "b", message: "two" },
    ]
    const told = await prove({ proof: { status: "unsure", reasons }, waitedMs })
    const none = await prove({ proof: { status: "unsure", reasons: [] }, waitedMs })
    expect(told).toMatchObject({ alerts: [{ message: expect.stringContaining("one; two") }] })
    expect(none).toMatchObject({
      alerts: [{ message: expect.stringContaining("the endpoints give no proof") }],
    })
  })

  const deposits = [1, 2].map((attempt) => sampleTransaction(samplePlan("deposit", attempt)))
  const seenAs = (...shown: readonly (TransactionObservation | null)[]) =>
    Object.fromEntries(
      deposits.flatMap(({ txid }, index) => {
        const found = shown[index]
        return found == null ? [] : [[txid, found]]
      }),
    )
  const excluded: TransactionObservation = { status: "excluded", by: "y", final: true }
  const settled = (is: boolean): Partial<OrderData> => {
    const { transactions } = sampleData({ deposit: deposits })
    return { transactions: { ...transactions, deposit: { ...transactions.deposit, settled: is } } }
  }

  test.each<[string, string, Scene]>([
    ["all of it may land", "deposit.unsettled", { seen: seenAs(UNSEEN, PENDING) }],
    ["one stays excluded", "order.unproven", { seen: seenAs(UNSEEN, excluded) }],
    ["one cannot be read", "order.unproven", { seen: seenAs(UNSEEN, null) }],
    [
      "it was not excluded",
      "order.unproven",
      { seen: seenAs(UNSEEN, UNSEEN), data: settled(false) },
    ],
    ["within ten minutes", "order.unproven", { seen: seenAs(UNSEEN, UNSEEN), waitedMs: 0 }],
  ])("goes back to an excluded deposit: %s", async (_name, type, scene) => {
    const waitedMs = PATIENCE_MS + 1
    const event = await prove({ proof: SILENT, waitedMs, data: settled(true), ...scene })
    expect(event.type).toBe(type)
    if (event.type !== "deposit.unsettled") return
    expect(event.reasons).toMatchObject([
      { what: "exclusion", txid: deposits.at(-1)?.txid, height: "unknown", found: "may land" },
    ])
  })

  test("does not where nothing is signed", async () => {
    const { transactions } = sampleData()
    const data = {
      transactions: { ...transactions, deposit: { ...transactions.deposit, settled: true } },
    }
    expect((await prove({ proof: SILENT, waitedMs: PATIENCE_MS + 1, data })).type).toBe(
      "order.unproven",
    )
  })
})

describe("an HTLC with a deposit", () => {
  const [deposit, other] = [1, 2].map((attempt) =>
    sampleTransaction(samplePlan("deposit", attempt)),
  )
  const approval = sampleTransaction(samplePlan("approve", 1))
  if (deposit === undefined || other === undefined) throw new Error("no deposit")
  const mined = (over: object): TransactionObservation =>
    // CAST: only these parts of a mined transaction count here.
    ({ status: "mined", height: 3n, final: true, ok: true, feeUnits: 1n, ...over }) as never
  const excluded = { status: "excluded", by: "y", final: true } as const

  test.each<[string, string, TransactionObservation]>([
    ["that waits for its block is ours", "deposit.unsettled", PENDING],
    ["in a block is ours", "deposit.unsettled", mined({})],
    [
      "that failed in a young block may be ours",
      "deposit.unsettled",
      mined({ final: false, ok: false }),
    ],
    ["that failed is another one", "order.observed", mined({ ok: false })],
    ["that is excluded is another one", "order.observed", excluded],
  ])("%s", async (_name, type, shown) => {
    const signed = [deposit, approval]
    const legs = { source: leg({ initiated: MOMENT }) }
    const scene = { proof: FUNDED, signed, legs, seen: { [deposit.txid]: shown } }
    const event = await prove(scene)
    expect(event.type).toBe(type)
    if (event.type !== "deposit.unsettled") return
    expect(event.reasons).toMatchObject([{ what: "exclusion", found: "funded" }])
  })

  test("is ours where a later attempt is", async () => {
    const seen = { [deposit.txid]: excluded, [other.txid]: PENDING }
    const event = await prove({ proof: FUNDED, signed: [deposit, other], seen })
    expect(event.type).toBe("deposit.unsettled")
  })

  test("tells the doubts of endpoints about our own transactions", async () => {
    const shown = { ...excluded, doubts: [SPLIT] }
    const signed = [deposit]
    const event = await prove({ proof: FUNDED, signed, seen: { [deposit.txid]: shown } })
    expect(doubtsIn(event)).toEqual(["chain.disagreement"])
  })
})

describe("an order whose HTLC is proven empty", () => {
  const receipt = { txid: "x" } as unknown as OrderData["receipt"]
  const returned = { txid: "y" } as unknown as OrderData["returned"]
  const voucher = { message: "0x01" } as unknown as NonNullable<OrderData["voucher"]>
  const route: Partial<OrderData> = { quote: { ...SAMPLE.quote, kind: "cctp" }, voucher }
  const paid = leg({ initiated: MOMENT, redeemed: MOMENT })
  const refunded = leg({ initiated: MOMENT, refunded: MOMENT })
  const split = leg({ agreed: false, doubts: [SPLIT] })
  const minted = sampleTransaction(samplePlan("redeem", 1))
  const young = leg({ initiated: MOMENT, redeemed: { ...MOMENT, final: false } })

  test.each<[string, readonly string[], string, Scene]>([
    ["ends without a look at its legs", [], "order.unfunded", {}],
    ["ends without a deposit at all", [], "order.unfunded", { data: { deposit: null } }],
    [
      "ends with a payout that its chain shows",
      ["destination"],
      "order.unfunded",
      { data: { receipt }, legs: { destination: paid } },
    ],
    [
      "waits while the payout's endpoints disagree",
      ["destination"],
      "order.unproven",
      { data: { receipt }, legs: { destination: split } },
    ],
    [
      "ends with a refund that its chain shows",
      ["source"],
      "order.unfunded",
      {
        data: { returned },
        legs: { source: refunded },
      },
    ],
    [
      "ends with a deposit that the solver took",
      ["source"],
      "order.unfunded",
      {
        data: { returned },
        legs: { source: paid },
      },
    ],
    [
      "ends with a returned rent that its chain shows",
      ["source"],
      "order.unfunded",
      {
        data: { rentReturned: returned as never },
        legs: { source: refunded },
      },
    ],
    [
      "waits while the refund's endpoints disagree",
      ["source"],
      "order.unproven",
      { data: { returned }, legs: { source: split } },
    ],
    [
      "looks at both legs",
      ["destination", "source"],
      "order.unfunded",
      { data: { receipt, returned }, legs: { destination: paid, source: refunded } },
    ],
    [
      "ends with the final payout of its voucher",
      ["destination"],
      "order.unfunded",
      { data: { ...route, receipt }, legs: { destination: paid } },
    ],
    [
      "waits for the payout of its voucher",
      ["destination"],
      "order.unproven",
      { data: { ...route, receipt }, legs: { destination: young } },
    ],
    [
      "ends beside a mint that may land without end, whose voucher is over",
      ["destination"],
      "order.unfunded",
      {
        data: { ...route, ...leftOver("redeem", minted, {}) },
        seen: { [minted.txid]: UNSEEN },
        isOver: true,
      },
    ],
    ["waits while its voucher may pay", ["destination"], "order.unproven", { data: route }],
    [
      "ends once its voucher is over",
      ["destination"],
      "order.unfunded",
      { data: route, isOver: true },
    ],
  ])("%s", async (_name, sides, type, scene) => {
    const event = await prove(scene)
    expect([event.type, asked]).toEqual([type, sides])
    if (event.type === "order.unfunded" && scene.data?.deposit !== null)
      expect(event).toEqual(ENDED)
  })

  test.each<[string, string, Scene]>([
    ["a payout that is gone", "work.deferred", { data: { receipt } }],
    ["a refund that is gone", "work.deferred", { data: { returned } }],
    [
      "a payout of a voucher that is not booked",
      "work.deferred",
      { data: route, legs: { destination: paid } },
    ],
    [
      "a booked payout of a voucher that is gone",
      "work.deferred",
      { data: { ...route, receipt }, isOver: true },
    ],
    [
      "a payout of a voucher that is over, which is young and not booked",
      "work.deferred",
      { data: route, isOver: true, legs: { destination: young } },
    ],
  ])("is observed anew with %s", async (_name, type, scene) => {
    expect((await prove(scene)).type).toBe(type)
  })

  test.each(["refund", "redeem"] as const)(
    "tells what became of its %s, which no other work observes, before it ends or waits",
    async (purpose) => {
      const own = sampleTransaction(samplePlan(purpose, 1))
      const block = { status: "mined", ok: true, height: 5n, final: false, feeUnits: 1n } as const
      const tell = async (shown: object, over: LeftOver = {}, mortal = false) => {
        const plan = { ...own.plan, expiresAtHeight: mortal ? 9n : null }
        const data = { ...leftOver(purpose, { ...own, plan }, over), ...route }
        // CAST: these parts of an observation count here.
        return prove({ data, seen: { [own.txid]: shown as never } })
      }
      const known = { mined: { txid: own.txid, height: 5n, final: false } }
      const gone = { type: `${purpose}.unsettled` }
      expect(await tell({ status: "unseen" }, known)).toEqual(gone)
      expect(await tell({ status: "pending" }, known)).toEqual(gone)
      const rival = { status: "excluded", by: "x", final: true } as const
      const news = { type: "order.observed", paid: false, refunded: false, alerts: [] }
      expect(await tell(rival, known)).toMatchObject({ ...news, excluded: purpose })
      expect(await tell({ ...rival, final: false }, known)).toEqual(gone)
      expect(await tell(block)).toMatchObject({ ...news, landed: { purpose, final: false } })
      expect(await tell({ ...block, final: true }, known)).toMatchObject({
        ...news,
        landed: { purpose, final: true },
      })
      const waiting = { type: "order.unproven", alerts: [] }
      expect(await tell(block, known)).toEqual(waiting)
      expect(await tell({ status: "unseen" }, {}, true)).toEqual(waiting)
      expect(asked).toEqual([])
      await tell({ status: "unseen" })
      await tell(block, { settled: true })
      expect(asked).toEqual(["destination"])
    },
  )

  test("alerts of a payout that stays open", async () => {
    const event = await prove({ data: route, waitedMs: PATIENCE_MS + 1 })
    expect(event).toMatchObject({ alerts: [{ code: "ending.unproven", what: OPEN_PAYOUT }] })
    const other = await prove({ proof: SILENT, waitedMs: PATIENCE_MS + 1 })
    expect(other).not.toHaveProperty(["alerts", "0", "what"])
  })

  test("is held where a transaction that is not ours took its place", async () => {
    const rivals = ["stranger"]
    const event = await prove({ proof: { ...EMPTY, rivals } })
    expect(event).toMatchObject({ type: "order.held", reasons: [{ by: "stranger" }] })
    const expired = await prove({ proof: { ...EMPTY, rivals: ["expired"] } })
    expect(expired).toMatchObject({ type: "order.unfunded", rivals: ["expired"] })
  })
})
