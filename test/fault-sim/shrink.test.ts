import { expect, test } from "vitest"
import { shrink } from "./shrink.ts"
import { simulate } from "./simulate.ts"

test("a failing seed becomes a smaller case that the same checker fails, the same every time", {
  timeout: 180_000,
}, async () => {
  // Found at once in every seed with a deposit.
  const start = { seed: 5, bug: "signed is not what was verified" } as const
  const { swarm } = await simulate(start)
  const [first, second] = [await shrink(start), await shrink(start)]
  expect(second).toEqual(first)
  expect(first?.found.only?.length).toBeLessThan(swarm.on.size)
  expect(first?.found.steps).toBeLessThanOrEqual(swarm.activeSteps)
  const again = await simulate(first?.found ?? start)
  expect(again.violations.map(({ checker }) => checker)).toContain(first?.checker)
})

test("a seed that does not fail has no smaller case", async () => {
  expect(await shrink({ seed: 2, only: [], steps: 5 })).toBeNull()
})
