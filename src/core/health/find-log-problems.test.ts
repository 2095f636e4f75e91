import { expect, test } from "vitest"
import { findLogProblems } from "./find-log-problems.ts"
import type { Readings } from "./readings.ts"

const NOW = Date.parse("2026-03-04T09:30:00Z")

const find = (error: string, forMs: number) => {
  const stuckLog = { sinceMs: NOW - forMs, lost: 12, error }
  // CAST: the function reads these two fields.
  return findLogProblems({ stuckLog, nowMs: NOW } as Readings)
}

test("a log that takes no lines is named with its loss, its cause and the remedy of that cause", () => {
  expect(find("ENOSPC", 120_000)).toMatchObject([
    {
      level: "attention",
      code: "log.stuck",
      sentence: "The daemon's log has taken no lines for 2 min (ENOSPC); 12 lines are lost",
      todo: expect.stringContaining("disk of the log"),
    },
  ])
  expect(find("EAGAIN", 120_000)[0]?.todo).toContain("reader")
})

test("a reader that is only slow is no problem", () => {
  expect(find("EAGAIN", 9_000)).toEqual([])
})
