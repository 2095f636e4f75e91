import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { refreshCommandDocs } from "../../../scripts/command-docs.ts"

const ROOT = join(import.meta.dirname, "../../..")
const page = readFileSync(join(ROOT, "docs/COMMANDS.md"), "utf8")

test("no page tells a reader to run a package of the public registry", () => {
  const files = globSync(["*.md", "docs/**/*.md", "config/*.yaml", "src/app/cli/**/*.ts"], {
    cwd: ROOT,
  })
  const told = files.flatMap((file) =>
    readFileSync(join(ROOT, file), "utf8")
      .split("\n")
      .filter(
        (line) =>
          line.includes("npx ballast") && !/Do not run|in place of|no page tells/.test(line),
      )
      .map((line) => `${file}: ${line}`),
  )
  expect(files.length).toBeGreaterThan(30)
  expect(told).toEqual([])
})

describe("the command table of docs/COMMANDS.md", () => {
  test("is that of the declarations (npm run generate)", () => {
    expect(page).toBe(refreshCommandDocs(page))
  })

  test("is stale after a change by hand", () => {
    const stale = page.replace("| `orders` |", "| `order-list` |")
    expect(stale).not.toBe(page)
    expect(refreshCommandDocs(stale)).toBe(page)
  })

  test("needs its marks", () => {
    expect(() => refreshCommandDocs("# Ballast\n")).toThrow("lacks its marks")
  })
})
