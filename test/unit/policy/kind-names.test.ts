import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { findRuleKind, RULE_KINDS } from "#policy/rules/registry.ts"

const ROOT = join(import.meta.dirname, "../../..")

test("only src/core/policy/rules names a rule kind", () => {
  const kinds = RULE_KINDS.map(({ kind }) => kind)
  // "gas" is a word of chains too.
  const own = kinds.filter((kind) => kind !== "gas").join("|")
  const quoted = new RegExp(`["'\`](${own})["'\`]|rule\\.kind === "gas"`)
  const files = globSync("src/**/*.ts", { cwd: ROOT }).filter((file) => !file.endsWith(".test.ts"))
  const named = files.filter((file) => quoted.test(readFileSync(join(ROOT, file), "utf8")))
  expect(named.length).toBeGreaterThan(RULE_KINDS.length)
  expect(named.filter((file) => !file.startsWith("src/core/policy/rules/"))).toEqual([])
})

test("each kind has its own name and its own reason codes", () => {
  const names = RULE_KINDS.map(({ kind }) => kind)
  const codes = RULE_KINDS.flatMap(({ reasons }) => Object.keys(reasons))
  expect(new Set(names).size).toBe(names.length)
  expect(new Set(codes).size).toBe(codes.length)
})

test("a name that every object has is no rule kind", () => {
  expect(["__proto__", "constructor", "toString", ""].map(findRuleKind)).toEqual([
    null,
    null,
    null,
    null,
  ])
})
