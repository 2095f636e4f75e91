import { tmpdir } from "node:os"
import { expect, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import { viewRule } from "#daemon/views/view-rule.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import type { Clock } from "#lib/clock.ts"
import { encodeJson } from "#lib/json.ts"
import { Secret } from "#lib/secret.ts"
import { treasuryWith } from "../policy-test/sample-treasury.ts"

// CAST: only its time is asked.
const clock = { now: () => Date.parse("2026-01-05T08:59:00Z") } as Clock

type Journal = ReturnType<typeof openJournal>

function viewOf(
  schedule: string,
  { enabled = true, write = (_journal: Journal): void => {} } = {},
): ReturnType<typeof viewRule> {
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
  write(journal)
  const view = viewRule({ journal, clock }, rule, null, new Map())
  journal.close()
  return view
}

function upcomingOf(schedule: string, enabled = true): readonly string[] {
  return viewOf(schedule, { enabled }).upcoming
}

test("a declined try that is not settled is no missed run, and neither is a pause", () => {
  const at = ["01", "02", "03"].map((day) => `2026-01-${day}T09:00:00.000Z`)
  const { runs } = viewOf("0 9 * * *", {
    write: (journal) => {
      for (const [index, code] of ["quote.none", "pause.all", "policy.missed"].entries()) {
        const occurrence = `weekly@${at[index]}`
        const reasons = [{ code, message: code }]
        const atMs = Date.parse(at[index] ?? "")
        const body = encodeJson({
          version: 1,
          occurrence,
          decided: { proposals: [], reasons, plan: null },
          outcomes: [],
        })
        const decision = { atMs, rule: "weekly", verdict: "declined", body, inputs: null } as const
        journal.recordDecision({ ...decision, id: occurrence, configHash: null })
        if (index > 0)
          journal.settleOccurrence({ id: occurrence, rule: "weekly", atMs }, encodeJson(reasons))
      }
    },
  })
  expect(runs.map(({ outcome, times }) => [outcome, times])).toEqual([
    ["nothing", 1],
    ["nothing", 1],
    ["missed", 1],
  ])
  expect(runs.map((run) => run.at)).toEqual(at)
})

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
