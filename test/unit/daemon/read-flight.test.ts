import { expect, test } from "vitest"
import { readUnapproved } from "#daemon/views/read-flight.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { encodeOrder } from "#order/step.ts"
import { ORDER_ROW } from "../../support/order-row.ts"
import { sampleData } from "../../support/sample-job.ts"

const NOW = 10_000_000

test("an expired approval is found behind any number of newer orders, for an hour", () => {
  const journal = openJournal(":memory:")
  const open = (
    id: string,
    code: string,
    updatedAtMs: number,
    outcome: "rejected" | "completed",
  ): void => {
    const data = { ...sampleData({}), id, reasons: [{ code, message: "Scripted" }] }
    journal.openOrder(
      {
        ...ORDER_ROW,
        id,
        state: outcome,
        outcome,
        from: data.request.from,
        to: data.request.to,
        sourceUnits: 5n,
        feeUnits: 4n,
        createdAtMs: updatedAtMs,
        updatedAtMs,
        snapshot: encodeOrder({ state: outcome, data }),
      },
      { atMs: updatedAtMs, type: "test.event", state: outcome, body: "{}" },
      { body: "{}", dueAtMs: 1 },
      null,
    )
  }
  open("old", "approval.expired", NOW - 3_600_001, "rejected")
  open("expired", "approval.expired", NOW - 3_000_000, "rejected")
  open("by-hand", "operator.rejected", NOW - 2_000_000, "rejected")
  for (let count = 0; count < 120; count += 1) {
    open(`done-${count}`, "none", NOW - count, "completed")
    open(`refused-${count}`, "operator.rejected", NOW - count, "rejected")
  }
  expect(readUnapproved(journal, null, NOW).map(({ id }) => id)).toEqual(["expired"])
  journal.close()
})
