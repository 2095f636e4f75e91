import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { describeWork, refreshWorkTable } from "../../scripts/work-table-docs.ts"

const docs = readFileSync(join(import.meta.dirname, "../../docs/ARCHITECTURE.md"), "utf8")

describe("docs/ARCHITECTURE.md", () => {
  test("has the table of work; scripts/generate.ts writes it", () => {
    expect(docs).toBe(refreshWorkTable(docs))
  })

  test("is found stale when a row changes", () => {
    const stale = docs.replace("| `createOrder` | none |", "| `createOrder` | account |")
    expect(stale).not.toBe(docs)
    expect(refreshWorkTable(stale)).toBe(docs)
  })

  test("tells the repeat story of every kind of work in one sentence", () => {
    const rows = describeWork().split("\n").slice(2)
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.filter((row) => !/\| [A-Z][^|]*\. \|$/.test(row))).toEqual([])
  })
})
