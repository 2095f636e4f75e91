import { afterEach, expect, test } from "vitest"
import { startValidator, type Validator } from "./start-validator.ts"

let validator: Validator | undefined
afterEach(() => validator?.stop())

/** The validator queues events of its clock, and stops for ever when 1024 of them are waiting. Each skip makes three. */
const SKIPS = 400

test("a validator goes on after more skips than its queue of events holds", { timeout: 60_000 }, async () => {
  validator = await startValidator({ port: 0, slotTimeMs: 10 })
  const { url } = validator
  for (let skips = 1; skips <= SKIPS; skips++) {
    validator.skipToSlot(skips * 1_000)
    // The slots of the clock between two skips, and time for other work of the process.
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  expect(await fetchSlot(url)).toBeGreaterThanOrEqual(SKIPS * 1_000 - 1)
})

async function fetchSlot(url: string): Promise<number> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getSlot", params: [{ commitment: "confirmed" }] })
  const headers = { "content-type": "application/json" }
  const answer = await fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(10_000) })
  // CAST: the JSON-RPC answer of getSlot.
  return ((await answer.json()) as { result: number }).result
}
