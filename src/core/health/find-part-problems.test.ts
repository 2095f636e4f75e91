import { expect, test } from "vitest"
import { findPartProblems, isOfFailingPlace } from "./find-part-problems.ts"
import { type Problem, problem } from "./problem.ts"
import type { PartReading, Readings } from "./readings.ts"

const NOW = Date.parse("2026-03-04T09:30:00Z")
const fault: PartReading = { part: "traces", sinceMs: NOW - 60_000, times: 3, error: "HTTP 404" }

function find(one: Partial<PartReading>, orders: readonly string[] = []): readonly Problem[] {
  const readings = {
    nowMs: NOW,
    parts: [{ ...fault, ...one }],
    orders: orders.map((id) => ({ id })),
  }
  // CAST: the other readings tell nothing about parts.
  return findPartProblems(readings as unknown as Readings, 30_000)
}

test.each([
  ["traces", /^The collector of traces has taken no spans for 1 min/, /telemetry\.otlp/],
  ["chat desk", /approvals of the receiver desk has not answered/, /token/],
  ["rules", /^The rules could not be evaluated/, /log/],
  ["watch pegs", /^The watch pegs has failed/, /log/],
])("%s: a part that fails for long is named with its error and a step", (part, says, todo) => {
  const [found] = find({ part })
  expect(found?.sentence).toMatch(says)
  expect(found?.sentence).toMatch(/3 times: HTTP 404$/)
  expect(found?.todo).toMatch(todo)
  expect(found?.about).toBe(part)
  expect(found?.code).toBe("daemon.part_failing")
})

test("a first or a short failure is no news", () => {
  expect(find({ times: 1, sinceMs: NOW - 40_000 })).toEqual([])
  expect(find({ times: 1 })).toHaveLength(1)
  expect(find({ sinceMs: NOW - 5_000 })).toEqual([])
})

test.each([
  ["port: tokens", /wrong token/, /firewall/],
  ["port: connections", /turned away/, /firewall/],
  ["port: names", /ops\.hosts lacks/, /ops\.hosts/],
  ["port: pages", /another origin/, /Origin/],
])("%s: strangers are named from the fifth on, until a quiet minute", (part, says, todo) => {
  const row = { part, times: 5, error: "the last one from 127.0.0.9", lastMs: NOW - 1_000 }
  expect(find(row)[0]?.sentence).toMatch(says)
  expect(find(row)[0]?.todo).toMatch(todo)
  expect(find({ ...row, times: 4 })).toEqual([])
  expect(find({ ...row, lastMs: NOW - 61_000 })).toEqual([])
})

test("an order that cannot go on is named while it is open", () => {
  expect(find({ part: "order ab12cd34" }, ["ab12cd34"])).toMatchObject([{ order: "ab12cd34" }])
  expect(find({ part: "order ab12cd34" })).toEqual([])
})

test("the problem of a node explains a watch, and nothing else", () => {
  const node = problem({ level: "attention", code: "node.silent", sentence: "Silent", todo: "x" })
  const rule = problem({ level: "attention", code: "rule.unmet", sentence: "Unmet", todo: "x" })
  const [watch] = find({ part: "watch heads of base" })
  const [rules] = find({ part: "rules" })
  expect([watch, rules].map((one) => one && isOfFailingPlace(one, [node]))).toEqual([true, false])
  expect(watch && isOfFailingPlace(watch, [rule])).toBe(false)
})
