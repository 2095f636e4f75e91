import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { PAUSE_FLAG } from "#domain/pause.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { signTransaction, signTransactionWork } from "#engine/orders/deposit/sign-transaction.ts"
import type { Job } from "#engine/orders/observe/job.ts"
import type { OrderData, OwnSecret, TransactionPurpose } from "#order/data.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { SignatureClaim } from "#ports/signing-record.ts"
import { failure } from "../../../support/faults.ts"
import { SAMPLE, samplePlan, sampleTransaction } from "../../../support/order-sample.ts"
import { emptyLeg, sampleData, sampleJob } from "../../../support/sample-job.ts"

const EVM = familyNamed("evm").traits
const TO = SAMPLE.input.request.to.split(":")[0] ?? ""
type Stored = { readonly digest: string; readonly attempt: number; readonly plan: object | null }

type Scene = {
  readonly kind?: TransactionPurpose
  readonly plan?: Partial<TransactionPlan>
  readonly open?: Stored | null
  readonly over?: Partial<OrderData>
  readonly nowMs?: number
  readonly payout?: LegObservation | Error
  readonly isPaused?: boolean
  readonly signed?: OrderData["transactions"]["deposit"]["signed"]
  readonly bindsNonces?: boolean
}

function scene(given: Scene) {
  const { kind = "deposit", open = null, over = {}, nowMs = 999, signed = [] } = given
  const fresh = sampleData({}, over)
  const plan = { ...samplePlan(kind, 0), ...given.plan }
  const track = { ...fresh.transactions[kind], plan, signed }
  const data = { ...fresh, transactions: { ...fresh.transactions, [kind]: track } }
  const done: string[] = []
  const registered: SignatureClaim[] = []
  const contexts: object[] = []
  const bindPlan = async (one: TransactionPlan) => ({ ...one, resources: ["nonce:9"] })
  const nonces = { nonces: { bindPlan, takeNonce: async () => null } }
  const port: Partial<ChainPort> = {
    traits: EVM,
    ...(given.bindsNonces === false ? {} : nonces),
    observeLeg: async () => {
      done.push("look")
      if (given.payout instanceof Error) throw given.payout
      return given.payout ?? emptyLeg(9n)
    },
    fetchHeight: async () => 9n,
    signTransaction: async (one, context) => {
      done.push(`sign ${one.digest} ${one.resources.join()}`)
      contexts.push(context ?? {})
      return sampleTransaction(one)
    },
  }
  const journal = {
    findOpenClaim: () => open as never,
    claimSignature: (...rows: SignatureClaim[]) => void registered.push(...rows),
    listReserved: () => new Set<string>(),
    listOf: () => [],
    listSigners: () => [],
    findHolder: () => null,
    listSecretDecisions: () => [],
    readFlag: (key: string) => (given.isPaused && key === PAUSE_FLAG ? "now" : null),
  }
  const leaveLane = () => void done.push("leave")
  const job: Job = sampleJob(data, { chain: port, journal }, { nowMs, leaveLane })
  Object.assign(job.context.chains.get(TO as never) ?? {}, { ...port, account: "payee" })
  return { job, done, registered, contexts, kind }
}

async function sign(given: Scene) {
  const { job, done, registered, contexts, kind } = scene(given)
  const work = { kind: "signTransaction", purpose: kind } as const
  const { event } = await signTransactionWork.perform(job, work)
  return { event, done: done.filter((one) => one !== "leave"), all: done, registered, contexts }
}

