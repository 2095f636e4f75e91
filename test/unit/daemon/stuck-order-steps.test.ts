import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { findStuckOrders } from "#health/find-stuck-orders.ts"
import type { Readings } from "#health/readings.ts"

const ROOT = join(import.meta.dirname, "..", "..", "..")
const NOW = Date.parse("2026-03-04T09:30:00Z")
/** An order may wait with an error or a reason of these rooms. */
const PLACES = [
  "src/engine/orders",
  "src/core/order",
  "src/core/guards",
  "src/edges/chains",
  "src/edges/nodes",
  "src/edges/prices",
  "src/edges/routes",
  "src/edges/service",
  "src/edges/signer",
  "src/edges/kms",
]
/** Of commands, of the start, of `discover`, and of alarms with remedies of their own. */
const OTHERS = /^(alarm|discover|operator|recover|request|pause|mode|books|asset|alerts)\./

function listCodes(): readonly string[] {
  const files = globSync(
    PLACES.map((place) => `${place}/**/*.ts`),
    { cwd: ROOT },
  )
  const found = files
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) => [
      ...readFileSync(join(ROOT, file), "utf8").matchAll(/code: "([a-z_]+\.[a-z_]+)"/g),
    ])
    .map(([, name = ""]) => name)
  return [...new Set(found)].filter((name) => !OTHERS.test(name)).toSorted()
}

const CODES = listCodes()

test("orders may wait for many reasons", () => {
  expect(CODES.length).toBeGreaterThan(150)
})

test.each(CODES)("%s: an order that waits with it has a next step", (code) => {
  const order: Readings["orders"][number] = {
    id: "ab12cd34",
    rule: "payroll",
    from: parseAssetId("a:btc"),
    to: parseAssetId("b:btc"),
    amount: "1",
    destinationAmount: "1",
    state: "depositing",
    money: "wallet",
    sinceMs: NOW - 60_000,
    held: false,
    deadline: null,
    reasons: [{ code, message: "The reason" }],
  }
  // CAST: the other readings tell nothing about stuck orders.
  const readings = { nowMs: NOW, orders: [order], alarms: [], pause: null } as unknown as Readings
  const [found] = findStuckOrders(readings, 30_000)
  if (code === "journal.resource_taken") return expect(found).toBeUndefined()
  expect(found?.sentence).toContain(`[${code}]`)
  expect(found?.todo).not.toContain("explains the code")
})
