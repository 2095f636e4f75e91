import { beforeEach, describe, expect, test } from "vitest"
import { bumpTransactionWork } from "#engine/orders/deposit/bump-transaction.ts"
import { findCompanion, findPlannedCompanion } from "#engine/orders/deposit/companion.ts"
import { AppError } from "#lib/app-error.ts"
import type { OrderData, TransactionPurpose, TransactionTrack } from "#order/data.ts"
import type { ChainPort } from "#ports/chain.ts"
import { samplePlan, sampleTransaction } from "../../../support/order-sample.ts"
import { emptyLeg, sampleData, sampleJob } from "../../../support/sample-job.ts"

const OPEN: TransactionTrack = { plan: null, signed: [], sentAt: null, mined: null }
const MINED = { txid: "a", height: 1n, seen: true, final: true }
const signed = (purpose: TransactionPurpose, action = purpose): TransactionTrack => {
  const plan = { ...samplePlan(purpose, 0), action: action as "approve" }
  return { ...OPEN, signed: [sampleTransaction(plan)] }
}

type Tracks = Partial<Record<TransactionPurpose, TransactionTrack>>
function dataOf(tracks: Tracks): OrderData {
  const data = sampleData()
  return { ...data, transactions: { ...data.transactions, ...tracks } }
}
const paired = { ...signed("approve"), isPaired: true }

describe("the transaction that a block must have first", () => {
  test.each<[string, TransactionPurpose, string | null, Tracks]>([
    ["a pair's approval before its deposit", "deposit", "approve", { approve: paired }],
    ["a pair's approval before the deposit's void", "void", "approve", { approve: paired }],
    ["none before a refund", "refund", null, { approve: paired }],
    ["none of an approval that went alone", "deposit", null, { approve: signed("approve") }],
    ["none of a settled approval", "deposit", null, { approve: { ...paired, settled: true } }],
    ["none of a mined approval", "deposit", null, { approve: { ...paired, mined: MINED } }],
    ["none of an unsigned approval", "deposit", null, { approve: { ...OPEN, isPaired: true } }],
    [
      "the void of the approval",
      "void",
      "revoke",
      { approve: paired, revoke: signed("revoke", "void") },
    ],
    [
      "not the void of the approval before a deposit",
      "deposit",
      "approve",
      { approve: paired, revoke: signed("revoke", "void") },
    ],
    [
      "not a settled void",
      "void",
      "approve",
      { approve: paired, revoke: { ...signed("revoke", "void"), settled: true } },
    ],
    ["not a revocation", "void", "approve", { approve: paired, revoke: signed("revoke") }],
  ])("%s", (_name, kind, expected, tracks) => {
    expect(findCompanion(dataOf(tracks), kind)?.purpose ?? null).toBe(expected)
  })

  test("is the newest of its attempts", () => {
    const first = sampleTransaction(samplePlan("approve", 0))
    const newest = sampleTransaction(samplePlan("approve", 1))
    const approve = { ...paired, signed: [first, newest] }
    expect(findCompanion(dataOf({ approve }), "deposit")?.transaction).toEqual(newest)
    const voids = [0, 1].map((attempt) => {
      return sampleTransaction({ ...samplePlan("revoke", attempt), action: "void" })
    })
    const revoke = { ...OPEN, signed: voids }
    expect(findCompanion(dataOf({ approve, revoke }), "void")?.transaction).toEqual(voids[1])
  })

  const planned = { ...OPEN, plan: samplePlan("approve", 0) }
  const voiding = { ...OPEN, plan: { ...samplePlan("revoke", 0), action: "void" as const } }
  test.each<[string, TransactionPurpose, string | null, Tracks]>([
    ["an approval", "deposit", "approve", { approve: { ...planned, isPaired: true } }],
    ["an approval that goes alone", "deposit", null, { approve: planned }],
    ["no approval", "deposit", null, { approve: paired }],
    [
      "an approval beside another transaction",
      "void",
      null,
      { approve: { ...planned, isPaired: true } },
    ],
    ["the void of an approval", "void", "revoke", { revoke: voiding }],
    ["the void of an approval beside a deposit", "deposit", null, { revoke: voiding }],
    ["a revocation", "void", null, { revoke: { ...OPEN, plan: samplePlan("revoke", 0) } }],
  ])("planned beside it: %s", (_name, kind, expected, tracks) => {
    expect(findPlannedCompanion(dataOf(tracks), kind)?.purpose ?? null).toBe(expected)
  })
})

