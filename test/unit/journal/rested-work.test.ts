import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { ORDER_ROW } from "../../support/order-row.ts"

test("work that found nothing new is listed at once when the clock of its last try was ahead", () => {
  const journal = openJournal(":memory:")
  const from = parseAssetId("a:usd")
  const to = parseAssetId("b:usd")
  const order = {
    ...ORDER_ROW,
    id: "a",
    state: "funded",
    from,
    to,
    countedAtMs: 0,
    deposited: true,
    createdAtMs: 0,
    updatedAtMs: 1_000,
  }
  const event = { atMs: 0, type: "order.opened", state: "quoting", body: "{}" }
  journal.openOrder(order, event, { body: "{}", dueAtMs: 1_000 }, null)
  const [work] = journal.listDueWork(1_000, 9)
  journal.restWork(work?.id ?? -1, 900_005, 900_000)
  expect(journal.listDueWork(899_000, 9, 900_001)).toEqual([])
  expect(journal.listDueWork(5_000, 9, 2_000)).toMatchObject([{ orderId: "a", isAhead: true }])
  journal.restWork(work?.id ?? -1, 2_500, 2_000)
  expect(journal.listDueWork(2_400, 9, 2_001)).toEqual([])
  journal.close()
})
