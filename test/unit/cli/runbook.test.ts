import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { WATCH_CODES } from "#health/watch-alarms.ts"

const read = (name: string): string =>
  readFileSync(new URL(`../../../docs/${name}`, import.meta.url), "utf8")
const RUNBOOK = read("RUNBOOK.md")

const MOST_KINDS = 60

test("the runbook has one section for each code that raises an alert, an alarm or a problem", () => {
  const codes = read("ERRORS.md")
    .split("\n")
    .flatMap((row) => {
      const [, names = "", kinds = ""] = row.split("|")
      // Other tables have a sentence in this column.
      return kinds.length < MOST_KINDS && /\b(alert|alarm|problem)\b/.test(kinds)
        ? [...names.matchAll(/`([a-z_.]+)`/g)].map(([, code = ""]) => code)
        : []
    })
  const sections = [...RUNBOOK.matchAll(/^## (.*)$/gm)].flatMap(([, title = ""]) =>
    [...title.matchAll(/`([a-z_.]+)`/g)].map(([, code = ""]) => code),
  )
  expect(codes.length).toBeGreaterThan(30)
  expect(sections.toSorted()).toEqual([...new Set([...codes, ...WATCH_CODES])].toSorted())
})

test("each section of an alarm has commands, a place to check, and a mistake to avoid", () => {
  const sections = RUNBOOK.split(/^## /m).filter((section) => section.startsWith("`"))
  for (const section of sections) {
    expect(section).toContain("```sh\nballast ")
    expect(section).toContain("**Where:**")
    expect(section).toContain("**Never**")
  }
})
