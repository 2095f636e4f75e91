import { expect, test } from "vitest"
import { readToolAnswer } from "./serve-mcp.ts"

test.each([
  [403, "agent.none", "no", "no"],
  [429, "ops.busy", "no", "later"],
  [500, "ops.internal", "maybe", "same-key"],
  [503, "cluster.unreachable", "maybe", "same-key"],
])("what %i of the daemon says to a model", (status, code, happened, retry) => {
  const answer = readToolAnswer({ status, body: { reasons: [{ code, message: "" }] } })
  expect(answer).toEqual({ isError: true, body: { reasons: [{ code }], happened, retry } })
})
