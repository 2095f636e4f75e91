import { expect, test } from "vitest"
import { remember } from "./remember.ts"

test("computes each answer once, also one that is undefined", () => {
  const asked: string[] = []
  const lengthOf = remember((text: string) => {
    asked.push(text)
    return text === "" ? undefined : text.length
  })
  expect(["a", "", "a", ""].map(lengthOf)).toEqual([1, undefined, 1, undefined])
  expect(asked).toEqual(["a", ""])
})

test("keeps no more answers than it may", () => {
  const asked: number[] = []
  const double = remember((value: number) => asked.push(value) && 2 * value, 1)
  expect([1, 2, 2, 1].map((value) => double(value))).toEqual([2, 4, 4, 2])
  expect(asked).toEqual([1, 2, 2])
})
