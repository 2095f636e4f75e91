import { expect, test } from "vitest"
import type { OrderRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import { findOrderId } from "./find-order-id.ts"

const IDS = ["5f3a11110000", "5f3a22220000", "77aa00000000"]
// CAST: the search reads nothing but the ids.
const rows = IDS.map((id) => ({ id }) as OrderRow)
const journal: Pick<Journal, "findOrder" | "listOrders"> = {
  findOrder: (id) => rows.find((row) => row.id === id) ?? null,
  listOrders: () => rows,
}

test.each([
  ["77aa", "77aa00000000"],
  ["77AA", "77aa00000000"],
  ["5f3a1", "5f3a11110000"],
  ["5f3a22220000", "5f3a22220000"],
])("%s means one order", (typed, id) => {
  expect(findOrderId(journal, typed)).toBe(id)
})

test.each([
  ["77a", "77a is too short: give at least 4 characters"],
  ["5f3a", "5f3a is the beginning of 2 orders: 5f3a1111, 5f3a2222"],
  ["beef", "There is no order beef"],
])("%s is refused", (typed, message) => {
  expect(() => findOrderId(journal, typed)).toThrow(message)
})
