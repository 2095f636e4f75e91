import { rmSync } from "node:fs"
import { afterAll, expect, test } from "vitest"
import { parse } from "yaml"
import type { Config } from "#config/config.ts"
import { parseConfig } from "#config/load.ts"
import { journalFile } from "#daemon/start/journal-file.ts"
import { createStudies } from "#daemon/study/create-studies.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { systemClock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"
import { TREASURY } from "../unit/policy-test/sample-treasury.ts"

const SECRET = "a-key-that-no-thread-needs"
const dataDir = temporaryFolder("ballast-studies")
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
  expect(await report({ by: "rule", open: false })).toMatchObject({
    ok: true,
    body: { by: "rule", lines: [] },
  })
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
  const { simulate } = createStudies(() => source, systemClock, { longestMs: 200 })
  const asked = await simulate({ days: 365, seeds: 20, seed: 1 })
  expect(asked).toMatchObject({ ok: false, reasons: [{ code: "ops.study_limit" }] })
}, 30_000)

test("the copy of the configuration for the thread has no secret", () => {
  expect(JSON.stringify(structuredClone(config), tell)).not.toContain(SECRET)
})

function tell(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value
}
