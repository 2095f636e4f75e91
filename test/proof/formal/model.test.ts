import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { formatRules } from "./format-rules.ts"
import { MODEL_MUTANTS } from "./model-mutants.ts"
import { hasSpin, runSpin } from "./run-spin.ts"

test("the model's guards are those of the table: run `npm run generate`", () => {
  expect(readFileSync(join(import.meta.dirname, "rules.pml"), "utf8")).toBe(formatRules())
})

describe.skipIf(!hasSpin())("the formal model", { timeout: 180_000 }, () => {
  test("keeps every promise in every state: one order from its claim to its end, with two faults", () => {
    const { broken, states } = runSpin({ defines: ["FAULTS=2"] })
    expect(broken).toBeNull()
    expect(states).toBeGreaterThan(1_000_000)
  })

  test("keeps every promise in every state: two orders and their nonces, with one fault", () => {
    const { broken, states } = runSpin({ defines: ["FAULTS=1", "ORDERS=2", "NO_SECRET"] })
    expect(broken).toBeNull()
    expect(states).toBeGreaterThan(10_000)
  })

  test.for(MODEL_MUTANTS)("has a counterexample for a mistake: $name", (mutant) => {
    expect(runSpin(mutant).broken).toBe(mutant.breaks)
  })
})
