import { mkdtempSync, readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { openExistingJournal } from "./open-journal.ts"

test("a missing journal is an error, and no file appears", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "no-journal-"))
  expect(() => openExistingJournal({ dataDir })).toThrow(
    expect.objectContaining({ code: "journal.missing" }),
  )
  expect(readdirSync(dataDir)).toEqual([])
})
