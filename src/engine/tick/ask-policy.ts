import { type AssetId, chainOf } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import { type DueRule, type Evaluation, evaluateWith } from "#policy/evaluate.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import type { OrderAnswer } from "#policy/planner/settle-flow.ts"
import { solveFlow } from "#policy/planner/solve-flow.ts"
import { POLICY_VERSION } from "#policy/policy-version.ts"
import type { EngineContext } from "../context.ts"
import { buildView } from "./build-view.ts"
import type { DecisionInputs } from "./decision.ts"
import type { QuoteReader } from "./pair-quotes.ts"

/** Evaluates the due rules. Returns the evaluation and the inputs that `replay` needs. */
export async function askPolicy(
  context: EngineContext,
  reader: QuoteReader,
  due: readonly DueRule[],
  options: { readonly quoteOccurrences: boolean },
): Promise<{ evaluation: Evaluation; inputs: DecisionInputs }> {
  const rules = context.settings.rules.filter(({ enabled }) => enabled !== false)
  const entries = due.map(({ rule, occurrence }) => ({ rule, occurrence }))
  const limits = planLimits(context)
  const view = await buildView(context, reader, { rules, due: entries, limits, ...options })
  const answers: OrderAnswer[] = []
  const evaluation = await evaluateWith(view, rules, limits, entries, async (problem) => {
    const { orders, exact } = solveFlow(problem)
    answers.push({ orders, exact })
    return { orders, exact }
  })
  return { evaluation, inputs: { version: 1, policy: POLICY_VERSION, view, rules, limits, due: entries, answers } }
}

function planLimits({ journal, settings }: EngineContext): PlanLimits {
  const { maxInFlight, maxOrder } = settings.limits
  const maxOrders = Math.max(0, maxInFlight - journal.countInFlight())
  return { maxOrders, maxOrder: belowLimit(maxOrder), split: true, maxCost: commonCost(settings) }
}

/** One percent below a fiat limit. Admission values the order by its own quote, so an order planned to the cent would fail after any price rise. */
function belowLimit(maxOrder: PlanLimits["maxOrder"]): PlanLimits["maxOrder"] {
  return maxOrder?.kind === "fiat" ? { ...maxOrder, fiat: (maxOrder.fiat * 99n) / 100n } : maxOrder
}

/** The general cost limit. The configuration has one for all pairs; the engine reads it from any pair of two chains. */
function commonCost({ assets, policyFor }: EngineContext["settings"]): CostLimit | null {
  const ids: readonly AssetId[] = [...assets.keys()]
  const [from] = ids
  const to = ids.find((id) => from !== undefined && chainOf(id) !== chainOf(from)) ?? from
  return from === undefined || to === undefined ? null : policyFor(from, to).maxCost
}
