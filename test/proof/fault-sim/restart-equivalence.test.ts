import { expect, test } from "vitest"
import { compareRestarts } from "./restart-equivalence.ts"

test("an engine that restarts after every commit ends every order in the same way", {
  timeout: 120_000,
}, async () => {
  let compared = 0
  for (let seed = 1; seed <= 15; seed++) {
    const report = await compareRestarts(seed)
    expect(report.differences, `seed ${seed}`).toEqual([])
    compared += report.orders
  }
  expect(compared).toBeGreaterThan(40)
})

test("an engine that forgets refunds over a restart does not", { timeout: 120_000 }, async () => {
  const reports = []
  for (let seed = 1; seed <= 6; seed++)
    reports.push(await compareRestarts(seed, "refund forgotten after restart"))
  expect(reports.flatMap(({ differences }) => differences).join()).toContain("refunded")
})
