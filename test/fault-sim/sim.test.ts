import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { formatFailure, runSeeds } from "./run-seeds.ts"
import { simulate } from "./simulate.ts"

const SCRIPT = join(import.meta.dirname, "..", "..", "scripts", "sim.ts")

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

  test("gives the same run for a seed, also in another process", async () => {
    const [first, second, other] = [
      await simulate({ seed: 6 }),
      await simulate({ seed: 6 }),
      await simulate({ seed: 7 }),
    ]
    expect(second.hash).toBe(first.hash)
    expect(other.hash).not.toBe(first.hash)
    const elsewhere = execFileSync(process.execPath, [SCRIPT, "--hash", "--seed", "6"], { encoding: "utf8" })
    expect(elsewhere.trim()).toBe(first.hash)
  })
})
