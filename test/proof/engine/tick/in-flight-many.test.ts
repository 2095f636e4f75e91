import { afterEach, expect, test } from "vitest"
import type { EngineContext } from "#engine/context.ts"
import { createMemory } from "#engine/memory.ts"
import { listFigures } from "#engine/orders/order-figures.ts"
import { listFlights } from "#engine/rules/tick/in-flight.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { encodeOrder } from "#order/step.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import { BTC, ETH } from "../../../support/fake-world.ts"
import { ORDER_ROW } from "../../../support/order-row.ts"
import { sampleData } from "../../../support/sample-job.ts"

const journal = openJournal(":memory:")
afterEach(() => journal.close())

test("the oldest of more than ten thousand open orders counts as in flight", () => {
  const body = { atMs: 0, type: "order.opened", state: "quoting", body: "{}" }
  for (let n = 0; n <= 10_000; n++) journal.openOrder(orderOf(n), body, null, null)
  // CAST: only these parts are read.
  const context = {
    journal,
    settings: { assets: new Map() },
    chains: new Map(),
    memory: createMemory(),
  } as unknown as EngineContext
  expect(listFlights(context, listFigures(context), ETH).map(({ id }) => id)).toEqual([
    sampleData().id,
  ])
  expect(journal.countOrders()).toEqual([
    { state: "quoting", outcome: null, service: null, count: 10_001 },
  ])
})

/** The oldest order sells ETH, and all others sell Bitcoin. */
function orderOf(n: number): OrderRow {
  const isOldest = n === 0
  return {
    ...ORDER_ROW,
    id: `order-${n}`,
    to: BTC,
    countedAtMs: n,
    createdAtMs: n,
    updatedAtMs: n,
    from: isOldest ? ETH : BTC,
    snapshot: isOldest ? encodeOrder({ state: "quoting", data: sampleData() }) : "{}",
  }
}
