import { expect, test } from "vitest"
import { createAskTurns } from "./ask-turns.ts"

function setUp() {
  const askInTurn = createAskTurns()
  const asked: number[] = []
  const ends: (() => void)[] = []
  const ask = (
    id: number,
    signal = new AbortController().signal,
    listener = "tcp" as "tcp" | "socket",
  ) =>
    askInTurn(listener, signal, async () => {
      asked.push(id)
      await new Promise<void>((resolve) => ends.push(resolve))
      return id
    })
  return { ask, asked, ends }
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test("two questions at a time, in order; a client that left takes no turn", async () => {
  const { ask, asked, ends } = setUp()
  const left = new AbortController()
  const answers = [ask(1), ask(2), ask(3, left.signal), ask(4)]
  await turn()
  expect(asked).toEqual([1, 2])
  left.abort()
  expect(await answers[2]).toBe("left")
  ends[0]?.()
  expect(await answers[0]).toEqual({ body: 1 })
  expect(asked).toEqual([1, 2, 4])
  ends[1]?.()
  ends[2]?.()
  await Promise.all(answers)
  const later = ask(5)
  await turn()
  expect(asked).toEqual([1, 2, 4, 5])
  ends[3]?.()
  await later
})

test("a seventeenth that would wait is busy; the socket has turns of its own", async () => {
  const { ask, asked, ends } = setUp()
  const leave = new AbortController()
  const waiting = Array.from({ length: 18 }, (_, index) => ask(index, leave.signal))
  expect(await ask(100)).toBe("busy")
  const own = ask(200, undefined, "socket")
  await turn()
  expect(asked).toEqual([0, 1, 200])
  leave.abort()
  for (const end of ends) end()
  expect((await Promise.all(waiting)).slice(2)).toEqual(Array(16).fill("left"))
  await own
})

test("a question that fails gives its turn back", async () => {
  const askInTurn = createAskTurns()
  const { signal } = new AbortController()
  const fail = () => askInTurn("tcp", signal, () => Promise.reject(new Error("no")))
  for (let at = 0; at < 3; at++) await expect(fail()).rejects.toThrow("no")
})
