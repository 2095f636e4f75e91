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
  id: "hot",
  kind: "band",
  enabled: true,
  paused: false,
  nextMs: NOW,
  overdueSinceMs: null,
  lastMs: NOW,
  verdict: "declined",
  reasons: [{ code: "policy.illiquid", message: "the sources hold too little" }],
}
const shown = (rules: readonly RuleReading[], answers = true) =>
  findUnmetRules({ rules, daemon: { ...daemon, answers }, pause: null, nowMs: NOW }).map(
    ({ code, kind, about, command }) => [code, kind, about, command],
  )

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

const needs = (rule: string) => ({
  code: "policy.partner_needs",
  message: `base:usdc is itself to be refilled by ${rule}`,
  rule,
})

test("two rules that wait for each other are one problem, with its end", () => {
  const cold = { ...unmet, id: "cold", reasons: [needs("hot")] }
  const hot = { ...unmet, reasons: [needs("cold")] }
  const rules = [hot, cold]
  expect(shown(rules)).toEqual([["rule.unmet", "rule", "hot", "ballast why hot"]])
  const [found] = findUnmetRules({ rules, daemon, pause: null, nowMs: NOW })
  expect(found?.sentence).toContain("The rules hot, cold wait for each other")
  expect(found?.todo).toMatch(/^Fund the wallet, or lower a minimum/)
  expect(shown([hot, { ...cold, verdict: "proposed" as const }])).toEqual([])
  const resting = { ...cold, reasons: [{ code: "limit.cooldown", message: "later" }] }
  expect(shown([hot, resting])).toEqual([])
  const empty = { ...cold, reasons: unmet.reasons }
  expect(shown([hot, empty])).toMatchObject([["rule.unmet", "rule", "cold", "ballast why cold"]])
})

test("a partner's need does not hide the reason that holds the rule", () => {
  const reasons = [needs("cold"), { code: "policy.quote_missing", message: "No quote" }]
  const rules = [{ ...unmet, reasons, heldSinceMs: NOW - 60_000 }]
  const [found] = findUnmetRules({ rules, daemon, pause: null, nowMs: NOW })
  expect(found?.sentence).toContain("has had no quote")
})

test("three missed runs in a row are a problem with the reason, and two are none", () => {
  const payroll = { ...unmet, id: "payroll", kind: "recurring", reasons: [] }
  const missed = {
    count: 3,
    isMore: false,
    sinceMs: NOW,
    reason: "the pair is closed [service.no_pair]",
  }
  const problems = findUnmetRules({
    rules: [{ ...payroll, missed }],
    daemon,
    pause: null,
    nowMs: NOW,
  })
  expect(problems).toMatchObject([
    {
      code: "rule.missed_runs",
      about: "payroll",
      sentence:
        "The rule payroll has missed its last 3 runs, since 2026-03-04 09:30 UTC: the pair " +
        "is closed [service.no_pair]",
    },
  ])
  expect(shown([{ ...payroll, missed: { ...missed, count: 2 } }])).toEqual([])
})

test("a cost that no swap has leads to the price sources", () => {
  const todoOf = (given: number | string) => {
    const dear = `No order stays below the ceiling: it costs 0.1 and ${given} bps [policy.too_dear]`
    const reason = typeof given === "string" ? given : dear
    const missed = { count: 3, isMore: false, sinceMs: NOW, reason }
    return findUnmetRules({ rules: [{ ...unmet, missed }], daemon, pause: null, nowMs: NOW })[0]
      ?.todo
  }
  expect(todoOf(9_502)).toMatch(/prices\.sources/)
  expect(todoOf(9_502)).toMatch(/operator of the service/)
  expect(todoOf(300)).toMatch(/^Raise the max_cost/)
  expect(todoOf("the wallet holds less [policy.illiquid]")).toMatch(/^Fund the wallet/)
  expect(todoOf("the pair is closed [service.no_pair]")).toMatch(/^Ask the operator/)
  expect(todoOf("it sells too little [policy.no_order_fits]")).toMatch(/the rule's amounts/)
  expect(todoOf("its order ended [order.patience]")).toMatch(/^Remove the cause/)
  expect(todoOf("1 orders are in flight [limit.in_flight_pair]")).toMatch(/see why they wait/)
  expect(todoOf("The order is larger than one order may be [limit.order]")).toMatch(/^Lower/)
})

test("a rule that rests after a failed order is one, with the cause of that order", () => {
  const reasons = [
    { code: "limit.cooldown", message: "An order failed; new ones wait until 10:00" },
  ]
  const restsAfter = "its order ab12cd34 ended declined: HTTP 401 [service.refused]"
  const rules = [{ ...unmet, reasons, restsAfter }]
  expect(findUnmetRules({ rules, daemon, pause: null, nowMs: NOW })).toMatchObject([
    {
      code: "rule.unmet",
      sentence:
        "The rule hot rests: its order ab12cd34 ended declined: HTTP 401 [service.refused]. " +
        "An order failed; new ones wait until 10:00 [limit.cooldown]",
      todo: expect.stringContaining("operator of the service"),
    },
  ])
})

test("a rule without coin for long is one, and says which key keeps it", () => {
  const reasons = [{ code: "policy.gas", message: "base has no coin left" }]
  const rules = [{ ...unmet, reasons, heldSinceMs: NOW - 60_000 }]
  expect(findUnmetRules({ rules, daemon, pause: null, nowMs: NOW })).toMatchObject([
    {
      sentence: expect.stringContaining("has made no order since"),
      todo: expect.stringContaining("min_native"),
    },
  ])
})

test("a rule whose asset an order without a quote buys leads to that order", () => {
  const message = "Order fa4c buys sol:usdc and has no quote yet, so its payout is not known"
  const reasons = [{ code: "policy.view_incomplete", message, cause: "policy.amount_unknown" }]
  const rules = [{ ...unmet, reasons, heldSinceMs: NOW - 60_000 }]
  expect(findUnmetRules({ rules, daemon, pause: null, nowMs: NOW })).toMatchObject([
    {
      sentence: expect.stringContaining("has no quote yet"),
      todo: expect.stringContaining("abandon it"),
    },
  ])
})

test.each(["recurring", "band", "sweep"])("a %s rule without a quote for long is one", (kind) => {
  const reasons = [{ code: "policy.quote_missing", message: "No solver quotes this pair now" }]
  const at = (ageMs: number) =>
    findUnmetRules({
      rules: [{ ...unmet, id: "payroll", kind, reasons, heldSinceMs: NOW - ageMs }],
      daemon,
      pause: null,
      nowMs: NOW,
    })
  expect(at(29_000)).toEqual([])
  expect(at(60_000)).toMatchObject([
    {
      code: "rule.unmet",
      about: "payroll",
      sentence:
        "The rule payroll has had no quote since 2026-03-04 09:29 UTC: " +
        "No solver quotes this pair now [policy.quote_missing]",
    },
  ])
})
