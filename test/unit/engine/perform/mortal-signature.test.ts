import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { toChainId } from "#domain/asset.ts"
import type { SignatureLife } from "#domain/transaction.ts"
import { checkAllowance } from "#engine/orders/deposit/check-allowance.ts"
import { signTypedData } from "#engine/orders/deposit/sign-typed-data.ts"
import { observeInitiation } from "#engine/orders/observe/observe-initiation.ts"
import { proveUnfunded } from "#engine/orders/observe/prove-unfunded.ts"
import type { OrderData } from "#order/data.ts"
import type { Order } from "#order/step.ts"
import { step } from "#order/step.ts"
import type { RelayedDeposits } from "#ports/chain/capabilities.ts"
import type { LegObservation, UnfundedProof, UnfundedQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { SignatureRow } from "#ports/signing-record.ts"
import { NOTHING_SEEN } from "../../../support/order-sample.ts"
import { emptyLeg, PINNED, sampleData, sampleJob } from "../../../support/sample-job.ts"

/*
 * A gasless signature of Solana dies with its blockhash, and its HTLC takes a second deposit once
 * it has closed. So the order deposits directly only after the proof that the first can never land.
 */

const LIFE: SignatureLife = { blockhash: "hash", fromHeight: 5n, expiresAtHeight: 150n }
const UNFUNDED: UnfundedProof = { status: "unfunded", height: 10n, rivals: [] }
const UNSURE: UnfundedProof = { status: "unsure", reasons: [] }
const EARLY = 10_000
const LATE = 100_000
const PAST_PATIENCE = 30_000
const INITIATED = {
  txid: "relayed",
  height: 11n,
  confirmations: 1,
  seen: true,
  revealable: false,
  final: false,
  units: 10_000n,
}

describe("a signature that dies by itself", () => {
  test("leads to no direct deposit while a block may take it, however long the relay is silent", async () => {
    for (const refused of [true, false]) {
      const { event, asked } = await observe({ nowMs: PAST_PATIENCE, proof: UNSURE, refused })
      expect(event.type).toMatch(/^(work\.deferred|gasless\.missing)$/)
      expect(asked.map(({ relayed }) => relayed)).toEqual([LIFE])
    }
  })

  test("leads to a direct deposit once it is proven dead and unused", async () => {
    const { event } = await observe({ nowMs: PAST_PATIENCE, proof: UNFUNDED })
    expect(event).toMatchObject({
      type: "gasless.fell_through",
      reasons: [{ message: expect.stringContaining("no block can take its signature any more") }],
    })
  })

  test("ends the order then, where only gasless is allowed", async () => {
    const { event } = await observe({ nowMs: PAST_PATIENCE, proof: UNFUNDED, way: "gasless" })
    expect(event).toMatchObject({ type: "gasless.late", reasons: [{ code: "gasless.late" }] })
  })

  test("is not proven dead before the relay had its time", async () => {
    const { event, asked } = await observe({ nowMs: EARLY, proof: UNFUNDED })
    expect([event.type, asked]).toEqual(["gasless.missing", []])
  })

  test("that was used is a deposit, also late", async () => {
    const leg = { ...emptyLeg(11n), initiated: INITIATED }
    for (const nowMs of [EARLY, LATE])
      expect((await observe({ nowMs, proof: UNFUNDED, leg })).event).toMatchObject({
        type: "gasless.initiated",
      })
  })

  test("is in no doubt when the order is late: the order waits for the proof", async () => {
    const { event } = await observe({ nowMs: LATE, proof: UNSURE })
    expect(event.type).toBe("gasless.late")
    const order = { state: "gasless-confirming", data: dataWith({}) } as const
    const late = { at: LATE, ...event }
    expect(step(order, late).order.state).toBe("proving-unfunded")
  })

  test("is part of the proof that ends the order", async () => {
    const asked: UnfundedQuery[] = []
    await proveUnfunded(jobWith({ asked, proof: UNSURE, nowMs: LATE }))
    expect(asked.map(({ relayed }) => relayed)).toEqual([LIFE])
  })

  test("lasts for ever without a known life, as on EVM: the contract excludes the second", async () => {
    const { event, asked } = await observe({ nowMs: PAST_PATIENCE, proof: UNSURE, life: undefined })
    expect([event.type, asked]).toEqual(["gasless.fell_through", []])
  })
})

describe("an obstacle before the signature", () => {
  const STALE = [{ code: "solana.gasless_stale", message: "old" }]

  test("leads to a direct deposit where that is allowed, and nothing is claimed", async () => {
    for (const isLasting of [true, false]) {
      const { event, done } = await sign({ reasons: STALE, isLasting }, "auto")
      expect([event, done]).toEqual([{ type: "gasless.fell_through", reasons: STALE }, []])
      const order: Order = { state: "gasless-signing", data: { ...sampleData(), gasless: null } }
      const next = step(order, { at: EARLY, ...event }).order
      expect([next.state, next.data.reasons]).toEqual(["deposit-planning", STALE])
    }
  })

  test("ends or defers an order that may only deposit gasless", async () => {
    expect((await sign({ reasons: STALE, isLasting: true }, "gasless")).event.type).toBe(
      "order.declined",
    )
    expect((await sign({ reasons: STALE, isLasting: false }, "gasless")).event.type).toBe(
      "work.deferred",
    )
  })

  test("is none for a fresh transaction: its signature keeps its life and its name", async () => {
    const { event, done } = await sign({ reasons: [], isLasting: false }, "gasless")
    expect(event).toMatchObject({ type: "gasless.signed", life: LIFE, mark: "ours" })
    expect(done).toEqual(["claim", "sign"])
    const order: Order = { state: "gasless-signing", data: { ...sampleData(), gasless: null } }
    expect(step(order, { at: EARLY, ...event }).order.data.gasless?.life).toEqual(LIFE)
  })
})

test("a refused relay's transaction is named where only gasless is allowed", async () => {
  const finding = { code: "solana.gasless_terms", message: "other", expected: "1", found: "2" }
  const data = withWay(sampleData(), "gasless")
  const deposit = data.deposit && {
    ...data.deposit,
    hasTypedData: false,
    gaslessFindings: [finding],
  }
  const { event } = await checkAllowance(sampleJob({ ...data, deposit }, {}, { nowMs: 0 }))
  expect(event).toMatchObject({
    type: "order.declined",
    reasons: [{ code: "gasless.unavailable" }, finding],
  })
})

/** The signature is no transaction of ours, although its row has a name that the chain shows. */
const ROW: SignatureRow = {
  orderId: "order-1",
  purpose: "gasless",
  chain: toChainId("solana_testnet"),
  account: "us",
  attempt: 0,
  digest: "digest",
  resources: [],
  plan: null,
  txid: "ours",
  raw: "signature",
  settled: false,
  atMs: 0,
}

type Question = {
  readonly nowMs: number
  readonly proof: UnfundedProof
  readonly refused?: boolean
  readonly way?: OrderData["policy"]["way"]
  readonly leg?: LegObservation
  readonly life?: SignatureLife | undefined
}

async function observe(options: Question) {
  const asked: UnfundedQuery[] = []
  const { event } = await observeInitiation(jobWith({ ...options, asked }))
  return { event, asked }
}

function jobWith({
  asked,
  proof,
  nowMs,
  leg = emptyLeg(10n),
  ...over
}: Question & { asked: UnfundedQuery[] }) {
  const chain: Partial<ChainPort> = {
    traits: familyNamed("solana").traits,
    observeLeg: async () => leg,
    proveUnfunded: async (query) => {
      asked.push(query)
      return proof
    },
  }
  return sampleJob(dataWith(over), { chain, journal: { listOf: () => [ROW] } }, { nowMs })
}

function dataWith({ refused = false, way = "auto", ...over }: Partial<Question>): OrderData {
  const life = "life" in over ? over.life : LIFE
  const known = { digest: "", signature: "signature", signedAt: 0, submissions: 1, refused }
  const gasless = life === undefined ? known : { ...known, life }
  const data = sampleData({}, { gasless, seen: NOTHING_SEEN, sendUntilMs: LATE })
  return withWay(data, way)
}

function withWay(data: OrderData, way: OrderData["policy"]["way"]): OrderData {
  return { ...data, policy: { ...data.policy, way } }
}

async function sign(
  found: Awaited<ReturnType<RelayedDeposits["findObstacles"]>>,
  way: OrderData["policy"]["way"],
) {
  const done: string[] = []
  const chain: Partial<ChainPort> = {
    relayed: { findObstacles: async () => found },
    signTypedData: async () => {
      done.push("sign")
      return { digest: "digest", signature: "signature", life: LIFE, mark: "ours" }
    },
    contracts: {
      fetchContractIdentity: async () => ({ code: PINNED.code }),
      checkPayout: async () => [],
      fetchFeedPrice: () => null,
    },
  }
  const journal = { claimSignature: () => void done.push("claim") }
  const data = withWay(sampleData({}, { sendUntilMs: LATE }), way)
  const { event } = await signTypedData(sampleJob(data, { chain, journal }, { nowMs: EARLY }))
  return { event, done }
}
