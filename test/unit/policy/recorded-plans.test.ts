import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { AssetId } from "#domain/asset.ts"
import { encodeJson } from "#lib/json.ts"
import { type Evaluation, evaluate, findNeeds, listDuePairs } from "#policy/evaluate.ts"
import { listCostParts } from "#policy/list-cost-parts.ts"
import { solveFlow } from "#policy/planner/flow/solve-flow.ts"
import { POLICY_VERSION } from "#policy/policy-version.ts"
import { addHoldings } from "#policy/values/hold-values.ts"
import { drawFlows, drawTreasury } from "./draw-treasury.ts"

/**
 * `replay` promises that a version of the policy gives the same plan for the same inputs, to the
 * last word of a reason. The questions for the solver are recorded too, because a decision keeps
 * the answers alone, and so are the steps of the search, because it ends early where it takes too
 * many. The fixture has the plans of random treasuries. When they change on purpose, raise `POLICY_VERSION` and record them anew: `RECORD=plans npx vitest run` with this
 * file.
 */
const FILE = join(import.meta.dirname, "../../fixtures/policy/recorded-plans.txt")
const RECORDED = readFileSync(FILE, "utf8").trimEnd().split("\n")
const TREASURIES = 600
const PART = 25
/** The costs of holding come last. */
const HOLDINGS = 30

test("the plans were recorded with this version of the policy", () => {
  const version = `version ${POLICY_VERSION}`
  if (process.env["RECORD"] === "plans") {
    const plans = Array.from({ length: TREASURIES }, (_, seed) => showPlan(seed))
    const holdings = Array.from({ length: HOLDINGS }, (_, seed) => showHoldings(seed))
    const lines = [version, ...plans, ...holdings]
    writeFileSync(FILE, `${lines.join("\n")}\n`)
    RECORDED.splice(0, RECORDED.length, ...lines)
  }
  expect(RECORDED[0]).toBe(version)
  expect(RECORDED).toHaveLength(1 + TREASURIES + HOLDINGS)
})

test.each(Array.from({ length: TREASURIES / PART }, (_, part) => part * PART))(
  "the plans from treasury %i on are the recorded ones, or POLICY_VERSION is to be raised",
  (first) => {
    for (let seed = first; seed < first + PART; seed += 1)
      expect(showPlan(seed)).toBe(RECORDED[seed + 1])
  },
)

test("the costs of holding are the recorded ones, or POLICY_VERSION is to be raised", () => {
  for (let seed = 0; seed < HOLDINGS; seed += 1)
    expect(showHoldings(seed)).toBe(RECORDED[1 + TREASURIES + seed])
})

/** One line: a digest of all of it, the orders, and the codes of refusals. */
function showPlan(seed: number): string {
  const { view, rules, limits, due } = drawTreasury(seed)
  const asked: unknown[] = [findNeeds(view, rules, limits, due), listDuePairs(rules, due)]
  const plan = evaluate(view, rules, limits, due, (problem) => {
    const answer = solveFlow(problem)
    asked.push(problem, answer)
    return answer
  })
  const parts = plan.proposals.map((proposal) => listCostParts(proposal, view))
  return [seed, digestOf({ plan, parts, asked }), ...showOrders(plan), ...showDeclined(plan)].join(
    " ",
  )
}

/** The costs of holding each asset, as if every band moved by values. */
function showHoldings(seed: number): string {
  const { view, rules } = drawTreasury(seed)
  const today = 20_000 + seed
  const valued = rules.map((rule) =>
    rule.kind === "band" ? { ...rule, move: "values" as const } : rule,
  )
  const flowsOf = (id: AssetId) => drawFlows(seed * 31 + id.length + id.charCodeAt(0), today)
  const { assets } = addHoldings(view, valued, today, { flowsOf, known: new Map() })
  return [seed, digestOf(assets)].join(" ")
}

function digestOf(all: unknown): string {
  return createHash("sha256").update(encodeJson(all)).digest("hex").slice(0, 10)
}

function showOrders({ proposals }: Evaluation): string[] {
  return proposals.map(({ rules, from, to, units }) => `${rules.join("+")}:${units}:${from}>${to}`)
}

function showDeclined({ declined }: Evaluation): string[] {
  return declined.map(({ rule, reasons }) => `${rule}:${reasons.map(({ code }) => code).join(",")}`)
}