describe("a higher fee", () => {
  const REFUSED = new AppError({ code: "gas.cap", disposition: "refused", message: "too dear" })
  let answers: Map<string, object | null | Error>
  let asked: unknown[][]
  let approvalSeen: string
  let left: bigint
  beforeEach(() => {
    answers = new Map()
    asked = []
    approvalSeen = "pending"
    left = 100n
  })

  async function bump(purpose: TransactionPurpose, tracks: Tracks, isStopped = false) {
    // CAST: only these parts of the port are used.
    const chain = {
      account: "us",
      traits: {},
      planBump: async (plan: { unsigned: string }, ...rest: readonly unknown[]) => {
        asked.push([plan.unsigned, ...rest.map((one) => one !== null)])
        const answer = answers.get(plan.unsigned)
        if (answer instanceof Error) throw answer
        return answer === undefined ? { ...plan, resources: [`nonce of ${plan.unsigned}`] } : answer
      },
      observeTransaction: async () => ({ status: approvalSeen, final: true }),
      observeLeg: async () => ({ ...emptyLeg(10n), refundableAt: 10n + left }),
      capRedeemFee: () => null,
    } as unknown as ChainPort
    const job = sampleJob(dataOf(tracks), { chain })
    const mode = isStopped ? "observe" : "live"
    const chains = new Map(
      [...job.context.chains.keys()].map((name) => [name, { ...chain, chain: name }]),
    )
    const work = { kind: "bumpTransaction", purpose } as const
    const { event, reserve } = await bumpTransactionWork.perform(
      { ...job, context: { ...job.context, chains, settings: { ...job.context.settings, mode } } },
      work,
    )
    const reasons = "reasons" in event ? (event.reasons ?? []).map(({ code }) => code) : []
    const companion = "companion" in event ? event.companion?.purpose : undefined
    return [event.type.replace("transaction.", ""), companion, ...(reserve ?? reasons)]
  }

  test("is planned on the same nonce, also of a redemption with its stake", async () => {
    expect(await bump("refund", { refund: signed("refund") })).toEqual([
      "planned",
      undefined,
      expect.stringMatching(/nonce of refund 0$/),
    ])
    await bump("redeem", { redeem: signed("redeem") })
    left = 1n
    await bump("redeem", { redeem: signed("redeem") })
    expect(asked).toEqual([["refund 0"], ["redeem 0", false, true], ["redeem 0", true]])
  })

  test("is planned of both transactions of a pair, the first one first", async () => {
    const tracks = { approve: paired, deposit: signed("deposit") }
    expect(await bump("deposit", tracks)).toEqual([
      "planned",
      "approve",
      expect.stringMatching(/nonce of approve 0$/),
      expect.stringMatching(/nonce of deposit 0$/),
    ])
  })

  test.each<[string, Record<string, object | null>, readonly string[]]>([
    ["there is none", { "deposit 0": null }, []],
    ["it is refused", { "deposit 0": REFUSED }, ["gas.cap"]],
    ["there is none of the first of a pair", { "approve 0": null }, []],
    ["both are refused", { "deposit 0": REFUSED, "approve 0": REFUSED }, ["gas.cap", "gas.cap"]],
    ["the first of a pair is refused", { "approve 0": REFUSED }, ["gas.cap"]],
  ])("cannot be planned when %s", async (_name, given, codes) => {
    answers = new Map(Object.entries(given))
    const found = await bump("deposit", { approve: paired, deposit: signed("deposit") })
    expect(found.slice(0, -1)).toEqual(["unbumpable", undefined, ...codes])
    expect(found.at(-1)).toMatch(/stuck/)
  })

  test("of a deposit waits while nothing may be sent", async () => {
    expect(await bump("deposit", { deposit: signed("deposit") }, true)).toEqual([
      "unbumpable",
      undefined,
    ])
    expect(asked).toEqual([])
    expect(await bump("refund", { refund: signed("refund") }, true)).toContain("planned")
  })

  test("fails with its node", async () => {
    const gone = new AppError({
      code: "evm.unreachable",
      disposition: "transient",
      message: "gone",
    })
    answers.set("refund 0", gone)
    await expect(bump("refund", { refund: signed("refund") })).rejects.toBe(gone)
  })
})
