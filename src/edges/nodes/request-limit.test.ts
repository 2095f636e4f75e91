import { expect, test } from "vitest"
import { readAskedPause, readRetryAfter } from "./request-limit.ts"

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

test.each([
  ["retry-after", "Mon, 02 Mar 2026 09:02:00 GMT"],
  ["x-ratelimit-reset", `${Date.parse("2026-03-02T09:02:00Z") / 1_000}`],
])("a time in %s counts by the clock of the server that names it", (name, value) => {
  const pauseAt = (headers: Record<string, string>): number | null =>
    readAskedPause({ ...headers, [name]: value }, { status: 429, readText: () => "" }, clock)
  // This machine's clock is an hour behind.
  expect(pauseAt({ date: "Mon, 02 Mar 2026 09:00:00 GMT" })).toBe(120_000)
  expect(pauseAt({ date: "today" })).toBe(3_600_000)
  expect(pauseAt({})).toBe(3_600_000)
})
