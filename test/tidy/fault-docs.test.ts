import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { PLANTED_FAULTS, refreshFaultTable } from "../../scripts/fault-docs.ts"
import { UNPLANTED_FAULTS } from "../support/unplanted-faults.ts"

const docs = readFileSync(join(import.meta.dirname, "../../docs/FAULTS.md"), "utf8")

test("docs/FAULTS.md has the table of planted faults; scripts/generate.ts writes it", () => {
  expect(docs).toBe(refreshFaultTable(docs))
})

test("a changed remedy makes the table stale", () => {
  const stale = docs.replace("| node behind | the newest block", "| node behind | a block")
  expect(stale).not.toBe(docs)
  expect(refreshFaultTable(stale)).toBe(docs)
})

test("each alarm of the runbook is planted, or names the test that raises it", () => {
  const runbook = readFileSync(join(import.meta.dirname, "../../docs/RUNBOOK.md"), "utf8")
  const alarms = [...runbook.matchAll(/^## (.*)$/gm)].flatMap(([, title = ""]) =>
    [...title.matchAll(/`([a-z_.]+)`/g)].map(([, code = ""]) => code),
  )
  const planted = PLANTED_FAULTS.flatMap(({ code, alert }) => [code, alert])
  expect(
    alarms.filter((code) => !planted.includes(code) && UNPLANTED_FAULTS[code] === undefined),
  ).toEqual([])
  expect(
    Object.keys(UNPLANTED_FAULTS).filter(
      (code) => planted.includes(code) || !alarms.includes(code),
    ),
  ).toEqual([])
})

test.each(Object.entries(UNPLANTED_FAULTS))("%s is in its test", (code, { test: file }) => {
  const path = join(import.meta.dirname, "../..", file)
  expect(existsSync(path)).toBe(true)
  expect(readFileSync(path, "utf8")).toContain(code.split(".").at(-1))
})

test("thirty faults are planted", () => expect(PLANTED_FAULTS.length).toBeGreaterThanOrEqual(30))
