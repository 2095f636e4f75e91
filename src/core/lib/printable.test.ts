import fc from "fast-check"
import { expect, test } from "vitest"
import { printable, printableFields, printableJson, printableLine } from "./printable.ts"

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

test("within a line, line ends go too", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(printableLine(text)).not.toMatch(/[\p{Cc}\u2028\u2029\u202e\u2066]/u)
    }),
  )
  expect(printableLine("refused\nok: paused")).toBe("refused\ufffdok: paused")
})

test("JSON keeps its value, and shows no control character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const json = printableJson(JSON.stringify({ text }))
      expect(JSON.parse(json)).toEqual({ text })
      expect(json).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
    }),
  )
})

test("every text in the fields of a log line is printable, and bigints become text", () => {
  expect(printableFields({ a: ["\u001b[2J", { b: "\u202e", c: 12n }], d: null, e: 1 })).toEqual({
    a: ["\ufffd[2J", { b: "\ufffd", c: "12" }],
    d: null,
    e: 1,
  })
})
