import fc from "fast-check"
import { expect, test } from "vitest"
import { learnRouteWait, MOST_ORDERS, waitForPayout } from "./route-wait.ts"

const POLICY = { pollMinMs: 2_000, pollMaxMs: 60_000 }

test("learns the middle and the lower quarter of the last orders", () => {
  expect(learnRouteWait([40_000, 30_000, 50_000, 45_000, 20_000])).toEqual({
    usualMs: 40_000,
    earlyMs: 30_000,
    orders: 5,
  })
})

test("learns nothing from fewer than four orders", () => {
  expect(learnRouteWait([1, 2, 3])).toBeNull()
  expect(learnRouteWait([])).toBeNull()
  expect(learnRouteWait([1, 2, 3, 4])).toMatchObject({ orders: 4 })
})

test("takes the newest twelve orders, so a route that changed is learnt anew", () => {
  const fast = Array.from({ length: 12 }, () => 5_000)
  const slow = Array.from({ length: 12 }, () => 90_000)
  expect(learnRouteWait([...fast, ...slow])).toEqual({ usualMs: 5_000, earlyMs: 5_000, orders: 12 })
})

test("one order in four that took hours, or whose times are impossible, moves nothing", () => {
  const usual = [40_000, 41_000, 42_000, 43_000, 44_000, 45_000]
  expect(learnRouteWait([...usual, 7_200_000, 9_000_000])).toMatchObject({
    earlyMs: 41_000,
    usualMs: 43_000,
  })
  expect(learnRouteWait([...usual, -5, 25 * 3_600_000])).toEqual(learnRouteWait(usual))
})

test("waits for the expected time, at most the longest poll and at least the shortest one", () => {
  const wait = { usualMs: 45_000, earlyMs: 30_000, orders: 12 }
  const at = (waitedMs: number, early = wait.earlyMs): number =>
    waitForPayout({ ...wait, earlyMs: early }, { ...POLICY, waitedMs, backoffMs: 4_000 })
  expect(at(5_000)).toBe(25_000)
  expect(at(29_500)).toBe(2_000)
  expect(at(5_000, 600_000)).toBe(60_000)
  expect([at(30_000), at(90_000)]).toEqual([4_000, 4_000])
})

test("an order that has just arrived is observed at once where payouts come sooner than any poll", () => {
  const quick = { usualMs: 40, earlyMs: 30, orders: 12 }
  expect(waitForPayout(quick, { ...POLICY, waitedMs: 10, backoffMs: 0 })).toBe(0)
  expect(waitForPayout(quick, { ...POLICY, waitedMs: 10, backoffMs: 50_000 })).toBe(2_000)
  const slow = { usualMs: 45_000, earlyMs: 30_000, orders: 12 }
  expect(waitForPayout(slow, { ...POLICY, waitedMs: 10, backoffMs: 0 })).toBe(29_990)
})

test("a wait that grew beyond the expected time ends at it", () => {
  const wait = { usualMs: 45_000, earlyMs: 30_000, orders: 12 }
  expect(waitForPayout(wait, { ...POLICY, waitedMs: 20_000, backoffMs: 50_000 })).toBe(10_000)
})

test("without a learnt wait, and after a clock that was set back, nothing changes", () => {
  const wait = { usualMs: 45_000, earlyMs: 30_000, orders: 12 }
  expect(waitForPayout(null, { ...POLICY, waitedMs: 5_000, backoffMs: 4_000 })).toBe(4_000)
  expect(waitForPayout(wait, { ...POLICY, waitedMs: -1, backoffMs: 4_000 })).toBe(4_000)
})

test(
  "each wait, after any orders, lies within the polling bounds, and none passes the expected " +
    "time by more than the shortest poll",
  () => {
    const bounds = fc.tuple(
      fc.integer({ min: 1, max: 600_000 }),
      fc.integer({ min: 1, max: 600_000 }),
    )
    const waits = fc.array(fc.integer({ min: -1_000, max: 200_000_000 }), {
      maxLength: 2 * MOST_ORDERS,
    })
    fc.assert(
      fc.property(
        bounds,
        waits,
        fc.integer({ min: -10_000, max: 400_000_000 }),
        fc.nat(100),
        (drawn, past, waitedMs, at) => {
          const [pollMinMs = 1, pollMaxMs = 1] = drawn.toSorted((a, b) => a - b)
          const backoffMs = pollMinMs + Math.floor(((pollMaxMs - pollMinMs) * at) / 100)
          const learnt = learnRouteWait(past)
          const waitMs = waitForPayout(learnt, { waitedMs, backoffMs, pollMinMs, pollMaxMs })
          expect(waitMs).toBeGreaterThanOrEqual(pollMinMs)
          expect(waitMs).toBeLessThanOrEqual(pollMaxMs)
          if (learnt === null) expect(waitMs).toBe(backoffMs)
          else if (waitedMs >= 0 && waitedMs < learnt.earlyMs)
            expect(waitedMs + waitMs).toBeLessThanOrEqual(
              Math.max(learnt.earlyMs, waitedMs + pollMinMs),
            )
        },
      ),
    )
  },
)
