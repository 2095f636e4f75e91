import { join } from "node:path"
import { expect, test } from "vitest"
import { openJournal } from "#journal/sqlite-journal.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"

test("the settled occurrences of a rule are its own, newest first", () => {
  const journal = openJournal(join(temporaryFolder("ballast-runs"), "journal.db"))
  const settle = (rule: string, at: string): void =>
    journal.settleOccurrence({ id: `${rule}@${at}`, rule, atMs: Date.parse(at) }, "[]")
  settle("pay", "2026-03-02T00:00:00.000Z")
  settle("pay", "2026-03-01T00:00:00.000Z")
  settle("pay", "2026-03-03T00:00:00.000Z")
  settle("payroll", "2026-03-04T00:00:00.000Z")
  const listed = journal.listOccurrences("pay", 2)
  expect(listed.map(({ atMs, reasons }) => [new Date(atMs).getUTCDate(), reasons])).toEqual([
    [3, "[]"],
    [2, "[]"],
  ])
  journal.close()
})
