import { expect, test } from "vitest"
import { createKeptLines } from "./log.ts"

test("the newest lines are kept, with numbers that go on", () => {
  const kept = createKeptLines(3)
  expect(kept.read(0)).toEqual([])
  for (let at = 1; at <= 11; at++) kept.write(`line ${at}\n`)
  expect(kept.newest()).toBe(11)
  expect(kept.read(0).map(({ text }) => text)).toEqual(["line 9", "line 10", "line 11"])
  expect(kept.read(10)).toEqual([{ seq: 11, text: "line 11" }])
  expect(kept.read(0, ({ text }) => text.endsWith("0"))).toEqual([{ seq: 10, text: "line 10" }])
  expect(kept.read(11)).toEqual([])
})

test("a line without end is left out, and its number is not", () => {
  const kept = createKeptLines()
  kept.write("x".repeat(20_000))
  kept.write("y\n")
  expect(kept.read(0)).toEqual([{ seq: 2, text: "y" }])
})
