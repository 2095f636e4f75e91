import type { AssetId } from "#domain/asset.ts"
import { PPB } from "#domain/order-cost.ts"
import { fixedTotalOf, shareOf } from "../planner/route.ts"
import { type PolicyRule, ruleKindOf } from "../rules/registry.ts"
import {
  type AssetView,
  type HoldingPoint,
  type PairCosts,
  positionUnits,
  readPrice,
  type TreasuryView,
} from "../treasury-view.ts"
import { fiatOfValue, unitsOfValue, valueOfUnits } from "../value.ts"
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
      const found = cheapestOf(view, asset.id, end, { width: value, known })
      return found === null ? null : shiftCostOf(found, width, value)
    }
    const refill = nearOf(before?.refill ?? null, costOf("to"))
    const drain = nearOf(before?.drain ?? null, costOf("from"))
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

/**
 * A cost that differs little from the known one is the same. Where the day's cheapest pair is no
 * more to be had, the next orders cost as much as this one.
 */
function nearOf(known: ShiftCost | null, now: ShiftCost | null): ShiftCost | null {
  if (known === null || now === null) return known ?? now
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= MOST_CHANGE * a
  const { fixedFiat, fiatPerUnit } = known
  return isNear(fixedFiat, now.fixedFiat) && isNear(fiatPerUnit, now.fiatPerUnit) ? known : now
}

/** Quotes vary, and the program takes some milliseconds. */
const MOST_CHANGE = 0.05

function withPoints(asset: AssetView, holding: DayHolding["points"]): AssetView {
  return holding === null ? asset : { ...asset, holding }
}

/** `value`: of the whole width of the band. */
function shiftCostOf({ quote, partnerPpb }: PricedPair, width: bigint, value: bigint): ShiftCost {
  return {
    fixedFiat: Number(fiatOfValue(fixedTotalOf(quote), "up")),
    fiatPerUnit:
      (Number(fiatOfValue(value, "down")) / Number(width)) *
      ((Number(shareOf(quote)) + partnerPpb) / Number(PPB)),
  }
}

/** `partnerPpb`: the holding costs of the partner, in billionths of the value. */
type PricedPair = { readonly quote: PairCosts; readonly partnerPpb: number }

/** The pair that moves half of the band's width at the lowest cost. `end`: the asset's. */
function cheapestOf(
  { assets, pairs }: TreasuryView,
  id: AssetId,
  end: "from" | "to",
  { width, known }: { readonly width: bigint; readonly known: KnownHoldings },
): PricedPair | null {
  const quotes = pairs.flatMap(({ quote, ...ends }): PricedPair[] => {
    if (ends[end] !== id || !quote.readable || !quote.available) return []
    const partner = assets.find((one) => one.id === ends[end === "from" ? "to" : "from"])
    return [
      { quote, partnerPpb: partner === undefined ? 0 : partnerPpbOf(partner, known, end, width) },
    ]
  })
  const costOf = ({ quote, partnerPpb }: PricedPair): bigint =>
    fixedTotalOf(quote) + (width * (shareOf(quote) + BigInt(Math.round(partnerPpb)))) / (2n * PPB)
  const [first, ...others] = quotes
  if (first === undefined) return null
  return others.reduce((a, b) => (costOf(b) < costOf(a) ? b : a), first)
}

/** The part of the band's width that an order moves, for the costs of its partner. */
const ORDER_PART = 8n

/** The holding costs that a usual amount adds to its partner. */
function partnerPpbOf(
  partner: AssetView,
  known: KnownHoldings,
  end: "from" | "to",
  width: bigint,
): number {
  const points = known.get(partner.id)?.points ?? null
  const price = readPrice(partner)
  if (points === null || !price.ok || !partner.balance.readable) return 0
  const value = width / ORDER_PART
  const units = unitsOfValue(partner, price.priceFiat, value, "down")
  const have = positionUnits(partner.balance)
  const cost = costAt(points, end === "from" ? have + units : have - units) - costAt(points, have)
  const fiat = Number(fiatOfValue(value, "up"))
  return cost > 0 && fiat > 0 ? (cost * Number(PPB)) / fiat : 0
}

/** The cost at an amount, between the points, and that of a bound beyond it. */
function costAt(points: readonly HoldingPoint[], units: bigint): number {
  const at = points.findIndex((point) => point.units >= units)
  const next = points[at] ?? points.at(-1)
  const before = points[at - 1]
  if (next === undefined) return 0
  if (at <= 0 || before === undefined) return Number(next.costFiat)
  const part = Number(units - before.units) / Number(next.units - before.units)
  return Number(before.costFiat) + part * Number(next.costFiat - before.costFiat)
}
