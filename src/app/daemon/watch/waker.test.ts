import { expect, test } from "vitest"
import { silentLogger } from "#lib/log.ts"
import type { Schedule } from "#policy/schedule/due-occurrences.ts"
import { findScheduleProblem } from "#policy/schedule/find-schedule-problem.ts"
import { startWaker } from "./waker.ts"

test(
  "takes every schedule that the configuration accepts, also those that the waking library " +
    "refuses",
  async () => {
    const schedule = "5/10 * * * *"
    expect(findScheduleProblem(schedule)).toBe(null)
    const timed: Schedule = { id: "refused", schedule, timezone: "UTC", catchUp: "skip" }
    const waker = startWaker(
      [timed, { ...timed, schedule: "5 * * * *" }],
      () => undefined,
      silentLogger,
    )
    await waker.stop()
  },
)

test.each(["0 9 30 2 *", "0 9 31 4,6 *"])("%s is refused as one that never comes", (schedule) => {
  expect(findScheduleProblem(schedule)).toMatch(/never comes/)
})