describe("a plan with an open claim is signed again", () => {
  const planned = samplePlan("deposit", 0)
  const stored = { ...planned, digest: "bound", resources: ["nonce:5"] }
  const known = (over: Partial<Stored> = {}): Stored => {
    return { digest: "bound", attempt: 0, plan: stored, ...over }
  }
  const BOUND = "sign bound nonce:5"
  const ANEW = "sign deposit 0 nonce:9"

  test.each<[string, Scene, string]>([
    ["as the claim has it", { open: known() }, BOUND],
    [
      "as planned where the digest is its own",
      { open: known({ digest: planned.digest }) },
      "sign deposit 0 nonce:0",
    ],
    ["with a new nonce without a claim", {}, ANEW],
    ["with a new nonce where the claim has no plan", { open: known({ plan: null }) }, ANEW],
    [
      "with a new nonce beside the claim of a void",
      { open: known({ plan: { ...stored, action: "void" } }) },
      ANEW,
    ],
    ["with a new nonce beside the claim of another fee", { open: known({ attempt: 1 }) }, ANEW],
    [
      "as planned with a higher fee beside the claim of the same fee",
      { plan: { attempt: 1 }, open: known({ attempt: 1 }) },
      "sign deposit 0 nonce:0",
    ],
    [
      "as planned as a void beside the claim of a void",
      { kind: "void", open: known({ plan: { ...stored, action: "void" } }) },
      "sign void 0 nonce:0",
    ],
  ])("%s", async (_what, given, expected) => {
    expect((await sign(given)).done).toEqual([expected])
  })

  test("also late and beside an earlier order's bytes, unlike one without a claim", async () => {
    const late = { nowMs: 1_000 }
    expect((await sign({ open: known(), ...late })).done).toEqual([BOUND])
    const { event, done, registered } = await sign(late)
    expect([event.type, done, registered]).toEqual(["order.declined", [], []])
  })
})

describe("a pause", () => {
  const isPaused = true
  const attempt = sampleTransaction(samplePlan("deposit", 0))

  test("keeps the first signature of a deposit back, and ends a higher fee of one", async () => {
    expect((await sign({ isPaused })).event.type).toBe("work.deferred")
    expect((await sign({ isPaused, signed: [attempt] })).event.type).toBe("order.declined")
    expect((await sign({ isPaused, kind: "refund" })).event.type).toBe("transaction.signed")
  })

  test("lets work run whose deposit is signed already, or that protects the funds", () => {
    const whilePaused = (given: Scene) => {
      const { job, kind } = scene(given)
      return signTransactionWork.whilePaused(
        { kind: "signTransaction", purpose: kind },
        { data: job.data, isFirstTry: true },
      )
    }
    expect(whilePaused({})).toBe("waits")
    expect(whilePaused({ kind: "approve" })).toBe("waits")
    expect(whilePaused({ signed: [attempt] })).toBe("runs")
    expect(whilePaused({ kind: "void" })).toBe("runs")
  })

  test("the work is refused as a decline before the deposit, and held after it", () => {
    const refused = (purpose: TransactionPurpose) =>
      signTransactionWork.onRefused({ kind: "signTransaction", purpose })
    expect((["approve", "deposit"] as const).map(refused)).toEqual([
      "order.declined",
      "order.declined",
    ])
    for (const kind of ["void", "refund", "revoke", "redeem"] as const)
      expect(refused(kind), kind).toBe("order.held")
  })
})

