import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { ISSUER_FAULTS } from "./infrastructure.ts"
import { LIES } from "./lying-endpoint.ts"
import { formatFailure, runSeeds } from "./run-seeds.ts"
import { type SimResult, simulate } from "./simulate.ts"

/** Each failed before its repair (SEEDS.md). */
const PINNED_SEEDS = [771_560, 9_001_482, 9_010_314, 9_013_165, 9_015_335, 9_016_367]
const PINNED_HONEST_SEEDS = [283, 418]
const PINNED_OWN_SECRET_SEEDS = [507, 776, 807]
const SCRIPT = join(import.meta.dirname, "../../../scripts/sim.ts")

describe("the fault simulator", { timeout: 120_000 }, () => {
  test("runs seeds without a violation", async () => {
    const failures: string[] = []
    const results = await runSeeds({ from: 1, to: 14 }, (result) => {
      if (result.violations.length > 0) failures.push(formatFailure(result))
    })
    expect(failures).toEqual([])
    const outcomes = new Set(results.flatMap((result) => result.outcomes))
    expect(outcomes).toContain("completed")
    expect(outcomes).toContain("rejected")
    expect(results.reduce((sum, { kills }) => sum + kills, 0)).toBeGreaterThan(10)
  })

  test("runs seeds that failed once", async () => {
    for (const seed of PINNED_SEEDS)
      expect((await simulate({ seed })).violations, `seed ${seed}`).toEqual([])
    for (const seed of PINNED_HONEST_SEEDS)
      expect((await simulate({ seed, mode: "honest" })).violations, `honest seed ${seed}`).toEqual(
        [],
      )
    for (const seed of PINNED_OWN_SECRET_SEEDS)
      expect(
        (await simulate({ seed, ownSecrets: true })).violations,
        `seed ${seed} with own secrets`,
      ).toEqual([])
  })

  test("holds no order for a person while nodes are honest", async () => {
    const failures: string[] = []
    const again = { mode: "honest" } as const
    const results = await runSeeds(
      { from: 1, to: 6, caseOf: (seed) => ({ seed, ...again }) },
      (result) => {
        if (result.violations.length > 0)
          failures.push(formatFailure(result, { seed: result.seed, ...again }))
      },
    )
    expect(failures).toEqual([])
    expect(results.every(({ profile }) => profile.infrastructure.kind === "honest")).toBe(true)
    expect(results.flatMap(({ outcomes }) => outcomes)).toContain("completed")
  })

  test(
    "loses no more than the deposits that service and solver take, while an endpoint lies with " +
      "them",
    async () => {
      const failures: string[] = []
      const again = { mode: "collusion", orders: 15 } as const
      const results = await runSeeds(
        { from: 1, to: 2, caseOf: (seed) => ({ seed, ...again }) },
        (result) => {
          if (result.violations.length > 0)
            failures.push(formatFailure(result, { seed: result.seed, ...again }))
        },
      )
      expect(failures).toEqual([])
      const sum = (of: (result: SimResult) => number): number =>
        results.reduce((total, result) => total + of(result), 0)
      expect(sum(({ taken }) => taken)).toBeGreaterThan(0)
      // Without deposits there is nothing to lose, and the run shows nothing.
      expect(sum(({ deposited }) => deposited)).toBeGreaterThan(sum(({ orders }) => orders) * 0.7)
      // Two seeds reach most kinds of lies: no order may come to the proof of an empty HTLC, for
      // example.
      expect(new Set(results.flatMap(({ lies }) => [...lies.keys()])).size).toBeGreaterThan(
        LIES.length / 2,
      )
      expect(results.flatMap(({ outcomes }) => outcomes)).toContain("refunded")
    },
  )

  test("mints every burn or names it, beside strangers and a service that lies", async () => {
    const failures: string[] = []
    const again = { routes: true } as const
    const results = await runSeeds(
      { from: 1, to: 12, caseOf: (seed) => ({ seed, ...again }) },
      (result) => {
        if (result.violations.length > 0)
          failures.push(formatFailure(result, { seed: result.seed, ...again }))
      },
    )
    expect(failures).toEqual([])
    expect(results.reduce((sum, { deposited }) => sum + deposited, 0)).toBeGreaterThan(10)
    const met = new Set(results.flatMap(({ faults }) => [...faults.keys()]))
    expect(ISSUER_FAULTS.filter((kind) => !met.has(kind))).toEqual([])
  })

  test("mints the burns of a crowd, within the issuer's limit", async () => {
    const { violations, burns } = await simulate({ seed: 19, routes: true, crowded: true })
    expect(violations).toEqual([])
    expect(burns?.orders).toBeGreaterThan(40)
    expect(burns?.minted).toBe(burns?.burns)
  })

  test("gives the same run for a seed, also in another process", async () => {
    const first = await simulate({ seed: 6 })
    const second = await simulate({ seed: 6 })
    const other = await simulate({ seed: 7 })
    expect(second.hash).toBe(first.hash)
    expect(other.hash).not.toBe(first.hash)
    const elsewhere = execFileSync(process.execPath, [SCRIPT, "--hash", "--seed", "6"], {
      encoding: "utf8",
    })
    expect(elsewhere.trim()).toBe(first.hash)
  })
})
