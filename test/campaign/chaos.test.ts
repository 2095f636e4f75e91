import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { formatResult } from "../proof/chaos/format-result.ts"
import { runChaos } from "../proof/chaos/run-chaos.ts"

/** A short chaos run; `npm run chaos` is the long one. Each run uses a new seed, and prints it. */
const MINUTES = 0.25

test("chaos loses no funds, doubles no deposit, and leaves no order stuck", {
  timeout: 400_000,
}, async () => {
  const seed = Date.now() % 1_000_000
  const dir = mkdtempSync(join(tmpdir(), "ballast-chaos-"))
  const said: string[] = [`npm run chaos -- --minutes ${MINUTES} --seed ${seed}`]
  const say = (text: string): void => void said.push(text)
  const least = { leastFaults: 3, leastOrders: 4 }
  const result = await runChaos({
    seed,
    minutes: MINUTES,
    ...least,
    dir,
    dialect: "contract",
    forgetting: false,
    say,
  })
  expect(result.violations, [...said, formatResult(result)].join("\n")).toEqual([])
  expect(result.orders.length).toBeGreaterThanOrEqual(least.leastOrders)
  expect(result.faults.length).toBeGreaterThanOrEqual(least.leastFaults)
})
