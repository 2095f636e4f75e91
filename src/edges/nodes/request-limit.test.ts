import { expect, test } from "vitest"
import { readRetryAfter } from "./request-limit.ts"

const clock = { now: () => Date.parse("2026-03-02T08:00:00Z") }

test.each([
  ["5", 5_000],
  ["120", 120_000],
  ["Mon, 02 Mar 2026 08:02:00 GMT", 120_000],
  ["Mon, 02 Mar 2026 07:00:00 GMT", null],
  ["999999", 3_600_000],
  [undefined, null],
  ["soon", null],
  ["0", null],
])("reads the header %j as %j", (header, expected) => {
  expect(readRetryAfter(header, clock)).toBe(expected)
})
