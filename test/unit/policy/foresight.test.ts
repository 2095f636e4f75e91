import { expect, test } from "vitest"
import { greedy } from "../../../bench/treasurer/fixed.ts"
import { foreseeScenario } from "../../../bench/treasurer/foresee-scenario.ts"
import { createForesight } from "../../../bench/treasurer/foresight.ts"
import { runScenario, type Scenario } from "../../../bench/treasurer/scenario.ts"

const SCENARIO: Scenario = {
  name: "drain",
  kind: "drift",
  assets: ["usda", "usdr"],
  start: [12_000, 400_000],
  band: [[10_000, 20_000, 30_000], null],
  K: 1,
  bps: 30,
  periodH: 24,
  periods: 2,
  flows: [
    [-5_000, 0],
    [-5_000, 0],
  ],
}
const ask = await createForesight()

test("who knows both payments brings the least that both need, in one order", () => {
  const { usd, bound, isProven } = ask(foreseeScenario(SCENARIO), true, 10)
  // 8 000 arrive, so that 10 000 are left; the way back to 20 000 counts at the end.
  expect(usd).toBeCloseTo(1 + (0.003 * 8_001) / 0.997 + 0.003 * 10_000, 2)
  expect(bound).toBeCloseTo(usd, 1)
  expect(isProven).toBe(true)
})

test("orders in parts are a bound below whole ones, and those below a policy without foresight", () => {
  const flows = Array.from({ length: 8 }, (_, day) => [[-4_000, 3_000, -6_000][day % 3] ?? 0, 0])
  const scenario = { ...SCENARIO, periods: flows.length, flows }
  const whole = ask(foreseeScenario(scenario), true, 10)
  const parts = ask(foreseeScenario(scenario), false, 10)
  expect(parts.usd).toBeLessThan(whole.usd)
  expect(whole.usd).toBeLessThan(runScenario(scenario, greedy).costUsd)
})

test("what no orders can keep within the bounds is outside, and costs nothing of its own", () => {
  const stuck = foreseeScenario({ ...SCENARIO, start: [12_000, 0] })
  const { usd, outside } = ask({ ...stuck, penalty: 2, goals: [null, null] }, false, 10)
  expect(outside).toBeCloseTo(3_000 + 8_000, 3)
  expect(usd).toBeCloseTo(0, 6)
})
