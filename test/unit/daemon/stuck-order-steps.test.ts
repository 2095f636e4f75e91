import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { findStuckOrders } from "#health/find-stuck-orders.ts"
import type { Readings } from "#health/readings.ts"

const ROOT = join(import.meta.dirname, "..", "..", "..")
const NOW = Date.parse("2026-03-04T09:30:00Z")
/** The rooms whose errors and reasons an order may wait with. */
const ROOMS = [
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
  const files = globSync(ROOMS.map((room) => `${room}/**/*.ts`), { cwd: ROOT })
  const found = files
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) => [...readFileSync(join(ROOT, file), "utf8").matchAll(/code: "([a-z_]+\.[a-z_]+)"/g)])
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
    from: "a:btc",
    to: "b:btc",
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
