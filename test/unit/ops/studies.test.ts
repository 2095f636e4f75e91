import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { parse } from "yaml"
import type { Config } from "#config/config.ts"
import { parseConfig } from "#config/load.ts"
import { journalFile } from "#daemon/start/journal-file.ts"
import { createStudies } from "#daemon/study/create-studies.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { systemClock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import { TREASURY } from "../policy-test/sample-treasury.ts"

const SECRET = "a-key-that-no-thread-needs"
const dataDir = mkdtempSync(join(tmpdir(), "ballast-studies-"))
const secrets = (reference: string): Secret => new Secret(SECRET, reference)
const config: Config = { ...parseConfig(TREASURY, { file: "ballast.yaml", secrets }), dataDir }
const source = { config, written: parse(TREASURY) }
openJournal(journalFile(config)).close()
afterAll(() => rmSync(dataDir, { recursive: true }))

test("a thread reads the journal, and the daemon's loop goes on meanwhile", async () => {
  const { report, exportBooks, affiliateReport, simulate, advise } = createStudies(
    () => source,
    systemClock,
  )
  expect(await report({ by: "rule" })).toMatchObject({ ok: true, body: { by: "rule", lines: [] } })
  expect(await affiliateReport({})).toEqual({ ok: true, body: { weeks: [] } })
  expect(await exportBooks({ format: "csv" })).toMatchObject({
    ok: true,
    body: expect.stringMatching(/^order_id,/),
  })
  expect(await advise()).toMatchObject({ ok: true, body: { enough: false } })
  let turns = 0
  const ticking = setInterval(() => turns++, 5)
  const simulated = await simulate({ days: 20, seeds: 2, seed: 1 })
  clearInterval(ticking)
  expect(simulated).toMatchObject({ ok: true, body: { seeds: { first: 1, count: 2 } } })
  expect(turns).toBeGreaterThan(10)
}, 90_000)

test("a study that takes too long is ended, and says so", async () => {
  const { simulate } = createStudies(() => source, systemClock, 200)
  const asked = await simulate({ days: 365, seeds: 20, seed: 1 })
  expect(asked).toMatchObject({ ok: false, reasons: [{ code: "ops.study_limit" }] })
}, 30_000)

test("rules that look every few seconds are simulated for fewer days, in time", async () => {
  const text = TREASURY.replace(/every: 10m/g, "every: 5s")
  const hasty = { ...parseConfig(text, { file: "ballast.yaml", secrets }), dataDir }
  const { simulate } = createStudies(
    () => ({ config: hasty, written: parse(text) }),
    systemClock,
    15_000,
  )
  const ask = { days: 365, seeds: 5, seed: 1, rule: "hot", change: "min=0.4,target=0.45" }
  const asked = await simulate(ask)
  expect(asked).toMatchObject({ ok: true, body: { comparison: { moves: {} } } })
  const days = asked.ok ? asked.body.scenario.days : 0
  expect(days).toBeGreaterThanOrEqual(1)
  expect(days).toBeLessThan(365)
}, 60_000)

test("a changed rule is compared with the one in force, and its balance drawn", async () => {
  const { simulate } = createStudies(() => source, systemClock)
  const ask = { days: 10, seeds: 2, seed: 1, rule: "hot" }
  const asked = await simulate({ ...ask, change: "min=0.4,target=0.45" })
  if (!asked.ok) throw new Error(JSON.stringify(asked.reasons))
  const { subjects, plots, comparison } = asked.body
  expect(subjects.map(({ name }) => name)).toEqual([config.treasury, "changed"])
  expect(comparison).toMatchObject({ moves: { difference: { p50: expect.any(Number) } } })
  expect(plots.map(({ asset }) => asset)).toEqual(["base:wbtc"])
  expect(plots[0]?.subjects.map(({ bound }) => bound)).toEqual([
    { min: "0.2", target: "0.5", max: "1" },
    { min: "0.4", target: "0.45", max: "1" },
  ])
  const [now, then] = plots[0]?.subjects.map(({ points }) => points) ?? []
  expect(now).toHaveLength(60)
  expect(then).not.toEqual(now)
  // The rules in force alone are unchanged by the comparison.
  const alone = await simulate({ days: 10, seeds: 2, seed: 1 })
  expect(alone).toMatchObject({ body: { subjects: [subjects[0]], comparison: null, plots: [] } })
}, 90_000)

test("a change that the file's checks refuse is refused", async () => {
  const { simulate } = createStudies(() => source, systemClock)
  const asked = await simulate({ days: 1, seeds: 1, seed: 1, rule: "hot", change: "min=3" })
  expect(asked).toMatchObject({ ok: false, reasons: [{ code: "config.invalid" }] })
}, 30_000)

test("the copy of the configuration for the thread has no secret", () => {
  expect(JSON.stringify(structuredClone(config), tell)).not.toContain(SECRET)
})

function tell(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value
}
