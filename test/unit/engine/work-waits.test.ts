import { expect, test } from "vitest"
import type { EngineContext } from "#engine/context.ts"
import { createWorkWaits } from "#engine/orders/work-waits.ts"
import { silentLogger } from "#lib/log.ts"
import type { WorkRow } from "#ports/journal/outbox.ts"

// CAST: the waits read only these parts of a row and of the context.
const ROW = { orderId: "order-1", body: "work" } as WorkRow

test("a rest ends at its time, and at once when the clock is set back by more than the longest wait", () => {
  let nowMs = 1_000_000
  const waits = createWorkWaits({ clock: { now: () => nowMs } } as unknown as EngineContext)
  const isReady = (atMs: number): boolean => {
    nowMs = atMs
    return waits.listReady([ROW], () => false).length === 1
  }
  waits.rest(ROW, 30_000)
  expect([1_000_000, 1_029_999, 1_030_000].map(isReady)).toEqual([false, false, true])
  expect([1_000_000, 999_999].map(isReady)).toEqual([false, true])
})

test("work that begins to wait while its last write is on its way to the disk keeps waiting", () => {
  const waits = createWorkWaits({ clock: { now: () => 0 } } as unknown as EngineContext)
  waits.rest(ROW, 30_000)
  expect(waits.listReady([], (orderId) => orderId === ROW.orderId)).toEqual([])
  expect(waits.listReady([ROW], () => false)).toEqual([])
  expect(waits.listReady([], () => false)).toEqual([])
  expect(
    waits.listReady([ROW], () => false),
    "a row that is gone waits no more",
  ).toHaveLength(1)
})

test("work whose question fails waits on, and the other work of the poll goes on", () => {
  const other = { ...ROW, orderId: "order-2" }
  let nowMs = 0
  // CAST: as above.
  const context = { clock: { now: () => nowMs }, log: silentLogger } as unknown as EngineContext
  const waits = createWorkWaits(context)
  waits.forGate(ROW, () => {
    throw new Error("database or disk is full")
  })
  const listed = () => waits.listReady([ROW, other], () => false).map(({ row }) => row.orderId)
  expect(listed()).toEqual(["order-2"])
  nowMs = 30_000
  expect(listed()).toEqual(["order-1", "order-2"])
})
