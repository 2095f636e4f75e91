import { expect, test } from "vitest"
import { createDirectSolver } from "#engine/rules/solver/create-direct-solver.ts"
import { drawConfiguration } from "../../../bench/configurations/draw-configuration.ts"
import { runConfiguration } from "../../../bench/configurations/run-configuration.ts"

/**
 * Configurations of `npm run bench:configurations` that had faults: costs by a line through quotes
 * of coarse payouts, by one quote alone, and scheduled orders whose refusal was known.
 */
const SEEDS = [2, 11, 31, 39, 41, 43, 58, 72, 97, 108, 127, 148, 176, 538, 542, 1316]

test("no configuration starves a need, plans an order that admission refuses, or burns money in silence", {
  timeout: 120_000,
}, async () => {
  const solve = await createDirectSolver()
  let orders = 0
  for (const seed of SEEDS) {
    const faults = runConfiguration(drawConfiguration(seed), 30, solve)
    expect(faults).toMatchObject({ seed, refused: [], circle: null, starved: [] })
    orders += faults.orders
  }
  expect(orders).toBeGreaterThan(50)
})
