import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { formatResult } from "../chaos/format-result.ts"
import { runChaos } from "../chaos/run-chaos.ts"

/** A short one, so that every run of the suite has some; `npm run chaos` is the long one. The seed is new each time. */
const MINUTES = 0.25

test("chaos loses nothing, doubles nothing, and leaves nothing stuck", { timeout: 400_000 }, async () => {
  const seed = Date.now() % 1_000_000
  const dir = mkdtempSync(join(tmpdir(), "ballast-chaos-"))
  const said: string[] = [`npm run chaos -- --minutes ${MINUTES} --seed ${seed}`]
  const say = (text: string): void => void said.push(text)
  const result = await runChaos({ seed, minutes: MINUTES, dir, dialect: "contract", forgetting: false, say })
  expect(result.violations, [...said, formatResult(result)].join("\n")).toEqual([])
  expect(result.orders.length).toBeGreaterThan(3)
  expect(result.faults.length).toBeGreaterThan(2)
})
