import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import { ORDER_ROW, PLAIN_STEP } from "../../support/order-row.ts"

const from = parseAssetId("a:usd")
const to = parseAssetId("b:usd")

function openWithOrders() {
  const journal = openJournal(":memory:")
  const end = (
    id: string,
    outcome: string | null,
    updatedAtMs: number,
    over: Partial<OrderRow> = {},
  ): void =>
    journal.openOrder(
      {
        ...ORDER_ROW,
        id,
        state: outcome ?? "funded",
        outcome,
        from,
        to,
        countedAtMs: 0,
        deposited: true,
        createdAtMs: 0,
        updatedAtMs,
        ...over,
      },
      { atMs: 0, type: "order.opened", state: "quoting", body: "{}" },
      null,
      null,
    )
  return { journal, end }
}

test("the ends of a pair's latest deposits are counted, and no other end", () => {
  const { journal, end } = openWithOrders()
  const outcomes = [
    "refunded",
    "completed",
    "rejected",
    "abandoned",
    null,
    "refunded",
    "completed",
    "completed",
  ]
  for (const [at, outcome] of outcomes.entries()) end(`order-${at}`, outcome, at)
  end("back", "refunded", 99, { from: to, to: from })
  expect(journal.countEndings({ from, to }, 200)).toEqual({ completed: 3, refunded: 2 })
  expect(journal.countEndings({ from, to }, 4)).toEqual({ completed: 3, refunded: 1 })
  expect(journal.countEndings({ from, to }, 2)).toEqual({ completed: 2, refunded: 0 })
  expect(journal.countEndings({ from: to, to: from }, 200)).toEqual({ completed: 0, refunded: 1 })
  journal.close()
})

test("an end after the first count is counted too, at its own time", () => {
  const { journal, end } = openWithOrders()
  end("old", "completed", 1)
  expect(journal.countEndings({ from, to }, 200)).toEqual({ completed: 1, refunded: 0 })
  for (const [id, outcome] of [
    ["a", "refunded"],
    ["b", "completed"],
    ["c", "rejected"],
  ] as const) {
    end(id, null, 2)
    const [row] = journal.listOrders({ limit: 1 })
    if (row === undefined) throw new Error("no order")
    const order = { ...row, state: outcome, outcome, updatedAtMs: id === "a" ? 4 : 3 }
    const event = { atMs: order.updatedAtMs, type: "order.ended", state: outcome, body: "{}" }
    journal.commit({ ...PLAIN_STEP, order, event })
  }
  expect(journal.countEndings({ from, to }, 200)).toEqual({ completed: 2, refunded: 1 })
  expect(journal.countEndings({ from, to }, 1)).toEqual({ completed: 0, refunded: 1 })
  end("d", "completed", 5)
  expect(journal.countEndings({ from, to }, 200)).toEqual({ completed: 3, refunded: 1 })
  journal.close()
})

test("the completed orders of a rule are summed by what they brought to an asset and took from it", () => {
  const { journal, end } = openWithOrders()
  end("in-1", "completed", 10, { sourceFiat: 7n })
  end("in-2", "completed", 11, { sourceFiat: 5n, rule: "other", secondRule: "r" })
  end("out", "completed", 12, { from: to, to: from, sourceFiat: 3n })
  end("late", "refunded", 13, { sourceFiat: 100n })
  end("open", null, 14, { sourceFiat: 100n })
  end("others", "completed", 15, { sourceFiat: 100n, rule: "other" })
  expect(journal.sumCorrections({ rule: "r", asset: to, sinceMs: 0 })).toEqual({
    orders: 3,
    inFiat: 12n,
    outFiat: 3n,
  })
  expect(journal.sumCorrections({ rule: "r", asset: to, sinceMs: 10 })).toEqual({
    orders: 2,
    inFiat: 5n,
    outFiat: 3n,
  })
  expect(journal.sumCorrections({ rule: "r", asset: from, sinceMs: 0 })).toEqual({
    orders: 3,
    inFiat: 3n,
    outFiat: 12n,
  })
  expect(journal.sumCorrections({ rule: "none", asset: to, sinceMs: 0 })).toMatchObject({
    orders: 0,
  })
  journal.close()
})
