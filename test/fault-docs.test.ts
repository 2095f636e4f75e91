import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { refreshFaultTable } from "../scripts/fault-docs.ts"

const docs = readFileSync(join(import.meta.dirname, "..", "docs", "OPERATIONS.md"), "utf8")

test("docs/OPERATIONS.md has the table of planted faults; scripts/generate.ts writes it", () => {
  expect(docs).toBe(refreshFaultTable(docs))
})

test("a changed remedy makes the table stale", () => {
  const stale = docs.replace("| node behind | the newest block", "| node behind | a block")
  expect(stale).not.toBe(docs)
  expect(refreshFaultTable(stale)).toBe(docs)
})
