import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { findingOf } from "#config/judge/finding.ts"
import { FINDING_KINDS } from "#config/judge/finding-kinds.ts"
import { placeFindings } from "#config/judge/place-findings.ts"
import { checkConfigFile, showFindings } from "./check-file.ts"

test.each([
  [0o600, 0o700, ["ok", "ok"]],
  [0o644, 0o755, ["ok", "ok"]],
  [0o666, 0o755, ["fail", "ok"]],
  [0o620, 0o755, ["fail", "ok"]],
  [0o600, 0o777, ["ok", "fail"]],
] as const)(
  "a configuration with mode %o in a folder with mode %o is %s",
  (file, folder, expected) => {
    const directory = join(mkdtempSync(join(tmpdir(), "modes-")), "treasury")
    mkdirSync(directory)
    const path = join(directory, "ballast.yaml")
    writeFileSync(path, "")
    chmodSync(path, file)
    chmodSync(directory, folder)
    const found = checkConfigFile(path, process.getuid?.() ?? null)
    expect(found.map(({ status }) => status)).toEqual(expected)
    for (const { status, todo } of found)
      if (status === "fail") expect(todo).toMatch(/chmod go-w \//)
  },
)

test("equal findings are one check with their code, their lines, the short sentence and its step", () => {
  const { sentence, step, explain } = FINDING_KINDS.highCost
  const place = (severity: "warn" | "fail", key: string, line: number) => {
    const found = { severity, path: ["guards", key], message: "much", todo: "less" }
    const source = { positionOf: () => ({ line, column: 4 }) }
    return placeFindings([findingOf("highCost", found)], source, "b.yaml")
  }
  const findings = [
    ...place("warn", "max_cost", 3),
    ...place("warn", "other", 5),
    ...place("fail", "max_cost", 3),
  ]
  const found = `b.yaml:3:4,5:4: guards.max_cost, guards.other: ${sentence}`
  expect(showFindings(findings)).toEqual([
    { check: "config.high_cost", status: "warn", found, todo: step, explain },
    {
      check: "config.high_cost",
      status: "fail",
      found: `b.yaml:3:4: guards.max_cost: ${sentence}`,
      todo: step,
      explain,
    },
  ])
})
