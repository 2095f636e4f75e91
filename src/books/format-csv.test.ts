import { describe, expect, test } from "vitest"
import { formatCsv } from "./format-csv.ts"

describe("a CSV", () => {
  test("has a line of names, and quotes what would break a line", () => {
    const text = formatCsv(["id", "note"], [{ id: "a,b", note: 'say "no"' }])
    expect(text).toBe('id,note\r\n"a,b","say ""no"""\r\n')
  })

  test("holds nothing that a spreadsheet would run, and leaves numbers alone", () => {
    const rows = ["=1+1", "@x", "-x", "-1.5", "+1"].map((id) => ({ id }))
    expect(formatCsv(["id"], rows).split("\r\n").slice(1, -1)).toEqual(["'=1+1", "'@x", "'-x", "-1.5", "'+1"])
  })
})
