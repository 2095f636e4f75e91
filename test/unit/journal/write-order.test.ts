import type { SQLInputValue } from "node:sqlite"
import { expect, test } from "vitest"
import { toCounted } from "#journal/read-open-orders.ts"
import { updateOrder } from "#journal/write-order.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import { ORDER_ROW } from "../../support/order-row.ts"

const ORDER: OrderRow = {
  ...ORDER_ROW,
  id: "order",
  state: "funded",
  deposited: true,
  secretHash: "secret",
}
const INDEXED = ["outcome", "secret_hash", "counted_at", "service", "payout_tx"]

test(
  "a step writes the indexed columns that changed, and all of them where the row before is not " +
    "known",
  () => {
    expect(writtenBy(ORDER, ORDER)).toEqual([])
    expect(writtenBy({ ...ORDER, state: "held", updatedAtMs: 2 }, ORDER)).toEqual([])
    expect(writtenBy({ ...ORDER, payoutTx: "tx" }, ORDER)).toEqual([["payout_tx", "tx"]])
    const ended: OrderRow = { ...ORDER, outcome: "completed", countedAtMs: 2 }
    expect(writtenBy(ended, ORDER)).toEqual([
      ["outcome", "completed"],
      ["counted_at", 2],
    ])
    expect(writtenBy(ORDER, null).map(([column]) => column)).toEqual(INDEXED)
  },
)

/** The indexed columns that the update sets, with their new values. */
function writtenBy(
  order: OrderRow,
  before: OrderRow | null,
): readonly (readonly [string, SQLInputValue])[] {
  const set: [string, SQLInputValue][] = []
  const run = (sql: string, ...values: SQLInputValue[]): number => {
    const columns = [...sql.matchAll(/(\w+) = \?/g)].map(([, column]) => column ?? "")
    columns.forEach((column, index) => {
      if (INDEXED.includes(column)) set.push([column, values[index] ?? null])
    })
    // The order's number, and twice the work that the step is the result of.
    expect([columns.at(-2), values.at(-3), values.length]).toEqual([
      "id",
      order.id,
      columns.length + 1,
    ])
    return 1
  }
  const place = { seq: 7, changes: 2 }
  const counted = before === null ? null : toCounted(before)
  updateOrder(run, () => undefined, { order, place, work: null, before: counted, cause: null })
  return set
}
