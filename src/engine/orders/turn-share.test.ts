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
