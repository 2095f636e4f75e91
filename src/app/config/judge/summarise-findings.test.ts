import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import type { PlacedFinding } from "./finding.ts"
import { findingOf } from "./finding.ts"
import { FINDING_KINDS, type FindingKind, type FindingName } from "./finding-kinds.ts"
import { placeFindings } from "./place-findings.ts"
import { countWords, MOST_WORDS, summariseFindings } from "./summarise-findings.ts"

// CAST: the keys of the table.
const NAMES = Object.keys(FINDING_KINDS) as FindingName[]
const KINDS: Readonly<Record<FindingName, FindingKind>> = FINDING_KINDS

describe.each(NAMES)("the finding %s", (name) => {
  const { code, sentence, step, explain, isJoint } = KINDS[name]

  test("of one subject or path is one line of at most twenty words", () => {
    const [bySubject] = summariseFindings([place(name, ["base"], 3)])
    const [byPath] = summariseFindings([place(name, [], 3)])
    expect(bySubject?.text).toBe(`b.yaml:3:1: base: ${sentence} (${code}); ${step}`)
    expect(byPath?.text).toBe(`b.yaml:3:1: at.3: ${sentence} (${code}); ${step}`)
    expect(countWords(bySubject?.text ?? "")).toBeLessThanOrEqual(20)
  })

  test("of two subjects is one line that names both and both lines", () => {
    const notices = summariseFindings([place(name, ["base"], 3), place(name, ["arbitrum"], 7)])
    expect(notices).toHaveLength(1)
    expect(notices[0]).toMatchObject({
      code,
      subjects: ["base", "arbitrum"],
      paths: ["at.3", "at.7"],
      text: `b.yaml:3:1,7:1: base, arbitrum: ${sentence} (${code}); ${step}`,
      details: ["b.yaml:3:1: at.3: here 3; write 3", "b.yaml:7:1: at.7: here 7; write 7"],
    })
    expect(countWords(notices[0]?.text ?? "")).toBeLessThanOrEqual(20)
  })

  test("of many subjects names those that fit, and keeps the rest beside the line", () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      place(name, [`chain_${index}`], index + 1),
    )
    const [notice] = summariseFindings(many)
    expect(notice?.text).toMatch(/^b\.yaml:1:1,2:1,3:1,…: chain_0, .*\d+ more: /)
    expect(countWords(notice?.text ?? "")).toBe(MOST_WORDS)
    expect(notice?.subjects).toHaveLength(30)
    expect(notice?.details).toHaveLength(30)
  })

  test("has an explanation in whole sentences, and subjects that belong together stay so", () => {
    expect(explain).toMatch(/^[A-Z`].*\.$/)
    expect(`${sentence}${step}`).not.toMatch(/[.;\n]$/)
    const [notice] = summariseFindings([place(name, ["mix", "profit"], 3)])
    expect(notice?.who).toBe(isJoint ? "mix+profit" : "mix, profit")
    expect(notice?.subjects).toEqual(["mix", "profit"])
  })
})

test("a finding of another severity is another line", () => {
  const findings: PlacedFinding[] = [
    place("plainHttp", ["a"], 1),
    { ...place("plainHttp", ["b"], 2), severity: "fail" },
  ]
  expect(summariseFindings(findings).map(({ severity }) => severity)).toEqual(["warn", "fail"])
})

test("no judge has words of its own, and each kind of the table has a judge", () => {
  const here = readdirSync(import.meta.dirname)
    .filter((name) => /^(judge-[a-z]+|trust-gap)\.ts$/.test(name))
    .map((name) => join(import.meta.dirname, name))
  // Rules that undo each other's work, or never act, are found at the simulator's assumptions.
  const rules = join(import.meta.dirname, "../../cli/actions/rules")
  const assumed = ["judge-cycles.ts", "judge-costs.ts"].map((name) => join(rules, name))
  const judges = [...here, ...assumed].map((file) => readFileSync(file, "utf8"))
  expect(judges.length).toBeGreaterThan(7)
  const used = NAMES.filter((name) => judges.some((text) => text.includes(`"${name}"`)))
  expect(used).toEqual(NAMES)
  const own = judges.flatMap((text) =>
    [...text.matchAll(/code: "([a-z_.]+)"/g)].map(([, code]) => code),
  )
  expect(own).toEqual(["config.unsafe"])
})

function place(name: FindingName, subjects: readonly string[], line: number): PlacedFinding {
  const found = {
    path: ["at", String(line)],
    subjects,
    message: `here ${line}`,
    todo: `write ${line}`,
  }
  const [placed] = placeFindings(
    [findingOf(name, found)],
    { positionOf: () => ({ line, column: 1 }) },
    "b.yaml",
  )
  if (placed === undefined) throw new Error("no finding was placed")
  return placed
}
