import fc from "fast-check"
import { expect, test } from "vitest"
import { printable } from "./printable.ts"

test("a text that a service chose cannot command the terminal", () => {
  expect(printable("solver \u001b]0;owned\u0007\u009b2J\r\u202ereversed")).toBe(
    "solver \ufffd]0;owned\ufffd\ufffd2J\ufffd\ufffdreversed",
  )
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(printable(text).replace(/[\n\t]/g, "")).not.toMatch(/\p{Cc}/u)
    }),
  )
})

test("tables, lines and all languages stay as they are", () => {
  const text = "a\tb\nÜber 3 → 4 – 日本 ✓"
  expect(printable(text)).toBe(text)
})
