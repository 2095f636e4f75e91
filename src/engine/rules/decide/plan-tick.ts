import { type Evaluation, evaluateInSteps } from "#policy/evaluate.ts"
import type { FlowProblem } from "#policy/planner/flow/flow-problem.ts"
import type { OrderAnswer } from "#policy/planner/flow/settle-flow.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import { POLICY_VERSION } from "#policy/policy-version.ts"
import type { PolicyRule } from "#policy/rules/registry.ts"
import type { DecisionInputs } from "../tick/decision.ts"
import { derivePlanLimits } from "../tick/derive-plan-limits.ts"
import type { PlanInputs } from "../tick/plan-again.ts"
import type { NeededPair } from "../tick/plan-limits.ts"
import type { TimedEntry } from "./fee-waits.ts"
import { type Answer, type Steps, wait } from "./steps.ts"
import { type ViewPort, viewDueRules } from "./view-due-rules.ts"

export type PolicyAnswer = { readonly evaluation: Evaluation; readonly inputs: DecisionInputs }

export type PlanPort = ViewPort & {
  /** The rules that are not disabled. */
  readonly rules: readonly PolicyRule[]
  /** The limits that do not depend on the pairs of a plan. */
  readonly general: PlanLimits
  /** The limits by which admission would judge an order on one of these pairs now. */
  readonly readLimits: (general: PlanLimits, pairs: readonly NeededPair[]) => Answer<PlanLimits>
  readonly solve: (problem: FlowProblem) => Answer<OrderAnswer>
}

/** Evaluates the due rules. Returns the evaluation and the inputs that `replay` needs. */
export function* planTick(port: PlanPort, entries: readonly TimedEntry[]): Steps<PolicyAnswer> {
  const { rules, general } = port
  const due = entries.map(({ rule, occurrence }) => ({ rule, occurrence }))
  const view = yield* viewDueRules(port, { rules, due: entries, limits: general })
  const pairs = derivePlanLimits(view, rules, due)
  let step = pairs.next()
  while (!step.done) step = pairs.next(yield* wait(port.readLimits(general, step.value)))
  return yield* evaluateNow(port, { view, rules, limits: step.value, due })
}

export function* evaluateNow(
  { solve }: Pick<PlanPort, "solve">,
  inputs: PlanInputs,
): Steps<PolicyAnswer> {
  const { view, rules, limits, due } = inputs
  const answers: OrderAnswer[] = []
  const steps = evaluateInSteps(view, rules, limits, due)
  let step = steps.next()
  while (!step.done) {
    const answer = yield* wait(solve(step.value))
    answers.push(answer)
    step = steps.next(answer)
  }
  const all = { version: 1, policy: POLICY_VERSION, view, rules, limits, due, answers } as const
  return { evaluation: step.value, inputs: all }
}
