import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { encodeJson } from "#lib/json.ts"
import { type Evaluation, evaluate, findNeeds, listDuePairs } from "#policy/evaluate.ts"
import { listCostParts } from "#policy/list-cost-parts.ts"
import type { FlowProblem } from "#policy/planner/flow/flow-problem.ts"
import { pairGreedily, solveFlow } from "#policy/planner/flow/solve-flow.ts"
import { priceOrders } from "#policy/planner/price-orders.ts"
import { relaxFlow } from "#policy/planner/relax.ts"
import { POLICY_VERSION } from "#policy/policy-version.ts"
import { type PolicyRule, ruleKindOf } from "#policy/rules/registry.ts"
import { drawTreasury, type Theme } from "./draw-treasury.ts"

/**
 * `replay` promises that a version of the policy gives the same plan for the same inputs, to the
 * last word of a reason. The questions for the solver are recorded too, because a decision keeps
 * the answers alone, and so are the steps of the search, because it ends early where it takes too
 * many. The fixtures have the plans of random treasuries. When they change on purpose, raise
 * `POLICY_VERSION` and record them anew: `RECORD=plans npx vitest run test/unit/policy/recorded`.
 */
export function comparePlans(theme: Theme, count: number): void {
  compareLines(`plans-${theme}`, count, (seed) => showPlan(seed, theme))
}

/** A test for a part of the lines, so that a changed line of code meets a short one. */
const PART = 25

export function compareLines(name: string, count: number, show: (seed: number) => string): void {
  const file = join(import.meta.dirname, `../../fixtures/policy/recorded/${name}.txt`)
  if (process.env["RECORD"] === "plans") {
    const lines = Array.from({ length: count }, (_, seed) => show(seed))
    writeFileSync(file, `version ${POLICY_VERSION}\n${lines.join("\n")}\n`)
  }
  const [version, ...recorded] = readFileSync(file, "utf8").trimEnd().split("\n")

  test(`${name} were recorded with this version of the policy`, () => {
    expect(version).toBe(`version ${POLICY_VERSION}`)
    expect(recorded).toHaveLength(count)
  })

  test.each(Array.from({ length: count / PART }, (_, part) => part * PART))(
    `${name} from %i on are the recorded ones, or POLICY_VERSION is to be raised`,
    (first) => {
      for (let seed = first; seed < first + PART; seed += 1) expect(show(seed)).toBe(recorded[seed])
    },
  )
}

/** One line: a digest of all of it, the orders, and the codes of refusals. */
function showPlan(seed: number, theme: Theme): string {
  const { view, rules, limits, due } = drawTreasury(seed, theme)
  const asked: unknown[] = [
    findNeeds(view, rules, limits, due),
    listDuePairs(rules, due),
    rules.map(traitsOf),
  ]
  const plan = evaluate(view, rules, limits, due, (problem) => {
    const answer = solveFlow(problem)
    asked.push(problem, answer, boundsOf(problem))
    return answer
  })
  const parts = plan.proposals.map((proposal) => listCostParts(proposal, view))
  return [seed, digestOf({ plan, parts, asked }), ...showOrders(plan), ...showDeclined(plan)].join(
    " ",
  )
}

/** What is read for a rule, and what other rules leave to it. */
function traitsOf(rule: PolicyRule): unknown {
  const kind = ruleKindOf(rule)
  const read = [kind.watchedAssets(rule), kind.pricedAssets(rule), kind.soldAsset(rule)]
  const own = kind.wake === "every" ? kind.pairsOf?.(rule) : [kind.fixedAmountOf?.(rule)]
  return [...read, kind.balanceBounds(rule), own ?? null]
}

/** What the search begins with. */
function boundsOf(problem: FlowProblem): unknown {
  const ranges = problem.edges.map(() => ({ min: 0, max: problem.maxOrders }))
  return [pairGreedily(problem), relaxFlow(problem, ranges), priceOrders(problem)]
}

export function digestOf(all: unknown): string {
  return createHash("sha256").update(encodeJson(all)).digest("hex").slice(0, 10)
}

function showOrders({ proposals }: Evaluation): string[] {
  return proposals.map(({ rules, from, to, units }) => `${rules.join("+")}:${units}:${from}>${to}`)
}

function showDeclined({ declined }: Evaluation): string[] {
  return declined.map(({ rule, reasons }) => `${rule}:${reasons.map(({ code }) => code).join(",")}`)
}
