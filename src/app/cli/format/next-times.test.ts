import { expect, test } from "vitest"
import { formatTimes, listNextTimes } from "./next-times.ts"

const times = (schedule: string, timezone: string, now: string): string =>
  formatTimes(
    listNextTimes({ id: "r", schedule, timezone, catchUp: "skip" }, Date.parse(now)),
    timezone,
  )

test.each([
  [
    "0 9 1-7 * MON",
    "Europe/Zurich",
    "2027-01-31T12:00:00Z",
    "Mon 2027-02-01 09:00, Tue 2027-02-02 09:00, Wed 2027-02-03 09:00 Europe/Zurich",
  ],
  // The clock goes forward on 28 March 2027.
  [
    "30 2 * * *",
    "Europe/Zurich",
    "2027-03-27T00:00:00Z",
    "Sat 2027-03-27 02:30, Sun 2027-03-28 03:30, Mon 2027-03-29 02:30 Europe/Zurich",
  ],
  [
    "*/20 * * * * *",
    "UTC",
    "2027-01-01T23:59:30Z",
    "Fri 2027-01-01 23:59:40, Sat 2027-01-02 00:00, Sat 2027-01-02 00:00:20 UTC",
  ],
  [
    "0 0 29 2 *",
    "Asia/Kolkata",
    "2027-01-01T00:00:00Z",
    "Tue 2028-02-29 00:00, Sun 2032-02-29 00:00, Fri 2036-02-29 00:00 Asia/Kolkata",
  ],
])("the next times of %s in %s", (schedule, timezone, now, expected) => {
  expect(times(schedule, timezone, now)).toBe(expected)
})
