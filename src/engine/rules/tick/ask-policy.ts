import { type DueRule, type Evaluation, evaluateWith } from "#policy/evaluate.ts"
import type { FlowProblem } from "#policy/planner/flow-problem.ts"
import type { OrderAnswer } from "#policy/planner/settle-flow.ts"
import { solveFlow } from "#policy/planner/solve-flow.ts"
import { POLICY_VERSION } from "#policy/policy-version.ts"
import type { EngineContext } from "../../context.ts"
import { buildView } from "./build-view.ts"
import type { DecisionInputs } from "./decision.ts"
import { derivePlanLimits } from "./derive-plan-limits.ts"
import type { QuoteReader } from "./pair-quotes.ts"
import { generalLimits, readPlanLimits } from "./plan-limits.ts"

export type PolicyAnswer = { readonly evaluation: Evaluation; readonly inputs: DecisionInputs }

/** Evaluates the due rules. Returns the evaluation and the inputs that `replay` needs. */
export async function askPolicy(
  context: EngineContext,
  reader: QuoteReader,
  due: readonly DueRule[],
  options: { readonly quoteOccurrences: boolean },
): Promise<PolicyAnswer> {
  const rules = context.settings.rules.filter(({ enabled }) => enabled !== false)
  const entries = due.map(({ rule, occurrence }) => ({ rule, occurrence }))
  const general = generalLimits(context)
  const view = await buildView(context, reader, {
    rules,
    due: entries,
    limits: general,
    ...options,
  })
  const steps = derivePlanLimits(view, rules, entries)
  let step = steps.next()
  while (!step.done) step = steps.next(await readPlanLimits(context, general, step.value))
  return evaluateNow(context, { view, rules, limits: step.value, due: entries })
}

/** Evaluates given inputs, with the solver of the daemon. */
export async function evaluateNow(
  { solver }: Pick<EngineContext, "solver">,
  { view, rules, limits, due }: Pick<DecisionInputs, "view" | "rules" | "limits" | "due">,
): Promise<PolicyAnswer> {
  const answers: OrderAnswer[] = []
  const evaluation = await evaluateWith(view, rules, limits, due, async (problem) => {
    const answer = solver ? await solver.solve(problem) : searchAlone(problem)
    answers.push(answer)
    return answer
  })
  return {
    evaluation,
    inputs: { version: 1, policy: POLICY_VERSION, view, rules, limits, due, answers },
  }
}

function searchAlone(problem: FlowProblem): OrderAnswer {
  const { orders, exact } = solveFlow(problem)
  return { orders, exact, by: "search" }
}
