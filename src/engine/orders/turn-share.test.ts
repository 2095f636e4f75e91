import { expect, test } from "vitest"
import { createTurnShare } from "./turn-share.ts"

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test("work that comes while a turn has time left goes behind the work that already waits", async () => {
  let nowMs = 0
  const turns = createTurnShare({ now: () => nowMs, sleep: async () => undefined, turn: nextTurn })
  const done: string[] = []
  const begin = (name: string, then = (): void => undefined): void => {
    const act = (): void => {
      done.push(name)
      then()
    }
    const later = turns.wait()
    if (later === null) act()
    else void later.then(act)
  }
  begin("first")
  nowMs = 8
  begin("second", () => begin("fourth"))
  begin("third")
  for (let turn = 0; turn < 3; turn++) await nextTurn()
  expect(done).toEqual(["first", "second", "third", "fourth"])
})

test.each<[string, number, boolean]>([
  ["goes on within eight milliseconds", 7, true],
  ["waits for a later turn after them", 8, false],
  ["waits too where the clock was set back", -1, false],
])("work of one turn %s", async (_name, passedMs, goesOn) => {
  let nowMs = 100
  const turns = createTurnShare({ now: () => nowMs, sleep: async () => undefined, turn: nextTurn })
  expect(turns.wait()).toBeNull()
  nowMs += passedMs
  const later = turns.wait()
  expect(later === null).toBe(goesOn)
  // What comes behind waiting work waits too, whatever time is left.
  nowMs = 100
  expect(turns.wait() === null).toBe(goesOn)
  for (let turn = 0; turn < 3; turn++) await nextTurn()
  await later
  nowMs += passedMs
  expect(turns.wait(), "a new turn begins with its first work").toBeNull()
})

test("so much work of a turn goes on as it has time for, and the rest in the next one", async () => {
  let nowMs = 0
  let turnCount = 0
  const turn = async (): Promise<void> => {
    await nextTurn()
    turnCount += 1
  }
  const turns = createTurnShare({ now: () => nowMs, sleep: async () => undefined, turn })
  const done: number[] = []
  turns.wait()
  nowMs = 8
  for (let index = 0; index < 5; index++) {
    void turns.wait()?.then(() => {
      done.push(turnCount)
      nowMs += 4
    })
  }
  for (let count = 0; count < 6; count++) await nextTurn()
  expect(done).toEqual([1, 1, 2, 2, 3])
})

test("without turns of the clock no work waits", () => {
  let nowMs = 0
  const turns = createTurnShare({ now: () => nowMs, sleep: async () => undefined })
  expect(turns.wait()).toBeNull()
  nowMs = 100
  expect(turns.wait()).toBeNull()
})
