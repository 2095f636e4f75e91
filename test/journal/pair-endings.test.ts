import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { OrderRow } from "#journal/port.ts"
import { openJournal } from "#journal/sqlite-journal.ts"

test("the ends of a pair's latest deposits are counted, and no other end", () => {
  const journal = openJournal(":memory:")
  const [from, to] = [parseAssetId("a:usd"), parseAssetId("b:usd")]
  const end = (id: string, outcome: string | null, updatedAtMs: number, over: Partial<OrderRow> = {}): void =>
    journal.openOrder(
      {
        ...{ id, state: outcome ?? "funded", outcome, rule: "r", from, to, sourceUnits: 1n, sourceFiat: null },
        ...{
          feeFiat: null,
          feeUnits: 0n,
          countedAtMs: 0,
          deposited: true,
          secretHash: null,
          createdAtMs: 0,
          updatedAtMs,
        },
        ...{ snapshot: "{}", ...over },
      },
      { atMs: 0, type: "order.opened", state: "quoting", body: "{}" },
      null,
      null,
    )
  const outcomes = ["refunded", "completed", "rejected", "abandoned", null, "refunded", "completed", "completed"]
  for (const [at, outcome] of outcomes.entries()) end(`order-${at}`, outcome, at)
  end("back", "refunded", 99, { from: to, to: from })
  expect(journal.countEndings({ from, to }, 200)).toEqual({ completed: 3, refunded: 2 })
  expect(journal.countEndings({ from, to }, 4)).toEqual({ completed: 3, refunded: 1 })
  expect(journal.countEndings({ from, to }, 2)).toEqual({ completed: 2, refunded: 0 })
  expect(journal.countEndings({ from: to, to: from }, 200)).toEqual({ completed: 0, refunded: 1 })
  journal.close()
})
