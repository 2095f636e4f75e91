import { expect, test } from "vitest"
import { judgeQuietHours, type QuietHours } from "./quiet-hours.ts"

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6]
const hours = (from: number, to: number, days = EVERY_DAY, timezone = "UTC"): QuietHours => ({
  fromMinute: from * 60,
  toMinute: to * 60,
  timezone,
  days,
})
const quiet = (entry: QuietHours, at: string): boolean =>
  judgeQuietHours([entry], Date.parse(at)).length === 1

test.each([
  ["at its first minute", hours(9, 12), "2026-03-04T09:00:00Z", true],
  ["a moment before", hours(9, 12), "2026-03-04T08:59:59.999Z", false],
  ["a moment before its end", hours(9, 12), "2026-03-04T11:59:59.999Z", true],
  ["at its end", hours(9, 12), "2026-03-04T12:00:00Z", false],
  ["over midnight, in the evening", hours(22, 6), "2026-03-04T22:00:00Z", true],
  ["over midnight, in the morning", hours(22, 6), "2026-03-04T05:59:00Z", true],
  ["over midnight, at noon", hours(22, 6), "2026-03-04T12:00:00Z", false],
  // The fourth of March 2026 is a Wednesday.
  ["on the night that begins on its day", hours(22, 6, [3]), "2026-03-05T05:00:00Z", true],
  [
    "on the night that began the day before its day",
    hours(22, 6, [3]),
    "2026-03-04T05:00:00Z",
    false,
  ],
  ["the whole day", hours(0, 24, [3]), "2026-03-04T23:59:00Z", true],
  [
    "in its own zone in winter",
    hours(22, 23, EVERY_DAY, "Europe/Zurich"),
    "2026-01-10T21:30:00Z",
    true,
  ],
  [
    "in its own zone in summer",
    hours(22, 23, EVERY_DAY, "Europe/Zurich"),
    "2026-07-10T20:30:00Z",
    true,
  ],
  [
    "in its own zone in summer, not by the clock of winter",
    hours(22, 23, EVERY_DAY, "Europe/Zurich"),
    "2026-07-10T21:30:00Z",
    false,
  ],
])("quiet hours %s", (_name, entry, at, expected) => {
  expect(quiet(entry, at)).toBe(expected)
})

test("quiet hours name the time at which they end", () => {
  expect(judgeQuietHours([hours(22, 6)], Date.parse("2026-03-04T23:00:00Z"))).toEqual([
    expect.objectContaining({ code: "limit.quiet_hours", until: "06:00", timezone: "UTC" }),
  ])
})
