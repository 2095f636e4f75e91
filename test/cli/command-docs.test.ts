import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { refreshCommandDocs } from "../../scripts/command-docs.ts"

const readme = readFileSync(join(import.meta.dirname, "..", "..", "README.md"), "utf8")

describe("the command table of README.md", () => {
  test("is that of the declarations (npm run generate)", () => {
    expect(readme).toBe(refreshCommandDocs(readme))
  })

  test("is stale after a change by hand", () => {
    const stale = readme.replace("| `orders` |", "| `order-list` |")
    expect(stale).not.toBe(readme)
    expect(refreshCommandDocs(stale)).toBe(readme)
  })

  test("needs its marks", () => {
    expect(() => refreshCommandDocs("# Ballast\n")).toThrow("lacks its marks")
  })
})
