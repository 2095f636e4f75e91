import { tmpdir } from "node:os"
import { expect, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import { viewRule } from "#daemon/views/view-rule.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import type { Clock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import { treasuryWith } from "../policy-test/sample-treasury.ts"

// CAST: only its time is asked.
const clock = { now: () => Date.parse("2026-01-05T08:59:00Z") } as Clock

function upcomingOf(schedule: string, enabled = true): readonly string[] {
  const text = treasuryWith([
    ['schedule: "0 9 * * MON"', `enabled: ${enabled}, schedule: "${schedule}"`],
  ])
  const config = parseConfig(text, {
    file: "b.yaml",
    dataFrom: tmpdir(),
    secrets: (name) => new Secret("", name),
  })
  const journal = openJournal(":memory:")
  const rule = config.rules.find(({ id }) => id === "weekly")
  if (rule === undefined) throw new Error("the rule is missing")
  const view = viewRule({ journal, clock }, rule, null, new Map())
  journal.close()
  return view.upcoming
}

test("the next day of a schedule, without what comes later", () => {
  expect(upcomingOf("0 9 * * MON")).toEqual(["2026-01-05T09:00:00.000Z"])
  expect(upcomingOf("0 */8 * * *")).toEqual([
    "2026-01-05T16:00:00.000Z",
    "2026-01-06T00:00:00.000Z",
    "2026-01-06T08:00:00.000Z",
  ])
  expect(upcomingOf("0 9 * * TUE")).toEqual([])
})

test("a schedule of each minute is bounded, and a rule that is off has no run", () => {
  expect(upcomingOf("* * * * *")).toHaveLength(100)
  expect(upcomingOf("* * * * *", false)).toEqual([])
})