describe("the account's lane is free", () => {
  test.each<[TransactionPurpose, boolean]>([
    ["deposit", true],
    ["refund", true],
    ["void", true],
    ["approve", false],
    ["revoke", false],
  ])("before the signature of a lone %s: %s", async (kind, isFree) => {
    const { all } = await sign({ kind })
    expect(all[0] === "leave").toBe(isFree)
    expect(all.filter((one) => one === "leave")).toHaveLength(isFree ? 1 : 0)
  })

  test("only after the signatures of a pair", async () => {
    const approve = { ...sampleData().transactions.approve, isPaired: true }
    const plan = samplePlan("approve", 0)
    const { transactions } = sampleData()
    const over = { transactions: { ...transactions, approve: { ...approve, plan } } }
    const found = await sign({ over, bindsNonces: false })
    expect(found.all).toEqual(["sign approve 0 nonce:0", "sign deposit 0 nonce:0"])
    expect(found.event).toMatchObject({ companion: { purpose: "approve" } })
    const [deposit, approval] = found.registered
    expect(deposit?.reserve?.[0]).toMatch(/^lock\//)
    expect(approval?.reserve).toEqual(["base_sepolia/wallet/nonce:0"])
  })
})

describe("a payout that anyone with its voucher can take", () => {
  const quote = { ...SAMPLE.quote, kind: "cctp" } as OrderData["quote"]
  const deposit = { ...SAMPLE.deposit, kind: "cctp" } as unknown as OrderData["deposit"]
  const secret = { nonce: "1", hash: "ab", revealedAt: null, isTold: false } as const
  // CAST: only whether it was taken counts.
  const taken = { ...emptyLeg(9n), redeemed: { txid: "x" } } as unknown as LegObservation
  const order = (waitedMs: number): Partial<OrderData> => {
    return { quote, deposit, ownSecret: null, stateSince: 100_000 - waitedMs }
  }
  const take = (given: Scene) => sign({ kind: "redeem", nowMs: 100_000, ...given })
  const SIGNED = "sign redeem 0 nonce:9"

  test("is not looked for within ten seconds of its plan", async () => {
    for (const waitedMs of [0, 10_000, -10_000])
      expect((await take({ over: order(waitedMs), payout: taken })).done).toEqual([SIGNED])
  })

  test.each([10_001, -10_001])("is not redeemed again after it was taken (%i ms)", async (ms) => {
    const { event, done, registered } = await take({ over: order(ms), payout: taken })
    expect([event, done, registered]).toEqual([{ type: "transaction.late" }, ["look"], []])
  })

  test("is redeemed where it is open, and where no node tells its order observes it first", async () => {
    expect((await take({ over: order(60_000) })).done).toEqual(["look", SIGNED])
    const { event, done } = await take({ over: order(60_000), payout: failure("transient") })
    expect([event, done]).toEqual([{ type: "transaction.late" }, ["look"]])
  })

  test("is not looked for once a redemption is signed", async () => {
    const signed = [sampleTransaction(samplePlan("redeem", 0))]
    const again = await take({ over: order(60_000), payout: taken, signed })
    expect(again.done).toEqual([SIGNED])
  })

  test("is looked for in the same way where a secret of ours opens it", async () => {
    const own: OwnSecret = { ...secret, status: "revealed" }
    const { event, done } = await take({ over: { ownSecret: own, stateSince: 0 }, payout: taken })
    expect([event, done]).toEqual([{ type: "transaction.late" }, ["look"]])
    const unread = { over: { ownSecret: own, stateSince: 0 }, payout: failure("transient") }
    expect((await take(unread)).done, "its lock does not wait").toEqual(["look", SIGNED])
  })

  test("no refund looks for it", async () => {
    const found = await sign({ kind: "refund", over: order(60_000), payout: taken, nowMs: 100_000 })
    expect(found.done).toEqual(["sign refund 0 nonce:9"])
  })

  test.each<[string, Partial<OrderData>, boolean]>([
    ["of a voucher", order(0), true],
    ["of the service's secret", { ownSecret: null }, false],
    ["of a secret of ours", { ownSecret: { ...secret, status: "revealed" } }, false],
    ["of a shown secret", { ownSecret: { ...secret, status: "revealed", isShown: true } }, true],
  ])("the claim %s tells whether a secret leaves with it", async (_what, over, tellsNone) => {
    const { registered } = await take({ over })
    const [row] = registered
    expect(row?.tellsNoSecret ?? false).toBe(tellsNone)
    expect(row?.ownSecretHash).toBe(over.ownSecret?.hash)
  })
})

test("only a redemption tells the signer the payout's worth", async () => {
  const of = async (kind: TransactionPurpose) => {
    const { job, contexts } = scene({ kind, over: { terms: SAMPLE.terms } })
    const asset = {
      chain: TO,
      symbol: "btc",
      decimals: 8,
      token: null,
      id: SAMPLE.input.request.to,
    }
    const assets = new Map<string, object>([...job.context.settings.assets, [asset.id, asset]])
    Object.assign(job.context.settings, { assets })
    const coin = { traits: { ...EVM, nativeCoin: { symbol: "btc", decimals: 8 } } }
    Object.assign(job.context.chains.get(TO as never) ?? {}, coin)
    await signTransaction(kind)(job)
    return contexts[0]
  }
  const { deposit, id } = sampleData()
  expect(await of("redeem")).toEqual({ order: id, deposit, worthUnits: 9_970n })
  expect(await of("refund")).toEqual({ order: id, deposit })
})

test("a claim names the work that it follows from", async () => {
  const { job, registered } = scene({})
  await signTransaction("deposit")({ ...job, context: { ...job.context } })
  const known = scene({})
  const hasWork = { ...known.job.context.journal, hasWork: () => true }
  const context = { ...known.job.context, journal: hasWork } as unknown as Job["context"]
  await signTransaction("deposit")({ ...known.job, context, workId: 7 })
  expect(registered[0]).not.toHaveProperty("cause")
  expect(known.registered[0]).toMatchObject({ cause: 7, orderId: "order-1", purpose: "deposit" })
})
