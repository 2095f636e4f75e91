import { describe, expect, test } from "vitest"
import { formatCsv } from "./format-csv.ts"

describe("a CSV", () => {
  test("has a line of names, and quotes commas and quotes", () => {
    const text = formatCsv(["id", "note"], [{ id: "a,b", note: 'say "no"' }])
    expect(text).toBe('id,note\r\n"a,b","say ""no"""\r\n')
  })

  test("disarms text that a spreadsheet would run, and leaves numbers alone", () => {
    const rows = ["=1+1", "@x", "-x", "-1.5", "+1"].map((id) => ({ id }))
    expect(formatCsv(["id"], rows).split("\r\n").slice(1, -1)).toEqual([
      "'=1+1",
      "'@x",
      "'-x",
      "-1.5",
      "'+1",
    ])
  })

  test("quotes a value with a line break of either kind, and writes nothing for an empty value", () => {
    const rows = ["a\nb", "a\rb", "a\r\nb", ""].map((id) => ({ id, end: "x" }))
    expect(formatCsv(["id", "end"], rows)).toBe(
      'id,end\r\n"a\nb",x\r\n"a\rb",x\r\n"a\r\nb",x\r\n,x\r\n',
    )
    expect(formatCsv(["id"], [])).toBe("id\r\n")
  })
})
