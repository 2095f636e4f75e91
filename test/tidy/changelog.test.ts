import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { closeSection, MOST_LINES, readSections } from "../../scripts/release/changelog.ts"

const TEXT = readFileSync(join(import.meta.dirname, "../../CHANGELOG.md"), "utf8")

test("each release is told in few lines", () => {
  const sections = readSections(TEXT)
  expect(sections.size).toBeGreaterThan(1)
  const long = [...sections].filter(([, lines]) => lines.length > MOST_LINES)
  expect(long.map(([head, lines]) => `${head}: ${lines.length}`)).toEqual([])
})

test("a release closes the open section under its version and day", () => {
  const text = "# Changelog\n\n## Unreleased\n\n- One.\n\n## 0.5.0 - 2026-11-27\n\n- Old.\n"
  const closed = closeSection(text, "0.6.0", "2026-11-28")
  expect([...readSections(closed)]).toEqual([
    ["Unreleased", []],
    ["0.6.0 - 2026-11-28", ["- One."]],
    ["0.5.0 - 2026-11-27", ["- Old."]],
  ])
  expect(() => closeSection(closed, "0.7.0", "2026-11-29")).toThrow("nothing under Unreleased")
  expect(() => closeSection(text, "0.5.0", "2026-11-29")).toThrow("0.5.0 already")
  const long = text.replace("- One.", Array(26).fill("- One.").join("\n"))
  expect(() => closeSection(long, "0.6.0", "2026-11-28")).toThrow("26 lines")
})
