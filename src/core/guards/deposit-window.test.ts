import { expect, test } from "vitest"
import { decideSendUntil, isWindowOver } from "./deposit-window.ts"

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const POLICY = { depositWindowMs: HOUR_MS, deadlineMarginMs: 10 * MINUTE_MS }

test.each([
  ["the service's deadline, less the margin", HOUR_MS, 50 * MINUTE_MS],
  ["half of a short time that is left", 4 * MINUTE_MS, 2 * MINUTE_MS],
  ["the family's window where the service names no deadline", null, 50 * MINUTE_MS],
  ["the moment itself when the deadline is over", -MINUTE_MS, -MINUTE_MS],
  ["the ceiling where the deadline is a year away", 365 * 24 * HOUR_MS, 110 * MINUTE_MS],
  ["the ceiling where the deadline is just beyond it", 2 * HOUR_MS + 1, 110 * MINUTE_MS],
])("a deposit may be sent until %s", (_what, deadlineMs, untilMs) => {
  expect(decideSendUntil({ deadlineMs, createdAtMs: 0, nowMs: 0 }, POLICY)).toBe(untilMs)
})

test("the ceiling counts from now, so that an order which waited for its approval keeps its time", () => {
  const order = { deadlineMs: 100 * HOUR_MS, createdAtMs: 0, nowMs: 30 * HOUR_MS }
  expect(decideSendUntil(order, POLICY)).toBe(30 * HOUR_MS + 110 * MINUTE_MS)
})

test("the family's window counts from the order's creation, so that waiting does not extend it", () => {
  const order = { deadlineMs: null, createdAtMs: 0, nowMs: 30 * MINUTE_MS }
  expect(decideSendUntil(order, POLICY)).toBe(50 * MINUTE_MS)
})

test("the window is over at its end, and also after the clock was set back to long before it", () => {
  const isOver = (nowMs: number): boolean => isWindowOver(100 * HOUR_MS, nowMs, POLICY)
  expect(isOver(100 * HOUR_MS - 1)).toBe(false)
  expect(isOver(100 * HOUR_MS)).toBe(true)
  expect(isOver(98 * HOUR_MS)).toBe(false)
  expect(isOver(98 * HOUR_MS - 1)).toBe(true)
})
