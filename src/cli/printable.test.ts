import fc from "fast-check"
import { expect, test } from "vitest"
import { printable } from "./printable.ts"

test("a text that a service chose cannot command the terminal", () => {
  expect(printable("solver \u001b]0;owned\u0007\u009b2J\r\u202ereversed")).toBe(
    "solver \ufffd]0;owned\ufffd\ufffd2J\ufffd\ufffdreversed",
  )
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(printable(text).replace(/\r?\n|\t/g, "")).not.toMatch(/\p{Cc}/u)
    }),
  )
})

test("the line ends of CSV stay, and a lone carriage return does not", () => {
  expect(printable("a,b\r\n1,2\r\n3\r4")).toBe("a,b\r\n1,2\r\n3\ufffd4")
})

test("tables, lines and all languages stay as they are", () => {
  const text = "a\tb\nÜber 3 → 4 – 日本 ✓"
  expect(printable(text)).toBe(text)
})
