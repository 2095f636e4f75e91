import { expect, test } from "vitest"
import { findUnmetRules } from "./find-unmet-rules.ts"
import type { Readings, RuleReading } from "./readings.ts"

const NOW = Date.parse("2026-03-04T09:30:00Z")
const daemon: Readings["daemon"] = {
  answers: true,
  pid: 7,
  lastSeenMs: NOW,
  startedAtMs: NOW,
  version: "1",
  waitsFor: [],
}
const unmet: RuleReading = {
  ...{
    id: "hot",
    kind: "band",
    enabled: true,
    paused: false,
    nextMs: NOW,
    overdueSinceMs: null,
    lastMs: NOW,
    verdict: "declined",
  },
  reasons: [{ code: "policy.illiquid", message: "the sources hold too little" }],
}
const shown = (rules: readonly RuleReading[], answers = true) =>
  findUnmetRules({ rules, daemon: { ...daemon, answers } }).map(({ code, kind, about, command }) => [
    code,
    kind,
    about,
    command,
  ])

test("a rule whose sources are empty cannot be met", () => {
  expect(shown([unmet])).toEqual([["rule.unmet", "rule", "hot", "ballast why hot"]])
})

test("a rule that proposes, declines for a passing reason, is paused or disabled is no problem", () => {
  const passing = { reasons: [{ code: "limit.cooldown", message: "later" }] }
  const fine = [{ verdict: "proposed" as const }, passing, { paused: true }, { enabled: false }]
  expect(shown(fine.map((change) => ({ ...unmet, ...change })))).toEqual([])
})

test("old decisions of a daemon that is gone are no problem of their own", () => {
  expect(shown([unmet], false)).toEqual([])
})
