import { expect, test } from "vitest"
import { readAskedPause, readRetryAfter, readWrittenPause } from "./request-limit.ts"

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
  ["-5", null],
  ["-1", null],
  ["99999999999", 3_600_000],
  ["9".repeat(30), 3_600_000],
  ["1772438460", 60_000],
  ["1772438460000", 60_000],
  ["1772430000", null],
  ["2026-03-02T08:01:00Z", 60_000],
  ["Fri, 31 Dec 9999 23:59:59 GMT", 3_600_000],
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

test.each([
  ["x-ratelimit-reset", "2026-03-02T08:01:00Z", 60_000],
  ["ratelimit-reset", "Mon, 02 Mar 2026 08:01:00 GMT", 60_000],
  ["ratelimit", '"default";r=0;t=30', 30_000],
  ["ratelimit", "limit=10, remaining=0, reset=30", 30_000],
  ["x-ratelimit-reset", "99999999999999", 3_600_000],
  ["x-ratelimit-reset", "-3", null],
  ["x-ratelimit-reset", "6m0s", null],
])("reads the end of a limit in %s: %s as %j", (name, value, expected) => {
  const how = { status: 429, readText: () => "" }
  expect(readAskedPause({ [name]: value }, how, clock)).toBe(expected)
})

test.each([
  ["try again in 2 hours", 3_600_000],
  ["retry after 1h", 3_600_000],
  ["Try again in 1 day.", 3_600_000],
  ["retry in 10m", 600_000],
  ["retry in 1m30s", 60_000],
  ["try again in 250ms", 250],
  ["please wait 30 seconds", 30_000],
  ["wait for 30s", 30_000],
  ["retry in 5 hits", 5_000],
  ["retry after 3 more calls", 3_000],
  ["try again later", null],
])("reads the words %j as %j", (text, expected) => {
  expect(readWrittenPause(text)).toBe(expected)
})
