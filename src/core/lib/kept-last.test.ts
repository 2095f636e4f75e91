import { expect, test } from "vitest"
import { createKeptLast } from "./kept-last.ts"

const LONG_MS = 60_000

test("the oldest entry makes room for a new one that is needed soon", () => {
  const kept = createKeptLast<number>(2)
  for (const [index, key] of ["a", "b", "a", "c"].entries()) kept.keep(key, index, 0)
  expect([kept.find("a"), kept.find("b"), kept.find("c")]).toEqual([2, null, 3])
  expect(kept.size()).toBe(2)
  kept.drop("a")
  expect([kept.find("a"), kept.size()]).toEqual([null, 1])
})

test("an entry that waits long takes a free place, its own place, and no other one", () => {
  const kept = createKeptLast<number>(2)
  kept.keep("a", 1, LONG_MS)
  kept.keep("b", 1, 0)
  kept.keep("c", 1, LONG_MS)
  expect([kept.find("a"), kept.find("b"), kept.find("c")]).toEqual([1, 1, null])
  kept.keep("b", 2, LONG_MS)
  expect([kept.find("a"), kept.find("b")]).toEqual([1, 2])
  kept.keep("d", 1, 0)
  expect([kept.find("a"), kept.find("b"), kept.find("d")]).toEqual([null, 2, 1])
})
