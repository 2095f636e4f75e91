import { expect, test } from "vitest"
import { createKnownOrders } from "#engine/orders/known-orders.ts"
import { decodeOrder, encodeOrder, type Order } from "#order/step.ts"
import { sampleData } from "../../support/sample-job.ts"

const ORDER: Order = { state: "verifying", data: sampleData() }
const TEXT = encodeOrder(ORDER)

test("an order that was just written or read is not decoded again", () => {
  const known = createKnownOrders()
  const first = known.read({ id: "a", snapshot: TEXT })
  expect(first).toEqual(decodeOrder(TEXT))
  expect(known.read({ id: "a", snapshot: TEXT })).toBe(first)
  known.keep({ id: "a", snapshot: TEXT }, ORDER, 0)
  expect(known.read({ id: "a", snapshot: TEXT })).toBe(ORDER)
})

test("the text of the row decides, so an undone step and a repaired row are read as they are", () => {
  const known = createKnownOrders()
  known.keep(
    { id: "a", snapshot: encodeOrder({ ...ORDER, state: "creating" }) },
    { ...ORDER, state: "creating" },
    0,
  )
  expect(known.read({ id: "a", snapshot: TEXT }).state).toBe("verifying")
  expect(() => known.read({ id: "a", snapshot: TEXT.slice(1) })).toThrow("damaged")
  expect(known.read({ id: "a", snapshot: TEXT }).state).toBe("verifying")
})

test("only the orders that were used last are kept, and each engine has its own", () => {
  const known = createKnownOrders()
  const other = createKnownOrders()
  const used = known.read({ id: "used", snapshot: TEXT })
  const unused = known.read({ id: "unused", snapshot: TEXT })
  for (let n = 0; n < 1_500; n++) {
    known.keep({ id: String(n), snapshot: TEXT }, ORDER, 0)
    if (n % 500 === 0) known.read({ id: "used", snapshot: TEXT })
  }
  expect(known.read({ id: "used", snapshot: TEXT })).toBe(used)
  expect(known.read({ id: "unused", snapshot: TEXT })).not.toBe(unused)
  expect(other.read({ id: "used", snapshot: TEXT })).not.toBe(used)
})

test("a crowd of waiting orders that are read in turn takes bounded memory", () => {
  const known = createKnownOrders()
  const orders = Array.from({ length: 900 }, (_, n) =>
    known.read({ id: String(n), snapshot: TEXT }),
  )
  const isKept = (n: number): boolean => known.read({ id: String(n), snapshot: TEXT }) === orders[n]
  expect([isKept(0), isKept(399), isKept(400), isKept(800)]).toEqual([true, true, false, false])
  // A try reads its order twice.
  expect(isKept(899)).toBe(true)
})

test("a crowd of orders that are written and then wait long does not drive out the orders under way", () => {
  const known = createKnownOrders()
  const orders = Array.from({ length: 1_000 }, (_, n) => ({
    ...ORDER,
    data: { ...ORDER.data, tries: n },
  }))
  for (const [n, order] of orders.entries()) known.keep({ id: String(n), snapshot: TEXT }, order, 0)
  for (let n = 0; n < 5_000; n++) known.keep({ id: `waiting-${n}`, snapshot: TEXT }, ORDER, 60_000)
  expect(known.read({ id: "0", snapshot: TEXT })).toBe(orders[0])
})

test("an order that has ended takes no memory", () => {
  const known = createKnownOrders()
  const text = encodeOrder({ ...ORDER, state: "completed" })
  known.keep({ id: "a", snapshot: TEXT }, ORDER, 0)
  known.keep({ id: "a", snapshot: text }, { ...ORDER, state: "completed" }, 0)
  const ended = known.read({ id: "a", snapshot: text })
  for (let n = 0; n < 100; n++) known.read({ id: `ended-${n}`, snapshot: text })
  expect(known.read({ id: "a", snapshot: text })).not.toBe(ended)
})
