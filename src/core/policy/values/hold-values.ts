import type { AssetId } from "#domain/asset.ts"
import { PPB } from "#domain/order-cost.ts"
import { fixedTotalOf, shareOf } from "../planner/route.ts"
import { type PolicyRule, ruleKindOf } from "../rules/registry.ts"
import {
  type AssetView,
  type HoldingPoint,
  type PairCosts,
  readPrice,
  type TreasuryView,
} from "../treasury-view.ts"
import { fiatOfValue, valueOfUnits } from "../value.ts"
import { type DayFlow, forecastFlow } from "./forecast-flow.ts"
import { holdingCosts, type ShiftCost } from "./holding-costs.ts"

/** The holding costs of a day, and what they are of. `points`: `null` without a forecast. */
type DayHolding = {
  readonly today: number
  readonly minUnits: bigint
  readonly maxUnits: bigint
  /** `null` for a direction without a quote so far. */
  readonly refill: ShiftCost | null
  readonly drain: ShiftCost | null
  readonly points: readonly HoldingPoint[] | null
}

/** What holding costs are made of, and those of the day that are already known. */
type HoldingSource = {
  readonly flowsOf: (asset: AssetId) => readonly DayFlow[]
  readonly known: Map<AssetId, DayHolding>
}
export type KnownHoldings = HoldingSource["known"]

/**
 * Adds the holding costs of the assets whose band moves by values. They are computed once a day,
 * with the first price and quotes of that day, and again when the first quote of the other
 * direction comes. An asset without a price, a quote or a forecast has none: its orders have the
 * sizes of `move: edge`.
 */
export function addHoldings(
  view: TreasuryView,
  rules: readonly PolicyRule[],
  today: number,
  { flowsOf, known }: HoldingSource,
): TreasuryView {
  const bands = rules
    .filter(({ enabled }) => enabled !== false)
    .flatMap((rule) => ruleKindOf(rule).balanceBounds(rule))
    .filter(({ byValues }) => byValues)
  if (bands.length === 0) return view
  const assets = view.assets.map((asset): AssetView => {
    const band = bands.find((one) => one.asset === asset.id)
    const price = readPrice(asset)
    if (band === undefined || band.maxUnits === null || !price.ok) return asset
    const { minUnits, maxUnits } = band
    const last = known.get(asset.id)
    const before =
      last?.today === today && last.minUnits === minUnits && last.maxUnits === maxUnits
        ? last
        : null
    const width = maxUnits - minUnits
    const value = valueOfUnits(asset, price.priceFiat, width)
    if (width <= 0n) return asset
    const costOf = (end: "from" | "to"): ShiftCost | null => {
      const quote = cheapestOf(view, asset.id, end, value)
      return quote === null ? null : shiftCostOf(quote, width, value)
    }
    const refill = before?.refill ?? costOf("to")
    const drain = before?.drain ?? costOf("from")
    if (before !== null && before.refill === refill && before.drain === drain)
      return withPoints(asset, before.points)
    const [some] = [refill, drain].filter((cost) => cost !== null)
    if (some === undefined) return asset
    const forecast = forecastFlow(flowsOf(asset.id), today)
    const costs = { refill: refill ?? some, drain: drain ?? some }
    const points =
      forecast === null ? null : holdingCosts({ minUnits, maxUnits, ...costs }, forecast, today)
    known.set(asset.id, { today, minUnits, maxUnits, refill, drain, points })
    return withPoints(asset, points)
  })
  return { ...view, assets }
}

function withPoints(asset: AssetView, holding: DayHolding["points"]): AssetView {
  return holding === null ? asset : { ...asset, holding }
}

/** `value`: of the whole width of the band. */
function shiftCostOf(quote: PairCosts, width: bigint, value: bigint): ShiftCost {
  return {
    fixedFiat: Number(fiatOfValue(fixedTotalOf(quote), "up")),
    fiatPerUnit:
      (Number(fiatOfValue(value, "down")) / Number(width)) * (Number(shareOf(quote)) / Number(PPB)),
  }
}

/** The pair that moves half of the band's width at the lowest cost. `end`: the asset's. */
function cheapestOf(
  { pairs }: TreasuryView,
  id: AssetId,
  end: "from" | "to",
  width: bigint,
): PairCosts | null {
  const quotes = pairs.flatMap(({ quote, ...ends }) =>
    ends[end] === id && quote.readable && quote.available ? [quote] : [],
  )
  const costOf = (quote: PairCosts): bigint =>
    fixedTotalOf(quote) + (width * shareOf(quote)) / (2n * PPB)
  const [first, ...others] = quotes
  if (first === undefined) return null
  return others.reduce((a, b) => (costOf(b) < costOf(a) ? b : a), first)
}
