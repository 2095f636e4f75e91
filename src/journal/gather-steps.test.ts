import { expect, test } from "vitest"
import { gatherSteps } from "./gather-steps.ts"

/** Turns one by one. Returns how many turns the group took, when each turn brings so many steps and takes so long. */
function turnsOf(stepsOfTurn: readonly number[], turnMs: number): number {
  let [steps, nowMs, turns, isFlushed] = [0, 0, 0, false]
  let next = (): void => undefined
  const schedule = gatherSteps(
    (ask) => {
      next = ask
    },
    () => nowMs,
  )
  schedule(
    () => {
      isFlushed = true
    },
    () => steps,
  )
  while (!isFlushed) {
    steps += stepsOfTurn[turns] ?? 0
    nowMs += turnMs
    turns++
    next()
  }
  return turns
}

test("a single step is written as soon as a turn brings no other one", () => {
  expect(turnsOf([1], 1)).toBe(2)
})

test("a crowd of steps is gathered while each turn brings further ones", () => {
  expect(turnsOf([3, 2, 2, 0, 9], 1)).toBe(4)
})

test("steps that never end are written in time", () => {
  expect(turnsOf(Array(99).fill(1), 5)).toBe(4)
  expect(turnsOf(Array(99).fill(100), 0)).toBe(3)
})

test("a clock that is set back ends the group", () => {
  expect(turnsOf(Array(99).fill(1), -5)).toBe(1)
})
