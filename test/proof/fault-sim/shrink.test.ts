import { expect, test } from "vitest"
import { shrink } from "./shrink.ts"
import { simulate } from "./simulate.ts"

test("a failing seed shrinks to a smaller case that the same checker fails, always the same case", {
  timeout: 180_000,
}, async () => {
  // Every seed with a deposit finds this bug.
  const start = { seed: 5, bug: "signed content differs from verified" } as const
  const { profile } = await simulate(start)
  const first = await shrink(start)
  const second = await shrink(start)
  expect(second).toEqual(first)
  expect(first?.found.only?.length).toBeLessThan(profile.enabled.size)
  expect(first?.found.steps).toBeLessThanOrEqual(profile.activeSteps)
  const again = await simulate(first?.found ?? start)
  expect(again.violations.map(({ checker }) => checker)).toContain(first?.checker)
})

test("a seed that does not fail has no smaller case", async () => {
  expect(await shrink({ seed: 2, only: [], steps: 5 })).toBeNull()
})
