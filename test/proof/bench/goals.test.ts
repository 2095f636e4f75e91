import { expect, test } from "vitest"
import {
  atLeast,
  atMost,
  bySpeed,
  byStart,
  formatGoal,
  isMet,
  pairRows,
  scaleGoal,
} from "../../../bench/row.ts"

const ROW = { what: "a time", unit: "ms" }

test.each([
  ["a time at the goal of a machine as fast", bySpeed(atMost(10)), 1, 10, true],
  ["a time above it", bySpeed(atMost(10)), 1, 10.1, false],
  ["the same on a machine half as fast", bySpeed(atMost(10)), 2, 20, true],
  ["a time above the eased goal", bySpeed(atMost(10)), 2, 20.1, false],
  ["a rate at the goal", bySpeed(atLeast(300)), 1, 300, true],
  ["a rate on a machine half as fast", bySpeed(atLeast(300)), 2, 150, true],
  ["a rate below the eased goal", bySpeed(atLeast(300)), 2, 149, false],
  ["a command where processes start half as fast", byStart(atMost(300), 82), 4, 600, true],
  ["a command above that", byStart(atMost(300), 82), 4, 600.1, false],
  ["a count, which no machine eases", atMost(20), 2, 21, false],
])("%s", (_, goal, slowness, value, met) => {
  expect(isMet(scaleGoal({ ...ROW, value, goal }, slowness))).toBe(met)
})

test("both numbers of endpoints must meet the goal, each with the speed of its own run", () => {
  const goal = bySpeed(atMost(10))
  const one = scaleGoal({ ...ROW, value: 9, goal }, 1)
  const two = scaleGoal({ ...ROW, value: 15, goal }, 1.6)
  expect(pairRows([one], [two]).map(isMet)).toEqual([true])
  expect(pairRows([one], [{ ...two, value: 17 }]).map(isMet)).toEqual([false])
  expect(pairRows([one], []).map(isMet)).toEqual([false])
})

test("a goal tells by how much it is eased", () => {
  const row = scaleGoal({ ...ROW, value: 1, goal: bySpeed(atMost(3)) }, 1.25)
  expect(formatGoal(row)).toBe("at most 3 ms × 1.25")
  expect(formatGoal({ ...row, goal: bySpeed(atLeast(300)) })).toBe("at least 300 ms")
  expect(formatGoal({ ...row, goal: null, left: atMost(3) })).toBe("at most 3 ms")
})
