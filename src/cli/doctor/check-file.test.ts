import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { checkConfigFile, showFindings } from "./check-file.ts"

test.each([
  [0o600, 0o700, ["ok", "ok"]],
  [0o644, 0o755, ["ok", "ok"]],
  [0o666, 0o755, ["fail", "ok"]],
  [0o620, 0o755, ["fail", "ok"]],
  [0o600, 0o777, ["ok", "fail"]],
] as const)("a configuration with mode %o in a folder with mode %o is %s", (file, folder, expected) => {
  const directory = join(mkdtempSync(join(tmpdir(), "modes-")), "treasury")
  mkdirSync(directory)
  const path = join(directory, "ballast.yaml")
  writeFileSync(path, "")
  chmodSync(path, file)
  chmodSync(directory, folder)
  const found = checkConfigFile(path, process.getuid?.() ?? null)
  expect(found.map(({ status }) => status)).toEqual(expected)
  for (const { status, todo } of found) if (status === "fail") expect(todo).toMatch(/chmod go-w \//)
})

test("each finding is a check with its code, its line and its remedy", () => {
  const finding = {
    code: "config.high_cost",
    place: "b.yaml:3:4: guards.max_cost",
    line: 3,
    message: "much",
    todo: "less",
  }
  expect(
    showFindings([
      { ...finding, severity: "warn" },
      { ...finding, severity: "fail" },
    ]),
  ).toMatchObject([
    { check: "config.high_cost", status: "warn", found: "b.yaml:3:4: guards.max_cost: much", todo: "less" },
    { status: "fail" },
  ])
})
