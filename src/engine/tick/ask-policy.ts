import { type AssetId, chainOf } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import { type DueRule, type Evaluation, evaluate } from "#policy/evaluate.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import type { EngineContext } from "../context.ts"
import { buildView } from "./build-view.ts"
import type { DecisionInputs } from "./decision.ts"
import type { QuoteReader } from "./pair-quotes.ts"

/** What should be done about these rules now, and everything that this was decided from. */
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
  const evaluation = evaluate(view, rules, limits, entries)
  return { evaluation, inputs: { version: 1, view, rules, limits, due: entries } }
}

function planLimits({ journal, settings }: EngineContext): PlanLimits {
  const { maxInFlight, maxOrder } = settings.limits
  const maxOrders = Math.max(0, maxInFlight - journal.countInFlight())
  return { maxOrders, maxOrder: belowLimit(maxOrder), split: true, maxCost: commonCost(settings) }
}

/** Admission values the order by a quote of its own: an order planned to the cent would be refused whenever the price has risen since. */
function belowLimit(maxOrder: PlanLimits["maxOrder"]): PlanLimits["maxOrder"] {
  return maxOrder?.kind === "fiat" ? { ...maxOrder, fiat: (maxOrder.fiat * 99n) / 100n } : maxOrder
}

/** One for all pairs in the configuration; the engine only knows it by pair. */
function commonCost({ assets, policyFor }: EngineContext["settings"]): CostLimit | null {
  const ids: readonly AssetId[] = [...assets.keys()]
  const [from] = ids
  const to = ids.find((id) => from !== undefined && chainOf(id) !== chainOf(from)) ?? from
  return from === undefined || to === undefined ? null : policyFor(from, to).maxCost
}
