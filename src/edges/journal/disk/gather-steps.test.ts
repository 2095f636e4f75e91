import { expect, test } from "vitest"
import { gatherSteps } from "./gather-steps.ts"

const never = (): void => undefined

/**
 * Turns one by one. Returns how many turns a group took that a call waits for, when each turn
 * brings so many steps and takes so long.
 */
function turnsOf(stepsOfTurn: readonly number[], turnMs: number): number {
  let steps = 0
  let nowMs = 0
  let turns = 0
  let isFlushed = false
  let next = never
  const schedule = gatherSteps(
    (ask) => {
      next = ask
    },
    { now: () => nowMs, sleep: () => new Promise<void>(never) },
  )
  schedule(
    () => {
      isFlushed = true
    },
    { countSteps: () => steps, whenWanted: (begin) => begin() },
  )
  while (!isFlushed && turns < 99) {
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

test("steps that no call waits for are written after 16 ms, and no turn is spent on them", async () => {
  const done: string[] = []
  const turns: (() => void)[] = []
  let pass = never
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      pass = () => resolve(void done.push(`${ms} ms`))
      signal?.addEventListener("abort", () => resolve())
    })
  const begin = (): (() => void) => {
    let want = never
    const whenWanted = (act: () => void): void => {
      want = act
    }
    const schedule = gatherSteps((ask) => turns.push(ask), { now: () => 0, sleep })
    schedule(() => done.push("written"), { countSteps: () => 1, whenWanted })
    return () => want()
  }
  begin()
  expect([done, turns.length]).toEqual([[], 0])
  pass()
  await Promise.resolve()
  expect([done, turns.length]).toEqual([["16 ms", "written"], 0])
  begin()()
  await Promise.resolve()
  expect([done, turns.length]).toEqual([["16 ms", "written"], 1])
})
