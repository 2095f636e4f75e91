import { describe, expect, test } from "vitest"
import type { TransactionPlan } from "#domain/transaction.ts"
import { bindPair, bindPlan, bindsLate, reserveWithPlan } from "#engine/orders/deposit/bind-plan.ts"
import type { ChainPort } from "#ports/chain.ts"
import { BTC, ETH } from "../../support/fake-world.ts"
import { SAMPLE, samplePlan } from "../../support/order-sample.ts"
import { sampleData, sampleJob } from "../../support/sample-job.ts"

const SPENDS = [{ asset: ETH, units: 5n }]
const PLAN: TransactionPlan = { ...samplePlan("deposit", 0), spends: SPENDS }
const BOUND: TransactionPlan = { ...PLAN, resources: ["nonce:7"], maxFeeUnits: 1n }
const APPROVE: TransactionPlan = { ...samplePlan("approve", 0), resources: ["nonce:0"] }

type Row = { readonly chain: string; readonly account: string; readonly resources: string[] }

/** A chain that gives these plans their nonces, and what it hears of taken ones. */
function scene(given: readonly TransactionPlan[], rows: readonly Row[] = []) {
  const heard: string[][] = []
  const [first = BOUND, second = BOUND] = given
  const hear = (taken: ReadonlySet<string>): void => void heard.push([...taken].sort())
  const chain = {
    nonces: {
      bindPlan: async (_plan: TransactionPlan, taken: ReadonlySet<string>) => {
        hear(taken)
        return first
      },
    },
    pairs: {
      bindPair: async (_plans: unknown, taken: ReadonlySet<string>) => {
        hear(taken)
        return [first, second] as const
      },
    },
  }
  const journal = {
    listOf: () => rows,
    listReserved: (prefix: string) => new Set([`${prefix}nonce:1`]),
  }
  // CAST: a chain's binding needs no more of its ports.
  const job = sampleJob(sampleData(), { chain: chain as never, journal: journal as never })
  return { job, heard, chain: job.context.chains.get(SAMPLE.deposit.chain) as ChainPort }
}

describe("a plan whose nonce is provisional", () => {
  test("gets a nonce that no other order and no claim of its own has", async () => {
    const { chain } = SAMPLE.deposit
    const rows = [
      { chain, account: "wallet", resources: ["nonce:2"] },
      { chain, account: "", resources: ["nonce:3"] },
      { chain, account: "another", resources: ["nonce:4"] },
      { chain: "arbitrum", account: "wallet", resources: ["nonce:5"] },
    ]
    const { job, heard } = scene([BOUND], rows)
    expect(await bindPlan(job, PLAN)).toEqual(BOUND)
    expect(heard).toEqual([["base_sepolia/wallet/nonce:1", "nonce:2", "nonce:3"]])
  })

  test.each<readonly [string, Partial<TransactionPlan>]>([
    ["its chain", { chain: SAMPLE.input.request.to.split(":")[0] as never }],
    ["its account", { account: "another" }],
    ["its action", { action: "void" }],
    ["its attempt", { attempt: 1 }],
    ["a higher fee", { maxFeeUnits: 2n }],
    ["a further amount", { spends: [...SPENDS, { asset: ETH, units: 1n }] }],
    ["no amount", { spends: [] }],
    ["another asset", { spends: [{ asset: BTC, units: 5n }] }],
    ["another amount", { spends: [{ asset: ETH, units: 6n }] }],
  ])("is never signed with %s changed by the binding", async (_what, change) => {
    const { job } = scene([{ ...BOUND, ...change }])
    await expect(bindPlan(job, PLAN)).rejects.toMatchObject({ code: "bug.assertion" })
  })

  test("may cost less once it is bound", async () => {
    const { job } = scene([{ ...BOUND, maxFeeUnits: 0n }])
    expect(await bindPlan(job, PLAN)).toMatchObject({ maxFeeUnits: 0n })
  })

  test("reserves nothing; a void, a higher fee, and a plan of a chain without nonces do", () => {
    const { chain } = scene([])
    const names = ["base_sepolia/wallet/nonce:0"]
    expect(reserveWithPlan(chain, PLAN)).toEqual([])
    expect(reserveWithPlan(chain, { ...PLAN, action: "void" })).toEqual(names)
    expect(reserveWithPlan(chain, { ...PLAN, attempt: 1 })).toEqual(names)
    // CAST: the chain of a family without nonces.
    const without = { ...chain, nonces: undefined } as unknown as ChainPort
    expect(reserveWithPlan(without, PLAN)).toEqual(names)
    expect(bindsLate(without, PLAN)).toBe(false)
  })
})

describe("a pair of an approval and its deposit", () => {
  const pair = [APPROVE, PLAN] as const
  const bound = [{ ...APPROVE, resources: ["nonce:6"] }, BOUND] as const

  test("gets two nonces", async () => {
    const { job, heard } = scene(bound)
    expect(await bindPair(job, pair)).toEqual(bound)
    expect(heard).toEqual([["base_sepolia/wallet/nonce:1"]])
  })

  test.each([0, 1])("of which plan %i is bound already stays as it is", async (at) => {
    const { job, heard } = scene(bound)
    const replaced = pair.map((plan, index) => (index === at ? { ...plan, attempt: 1 } : plan))
    // CAST: still two plans.
    const plans = replaced as unknown as typeof pair
    expect(await bindPair(job, plans)).toBe(plans)
    expect(heard).toEqual([])
  })

  test.each<readonly [string, readonly TransactionPlan[]]>([
    ["one nonce for both", [{ ...APPROVE, resources: ["nonce:7"] }, BOUND]],
    ["a dearer approval", [{ ...bound[0], maxFeeUnits: 9n }, BOUND]],
    ["a dearer deposit", [bound[0], { ...BOUND, maxFeeUnits: 9n }]],
  ])("is never signed with %s", async (_what, given) => {
    await expect(bindPair(scene(given).job, pair)).rejects.toMatchObject({ code: "bug.assertion" })
  })
})
