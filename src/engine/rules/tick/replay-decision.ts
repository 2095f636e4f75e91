import type { Reason } from "#domain/reason.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import { evaluate } from "#policy/evaluate.ts"
import { solveFlow } from "#policy/planner/flow/solve-flow.ts"
import { POLICY_VERSION } from "#policy/policy-version.ts"
import { type Decided, type DecisionInputs, partOf, readDecisionBody } from "./decision.ts"

type Replay = {
  readonly same: boolean
  readonly stored: Decided
  readonly again: Decided
  readonly policy: number
  readonly findings: readonly string[]
  /** For each problem of the planner: what found the plan, and why it is not proven. */
  readonly solved: readonly Solved[]
}

/** `why`: `null` for a proven plan. */
export type Solved = {
  readonly by: string | null
  readonly exact: boolean
  readonly why: string | null
}

/**
 * Evaluates the stored inputs again and compares the result with the stored decision. `null` for a
 * text that is no decision; a reason for a decision of another version of the policy (ADR 25).
 */
export function replayDecision(
  decision: { readonly rule: string; readonly body: string },
  inputs: string,
): Replay | Reason | null {
  const body = readDecisionBody(decision.body)
  if (body === null) return null
  // CAST: written by the tick from DecisionInputs.
  const { view, rules, limits, due, policy, answers = [] } = decodeJson(inputs) as DecisionInputs
  if (policy !== POLICY_VERSION) return otherPolicy(policy)
  const stored = body.decided
  const solved = answers.map(({ by = null, exact, why = null }): Solved => ({ by, exact, why }))
  let asked = 0
  const evaluation = evaluate(
    view,
    rules,
    limits,
    due,
    (problem) => answers[asked++] ?? solveFlow(problem),
  )
  const again = partOf(evaluation, { rule: decision.rule, occurrence: body.occurrence })
  const same = encodeJson(again) === encodeJson(stored)
  return { same, stored, again, policy, findings: [], solved }
}

function otherPolicy(policy: number): Reason {
  const message =
    `Version ${policy} of the policy decided this, and this Ballast has version ` +
    `${POLICY_VERSION}; replay it with the version of Ballast that decided`
  return { code: "decision.policy_version", message }
}
