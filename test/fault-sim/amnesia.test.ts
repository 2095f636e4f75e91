import { expect, test } from "vitest"
import { compareAmnesia } from "./amnesia.ts"

test("an engine that is built anew after every commit brings every order to the same end", {
  timeout: 120_000,
}, async () => {
  let stories = 0
  for (let seed = 1; seed <= 15; seed++) {
    const report = await compareAmnesia(seed)
    expect(report.differences, `seed ${seed}`).toEqual([])
    stories += report.stories
  }
  expect(stories).toBeGreaterThan(40)
})

test("and one that keeps refunds in its memory does not", { timeout: 120_000 }, async () => {
  const reports = []
  for (let seed = 1; seed <= 6; seed++) reports.push(await compareAmnesia(seed, "refund forgotten after restart"))
  expect(reports.flatMap(({ differences }) => differences).join()).toContain("refunded")
})
