import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import type { Reason } from "#domain/reason.ts"
import type { TransactionRequest } from "#domain/transaction.ts"
import { planPair } from "#engine/orders/deposit/plan-pair.ts"
import type { OrderData } from "#order/data.ts"
import type { ChainPort } from "#ports/chain.ts"
import { samplePlan } from "../../../support/order-sample.ts"
import { sampleData, sampleJob } from "../../../support/sample-job.ts"

const APPROVE = samplePlan("approve", 0)
const DEPOSIT = samplePlan("deposit", 0)
const reason = (code: string): Reason => ({ code, message: code })
const REVERTS = reason("evm.simulation_reverted")
const POOR = reason("evm.insufficient_funds")

type Scene = {
  readonly data?: Partial<OrderData>
  /** Why the node refuses to plan one of the two. */
  readonly refused?: { readonly approve?: Reason; readonly deposit?: Reason }
  readonly canPair?: boolean
  readonly hasPairs?: boolean
  readonly signedBefore?: boolean
  readonly isAlone?: boolean
}

async function plan(scene: Scene) {
  const { data = {}, refused = {}, canPair = true, hasPairs = true } = scene
  const asked: string[] = []
  const planTransaction = async (request: TransactionRequest) => {
    const isPaired = "isPaired" in request && request.isPaired === true
    asked.push(`${request.action}${isPaired ? " paired" : ""}`)
    const against = request.action === "approve" ? refused.approve : refused.deposit
    if (against !== undefined) return { refused: [against] }
    return request.action === "approve" ? APPROVE : DEPOSIT
  }
  // CAST: a pair needs no more of the port.
  const chain = {
    traits: familyNamed("evm").traits,
    planTransaction,
    nonces: {},
    ...(hasPairs ? { pairs: { canPair: async () => canPair } } : {}),
  } as unknown as ChainPort
  const known = sampleData({}, data)
  const journal = {
    // CAST: only the number of rows counts.
    listOf: () => (scene.signedBefore ? [{}] : []) as never,
    listReserved: () => new Set<string>(),
    findHolder: () => (scene.isAlone ? known.id : null),
  }
  const job = sampleJob(known, { chain, journal })
  return { result: await planPair(job, { ...chain, account: "wallet" }), asked }
}

describe("an approval and its deposit", () => {
  test("are planned together, the deposit with its pair", async () => {
    const { result, asked } = await plan({})
    expect(asked).toEqual(["approve", "initiate paired"])
    const companion = { purpose: "approve", plan: APPROVE }
    expect(result?.event).toEqual({ type: "transaction.planned", plan: DEPOSIT, companion })
    expect(result?.recheck).toEqual(expect.any(Function))
  })

  test.each<readonly [string, Scene]>([
    ["its chain binds no pairs", { hasPairs: false }],
    // CAST: only its presence counts.
    ["a relay has a signature", { data: { gasless: {} as never } }],
    ["this order has the allowance alone", { isAlone: true }],
    ["this order has signed before", { signedBefore: true }],
    ["its token allows none", { canPair: false }],
  ])("go apart, and nothing is planned, where %s", async (_what, scene) => {
    expect(await plan(scene)).toEqual({ result: null, asked: [] })
  })

  test.each<readonly [string, Scene["refused"], string | null, number]>([
    ["the approval would revert", { approve: REVERTS }, null, 1],
    ["the approval cannot be paid", { approve: POOR }, "work.deferred", 1],
    ["the deposit would revert behind it", { deposit: REVERTS }, null, 2],
    ["the deposit cannot be paid", { deposit: POOR }, "order.declined", 2],
  ])("where %s", async (_what, refused = {}, event, plans) => {
    const { result, asked } = await plan({ refused })
    expect([result?.event.type ?? null, asked.length]).toEqual([event, plans])
  })
})
