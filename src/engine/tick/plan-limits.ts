import { type AssetId, chainOf } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import { readCapacity } from "#guards/capacity.ts"
import { AppError } from "#lib/app-error.ts"
import type { BlockedPair, ChainGas, PlanLimits } from "#policy/planner/limits.ts"
import { findRefusals, readGas } from "../admission.ts"
import type { EngineContext } from "../context.ts"
import { type CountingContext, readUsage } from "../usage.ts"

/** A pair that a need lists, for one rule. */
export type NeededPair = {
  readonly rule: string
  readonly from: AssetId
  readonly to: AssetId
  readonly destination: string | null
}

/** The limits that do not depend on the pairs of a plan. */
export function generalLimits({ journal, settings }: EngineContext): PlanLimits {
  return limitsOf({ journal, settings }, commonCost(settings))
}

/** A backtest has its own count of orders, and the general cost limit at hand. */
export function limitsOf({ journal, settings }: GeneralContext, maxCost: CostLimit | null): PlanLimits {
  const { maxInFlight, maxOrder } = settings.limits
  const maxOrders = Math.max(0, maxInFlight - journal.countInFlight())
  return { maxOrders, maxOrder: belowLimit(maxOrder), split: true, maxCost }
}

type GeneralContext = {
  readonly journal: Pick<EngineContext["journal"], "countInFlight">
  readonly settings: Pick<EngineContext["settings"], "limits">
}

/**
 * Everything by which admission would judge an order on one of these pairs now: pauses, allowed destinations, cool-downs, quiet hours, orders in
 * flight, windows, and the coins for network fees. The planner gets it as capacities and blocked pairs.
 */
export async function readPlanLimits(
  context: EngineContext,
  general: PlanLimits,
  pairs: readonly NeededPair[],
): Promise<PlanLimits> {
  if (pairs.length === 0) return general
  const blocked = pairs.flatMap((pair): BlockedPair[] => {
    const reasons = findRefusals(context, { ...pair, sourceUnits: 1n, occurrence: null })
    return reasons.length === 0 ? [] : [{ ...pairOf(pair), reasons }]
  })
  const counted = countedLimits(context, general, pairs)
  const gas = await readAllGas(context, pairs)
  const all = [...blocked, ...(counted.blocked ?? [])]
  return { ...counted, ...(all.length > 0 ? { blocked: all } : {}), ...(gas.length > 0 ? { gas } : {}) }
}

/** The part of the limits that only counts orders. A backtest counts its own orders the same way. */
export function countedLimits(context: CountingContext, general: PlanLimits, pairs: readonly NeededPair[]): PlanLimits {
  const { settings, clock } = context
  const usageOf = (query: Pick<NeededPair, "rule" | "from" | "to">) =>
    readUsage(context, { ...query, exceptOrder: null })
  const { orders, counts, windows, refused } = readCapacity(settings.limits, pairs, usageOf, clock.now())
  const limited = windows.filter(
    ({ leftFiat, leftUnits, leftFeesFiat }) =>
      leftFiat !== null || leftFeesFiat !== null || Object.keys(leftUnits).length > 0,
  )
  return {
    ...general,
    maxOrders: Math.min(general.maxOrders, orders),
    ...(refused.length > 0 ? { blocked: refused.map((pair) => ({ ...pairOf(pair), reasons: pair.reasons })) } : {}),
    ...(counts.length > 0 ? { counts } : {}),
    ...(limited.length > 0 ? { windows: limited } : {}),
  }
}

function pairOf({ rule, from, to }: Pick<NeededPair, "rule" | "from" | "to">): Omit<BlockedPair, "reasons"> {
  return { rule, from, to }
}

/** A chain whose coins cannot be read now has no entry: admission reads them again and decides. */
async function readAllGas(context: EngineContext, pairs: readonly NeededPair[]): Promise<ChainGas[]> {
  const sources = new Map(pairs.map(({ from }) => [chainOf(from), from]))
  const found = await Promise.all(
    [...sources.values()].map(async (from) => {
      try {
        return await readGas(context, from)
      } catch (error) {
        if (error instanceof AppError) return null
        throw error
      }
    }),
  )
  return found.filter((gas) => gas !== null)
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
