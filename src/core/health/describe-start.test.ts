import { expect, test } from "vitest"
import { describeStart } from "./find-problems.ts"

const NOW = Date.parse("2026-03-04T09:30:00Z")

test.each([
  ["signer", "no such file", /for the signer: no such file$/, /Start the signer.*signer\.socket/],
  ["journal", null, /for the journal$/, /disk of data_dir/],
  ["chains", null, /about our accounts$/, /repair the nodes/],
] as const)("daemon.starting: a start that waits for %s", (step, error, says, todo) => {
  const found = describeStart({ pid: 7, step, sinceMs: NOW - 60_000, error }, NOW)
  expect(found.code).toBe("daemon.starting")
  expect(found.sentence).toMatch(/process 7.*has waited for 1 min/)
  expect(found.sentence).toMatch(says)
  expect(found.todo).toMatch(todo)
})
