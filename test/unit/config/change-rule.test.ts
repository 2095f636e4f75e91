import { expect, test } from "vitest"
import { parse } from "yaml"
import { changeRule } from "#config/check/change-rule.ts"
import { parseConfig } from "#config/load.ts"
import { Secret } from "#lib/secret.ts"
import { TREASURY } from "../policy-test/sample-treasury.ts"

const written: unknown = parse(TREASURY)
const secrets = (reference: string): Secret => new Secret("", reference)
const { assets, rules } = parseConfig(TREASURY, { file: "ballast.yaml", secrets })

test("a changed rule is as if the file had the new texts", () => {
  const changed = changeRule(written, "hot", { min: "0.25", max_cost: "40bps" }, assets)
  expect(changed).toEqual({
    ...rules.find(({ id }) => id === "hot"),
    minUnits: 25_000_000n,
    maxCost: { kind: "share", bps: 40n },
  })
  expect(parse(TREASURY)).toEqual(written)
})

test.each([
  ["hot", { min: "3" }, 'target: expected at least min (3), found "0.5"'],
  ["hot", { mim: "3" }, "mim"],
  ["hot", { target: "1e3" }, "target"],
  ["hot", { min: "0.123456789" }, "min"],
  ["hot", { asset: "base:doge" }, "asset"],
  ["hot", { id: "float" }, "id"],
  ["hott", { min: "0.3" }, "The file has no rule hott"],
])("rule %s with %j is refused as the file's would be", (id, changes, problem) => {
  expect(() => changeRule(written, id, changes, assets)).toThrow(
    expect.objectContaining({
      code: "config.invalid",
      message: expect.stringContaining(problem),
    }),
  )
})
