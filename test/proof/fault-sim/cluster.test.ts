import { describe, expect, test } from "vitest"
import { IS_SAMPLED } from "../../support/ci-sample.ts"
import { CLUSTER_MUTANTS } from "./cluster/cluster-mutants.ts"
import { tryMutatedEngines } from "./mutated-engines.ts"
import { formatCommand } from "./sim-case.ts"
import { simulate } from "./simulate.ts"

describe("two simulated daemons with one log", () => {
  test("keep every promise while leaders end and servers fail, and a seed repeats its run", {
    timeout: 120_000,
  }, async () => {
    const results = []
    for (const seed of [1, 2, 1]) {
      const result = await simulate({ seed, cluster: true })
      expect(result.violations, `npm run sim -- --seed ${seed} --cluster`).toEqual([])
      results.push(result)
    }
    expect(results.reduce((sum, { takeOvers }) => sum + takeOvers, 0)).toBeGreaterThan(5)
    expect(results[2]?.hash).toBe(results[0]?.hash)
  })

  test("a schedule is judged by the clock of the machine that leads, and a missed occurrence that " +
    "fires is found", {
    timeout: 120_000,
  }, async () => {
    // A machine with a wrong clock, and one that tries an occurrence in time before a long jump.
    for (const seed of [910_935, 910_214])
      expect((await simulate({ seed, cluster: true })).violations).toEqual([])
    const { violations } = await simulate({
      seed: 910_214,
      cluster: true,
      bug: "missed occurrence fires",
    })
    expect(violations.map(({ checker }) => checker)).toContain("catch_up: skip")
  })

  test.skipIf(IS_SAMPLED)(
    "busy seeds keep every promise with take-overs between many orders",
    {
      timeout: 120_000,
    },
    async () => {
      let sum = 0
      for (const seed of [11, 12, 13]) {
        const run = { seed, cluster: true, mode: "busy", orders: 80 } as const
        const { violations, takeOvers, deposited } = await simulate(run)
        expect(violations, formatCommand(run)).toEqual([])
        expect(takeOvers).toBeGreaterThan(1)
        sum += deposited
      }
      expect(sum).toBeGreaterThan(40)
    },
  )

  test("a lease by the machine's clock and an early append are found", {
    timeout: 120_000,
  }, async () => {
    const chosen = CLUSTER_MUTANTS.filter(({ name }) =>
      /machine's clock|before its acknowledgement/.test(name),
    )
    const tried = await tryMutatedEngines({ from: 1, seeds: 3, byAny: true }, chosen)
    expect(tried.map(({ message }) => message.split(":")[0])).toEqual([
      "an effect has its proof",
      "nothing acknowledged is lost",
    ])
  })

  test("an append that does not keep a take-over waiting is found", {
    timeout: 120_000,
  }, async () => {
    expect((await simulate({ seed: 2, cluster: true, lateAppends: true })).violations).toEqual([])
    // About one seed of four has a take-over just beside such an append.
    const [tried] = await tryMutatedEngines(
      { from: 1, seeds: 20, byAny: true },
      CLUSTER_MUTANTS.filter(({ name }) => name.includes("key share")),
    )
    expect(tried?.message).toContain("no append of an older epoch")
  })

  test("a promoted server that lacks acknowledged groups is found", {
    timeout: 120_000,
  }, async () => {
    const found: string[] = []
    for (let seed = 1; seed <= 6 && found.length === 0; seed++) {
      const { violations } = await simulate({ seed, cluster: true, asynchronous: true })
      found.push(...violations.map(({ checker }) => checker))
    }
    expect(found[0]).toBe("nothing acknowledged is lost")
  })
})
