import { describe, expect, test } from "vitest"
import { canMakeNamespaces } from "../proof/nemesis/network.ts"
import { runNemesis } from "../proof/nemesis/run-nemesis.ts"
import { hasPostgres } from "../support/start-postgres.ts"

describe.skipIf(!hasPostgres() || !canMakeNamespaces())(
  "two daemons among failing machines and networks",
  () => {
    test("thirty take-overs lose no order and double no deposit", {
      timeout: 900_000,
    }, async () => {
      const seed = Number(process.hrtime.bigint() % 1_000_000n)
      const lines: string[] = []
      const result = await runNemesis({
        seed,
        takeOvers: 30,
        longestMs: 8_000,
        say: (line) => lines.push(line),
      })
      const story = `seed ${seed}\n${lines.join("\n")}`
      expect(result.violations, story).toEqual([])
      expect(result.initiatesPerOrder, story).toBe(1)
      expect(result.takeOvers, story).toBeGreaterThanOrEqual(30)
      // A request at the moment of a fault may have no answer; most have one.
      expect(result.accepted, story).toBeGreaterThan(15)
      expect(result.signatures, story).toBeGreaterThan(result.accepted)
      process.stderr.write(
        `take-overs from a kill to ready, in ms: ${result.takeOverMs.join(" ")}\n`,
      )
    })
  },
)
