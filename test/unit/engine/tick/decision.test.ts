import { expect, test } from "vitest"
import { readDecisionBody } from "#engine/rules/tick/decision.ts"

test("a stored decision without a version cannot be read, because its form is another one", () => {
  expect(['{"reasons":[]}', "null", '"text"'].map(readDecisionBody)).toEqual([null, null, null])
  expect(readDecisionBody('{"version":1,"outcomes":[]}')).toMatchObject({ version: 1 })
})
