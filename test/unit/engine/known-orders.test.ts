import { expect, test } from "vitest"
import { keepOrder, readOrder } from "#engine/orders/known-orders.ts"
import { decodeOrder, encodeOrder, type Order } from "#order/step.ts"
import type { Journal } from "#ports/journal.ts"
import { sampleData } from "../../support/sample-job.ts"

const ORDER: Order = { state: "verifying", data: sampleData() }
const TEXT = encodeOrder(ORDER)

test("an order that was just written or read is not decoded again", () => {
  const journal = anyJournal()
  const first = readOrder(journal, { id: "a", snapshot: TEXT })
  expect(first).toEqual(decodeOrder(TEXT))
  expect(readOrder(journal, { id: "a", snapshot: TEXT })).toBe(first)
  keepOrder(journal, { id: "a", snapshot: TEXT }, ORDER, 0)
  expect(readOrder(journal, { id: "a", snapshot: TEXT })).toBe(ORDER)
})

test("the text of the row decides, so an undone step and a repaired row are read as they are", () => {
  const journal = anyJournal()
  keepOrder(
    journal,
    { id: "a", snapshot: encodeOrder({ ...ORDER, state: "creating" }) },
    { ...ORDER, state: "creating" },
    0,
  )
  expect(readOrder(journal, { id: "a", snapshot: TEXT }).state).toBe("verifying")
  expect(() => readOrder(journal, { id: "a", snapshot: TEXT.slice(1) })).toThrow("damaged")
  expect(readOrder(journal, { id: "a", snapshot: TEXT }).state).toBe("verifying")
})

test("only the orders that were used last are kept, and each journal has its own", () => {
  const journal = anyJournal()
  const other = anyJournal()
  const used = readOrder(journal, { id: "used", snapshot: TEXT })
  const unused = readOrder(journal, { id: "unused", snapshot: TEXT })
  for (let n = 0; n < 1_500; n++) {
    keepOrder(journal, { id: String(n), snapshot: TEXT }, ORDER, 0)
    if (n % 500 === 0) readOrder(journal, { id: "used", snapshot: TEXT })
  }
  expect(readOrder(journal, { id: "used", snapshot: TEXT })).toBe(used)
  expect(readOrder(journal, { id: "unused", snapshot: TEXT })).not.toBe(unused)
  expect(readOrder(other, { id: "used", snapshot: TEXT })).not.toBe(used)
})

test("a crowd of waiting orders that are read in turn takes bounded memory", () => {
  const journal = anyJournal()
  const orders = Array.from({ length: 900 }, (_, n) =>
    readOrder(journal, { id: String(n), snapshot: TEXT }),
  )
  const isKept = (n: number): boolean =>
    readOrder(journal, { id: String(n), snapshot: TEXT }) === orders[n]
  expect([isKept(0), isKept(399), isKept(400), isKept(800)]).toEqual([true, true, false, false])
  // A try reads its order twice.
  expect(isKept(899)).toBe(true)
})

test("a crowd of orders that are written and then wait long does not drive out the orders under way", () => {
  const journal = anyJournal()
  const orders = Array.from({ length: 1_000 }, (_, n) => ({
    ...ORDER,
    data: { ...ORDER.data, tries: n },
  }))
  for (const [n, order] of orders.entries())
    keepOrder(journal, { id: String(n), snapshot: TEXT }, order, 0)
  for (let n = 0; n < 5_000; n++)
    keepOrder(journal, { id: `waiting-${n}`, snapshot: TEXT }, ORDER, 60_000)
  expect(readOrder(journal, { id: "0", snapshot: TEXT })).toBe(orders[0])
})

test("an order that has ended takes no memory", () => {
  const journal = anyJournal()
  const text = encodeOrder({ ...ORDER, state: "completed" })
  keepOrder(journal, { id: "a", snapshot: TEXT }, ORDER, 0)
  keepOrder(journal, { id: "a", snapshot: text }, { ...ORDER, state: "completed" }, 0)
  const ended = readOrder(journal, { id: "a", snapshot: text })
  for (let n = 0; n < 100; n++) readOrder(journal, { id: `ended-${n}`, snapshot: text })
  expect(readOrder(journal, { id: "a", snapshot: text })).not.toBe(ended)
})

function anyJournal(): Journal {
  // CAST: the journal is only a key here.
  return {} as Journal
}
