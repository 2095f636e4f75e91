import { describe, expect, test } from "vitest"
import type { AssetId } from "#domain/asset.ts"
import { ciSample } from "../../../support/ci-sample.ts"
import { ARB, BTC, ETH, SNBTC, SOL, WBTC } from "../../../support/fake-world.ts"
import { tryMutatedEngines } from "../mutated-engines.ts"
import type { PlantedBug } from "../planted-bugs.ts"
import { findPlantedBugs, formatFailure } from "../run-seeds.ts"
import type { SimCase } from "../sim-case.ts"
import { simulate } from "../simulate.ts"
import { ADVERSARY_MUTANTS } from "./adversary-mutants.ts"
import { type Means, PRICES } from "./prices.ts"
import { createPurse } from "./purse.ts"

const NOTHING_LOST = { lost: { orders: 0, units: 0n }, frozen: { orders: 0, units: 0n } }

describe("a spending adversary", { timeout: 300_000 }, () => {
  test("takes no principal, and forces a bounded cost on us", async () => {
    const task = { mode: "adversary", ownSecrets: true } as const
    const result = await simulate({ seed: 8, ...task })
    expect(result.violations, formatFailure(result, { seed: 8, ...task })).toEqual([])
    expect(result.bill).toMatchObject(NOTHING_LOST)
    expect(result.bill?.attacked).toBeGreaterThan(5)
    expect([...(result.bill?.spent.keys() ?? [])]).toContain("block space")
    expect(result.bill?.mostForcedPercent).toBeLessThan(100)
  })

  test.for<readonly [PlantedBug, Partial<SimCase>]>([
    [
      "hints share the request of a leg",
      {
        orders: 2,
        means: ["EVM: a receipt of megabytes that the service names"],
        pair: [BTC, ETH],
      },
    ],
    ["another output than the observed one is spent", { seed: 5, orders: 10 }],
    [
      "no estimate counts as a low one",
      {
        seed: 3,
        orders: 6,
        means: ["a node without an estimate", "a full network", "block space"],
        pair: [ARB, BTC],
      },
    ],
  ])("finds a planted mistake: %s", async ([bug, few]) => {
    const run = (task: SimCase) => simulate({ ...task, ...few })
    const { seed = 1 } = few
    expect(await findPlantedBugs(seed, 1, [bug], run)).toMatchObject([{ bug, seeds: 1 }])
  })

  const mutated = [
    ["a secret is told without its payout", 10],
    ["a secret is told however little of the lock is left", 2],
    ["a secret is told without coin for its redemption", 7],
    ["the reserve for redemptions is what an estimate says", 5],
    ["a tower waits for both legs", 1],
    ["a redemption waits until its payout is read", 1],
    ["a refund waits until its deposit is read", 17],
    ["an unread leg counts as an empty one", 6],
    ["a secret is told for a payout that cannot arrive", 3],
    ["an unread leg raises no alarm", 4],
    ["deposits go on beside an unread leg", 4],
  ] as const
  test.for(ciSample(mutated, 4))("finds a mutated engine: %s", async ([mutant, from]) => {
    const mutants = ADVERSARY_MUTANTS.filter(({ name }) => name === mutant)
    const trial = { from, seeds: 1, byAny: true, compares: true }
    expect(await tryMutatedEngines(trial, mutants)).toMatchObject([{ seeds: 1 }])
  })

  // A freeze of the issuer excuses no loss to the adversary, and no violation.
  test.for([
    ["a secret is told without coin for its redemption", 7, "lost"],
    ["a secret is told for a payout that cannot arrive", 3, "frozen"],
  ] as const)("counts apart: %s", async ([mutant, from, kind]) => {
    const mutants = ADVERSARY_MUTANTS.filter(({ name }) => name === mutant)
    const trial = { from, seeds: 1, byAny: true, compares: true }
    const [found] = await tryMutatedEngines(trial, mutants)
    const { lost, frozen } = found?.bill ?? {}
    expect(found?.message).toMatch(/^no deposit without a payout/)
    expect((kind === "lost" ? lost : frozen)?.orders).toBeGreaterThan(0)
    expect(kind === "lost" ? frozen : lost).toEqual({ orders: 0, units: 0n })
  })

  // Every means, on a route that meets it, with the death of the process after each commit.
  test.for(
    // CAST: the keys of the list.
    ciSample(Object.keys(PRICES) as Means[], 3),
  )("takes nothing where each commit is the last one of its process: %s", async (means) => {
    const [name = ""] = means.split(":")
    const task = {
      // With this seed two million transactions hide a payout, which takes twenty looks.
      seed: name === "Solana" ? 2 : 1,
      mode: "adversary",
      ownSecrets: true,
      killsEachCommit: true,
      orders: 4,
      means: [means],
      pair: ROUTE_OF[name] ?? [BTC, WBTC],
    } as const
    const result = await simulate(task)
    expect(result.violations, formatFailure(result, task)).toEqual([])
    expect(result.bill).toMatchObject(NOTHING_LOST)
    expect([...(result.bill?.spent.keys() ?? [])]).toContain(means)
    expect(result.kills).toBeGreaterThan(5)
  })
})

/** Coin that the wallet pays its redemption with; a payee that an issuer can freeze; one family. */
const ROUTE_OF: Readonly<Record<string, readonly [AssetId, AssetId]>> = {
  Solana: [BTC, SOL],
  Bitcoin: [ETH, BTC],
  EVM: [SOL, ETH],
  Starknet: [WBTC, SNBTC],
  "a frozen payee": [SOL, WBTC],
  "a wallet with little coin": [ARB, ETH],
  "a lost machine": [ARB, ETH],
}

test("a purse pays up to ten times the worth of its order, and each order has its own", () => {
  const purse = createPurse()
  const order = { orderId: "one", sourceUnits: 100n }
  expect(purse.pay(order, "block space", 600n)).toBe(true)
  expect(purse.pay(order, "block space", 401n)).toBe(false)
  expect(purse.afford(order, "block space")).toBe(400n)
  expect(purse.pay({ ...order, orderId: "two" }, "block space", 1_000n)).toBe(true)
  purse.note("a slow node")
  expect(purse.spent().get("block space")).toEqual({
    times: 2,
    fiat: 1_600n * PRICES["block space"].each,
  })
  expect(purse.spent().get("a slow node")).toEqual({ times: 1, fiat: 0n })
})
