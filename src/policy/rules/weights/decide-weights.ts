import type { AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { declined, type Need, type Partner, type RuleAnswer } from "../../need.ts"
import {
  type AssetView,
  findBalance,
  positionUnits,
  readPrice,
  showUnits,
  type TreasuryView,
} from "../../treasury-view.ts"
import { unitsOfValue, VALUE_PER_FIAT, valueOfUnits } from "../../value.ts"
import type { WeightsRule } from "./weights-rule.ts"

/**
 * Each asset outside its tolerance needs to return to its share, or to the edge of the tolerance. The other assets serve as partners, and
 * never beyond their own shares. The decision reads every weighed asset, because each is part of the total.
 */
export function decideWeights(rule: WeightsRule, view: TreasuryView): RuleAnswer {
  const weighed = weigh(rule, view)
  if (!weighed.ok) return declined(...weighed.reasons)
  const { holdings, totalValue } = weighed
  if (totalValue === 0n) {
    return declined({ code: "policy.empty", message: "The assets that the rule weighs are worth nothing together" })
  }
  const spots = holdings.map((holding) => ({ ...holding, ...locate(holding, totalValue, rule.toleranceBps) }))
  const outside = spots.filter((spot) => spot.outside)
  if (outside.length === 0) {
    return declined(
      ...spots.map((spot) => ({
        code: "policy.within_tolerance",
        message: `${spot.asset.id} has ${spot.shareText} of the total, within ${percent(rule.toleranceBps)} of ${percent(spot.bps)}`,
        ...numbersOf(spot, rule),
      })),
    )
  }
  return { ok: true, needs: outside.map((spot) => needOf(rule, spot, spots)) }
}

type Holding = { readonly asset: AssetView; readonly bps: bigint; readonly value: bigint; readonly priceFiat: bigint }

/** A holding and its distance from its share. Distances are never negative; `over` says the direction. */
type Spot = Holding & {
  readonly over: boolean
  readonly outside: boolean
  readonly toShareUnits: bigint
  readonly toEdgeUnits: bigint
  readonly shareText: string
}

function weigh(
  rule: WeightsRule,
  view: TreasuryView,
): { ok: true; holdings: Holding[]; totalValue: bigint } | { ok: false; reasons: Reason[] } {
  const reasons: Reason[] = []
  const holdings: Holding[] = []
  for (const { asset: id, bps } of rule.weights) {
    const read = findBalance(view, id)
    const price = read.ok ? readPrice(read.asset) : read
    if (!read.ok || !price.ok) {
      if (!price.ok) reasons.push(price.reason)
      continue
    }
    const value = valueOfUnits(read.asset, price.priceFiat, positionUnits(read.balance))
    holdings.push({ asset: read.asset, bps, value, priceFiat: price.priceFiat })
  }
  if (reasons.length > 0) return { ok: false, reasons }
  return { ok: true, holdings, totalValue: holdings.reduce((sum, { value }) => sum + value, 0n) }
}

function locate(holding: Holding, totalValue: bigint, toleranceBps: bigint): Omit<Spot, keyof Holding> {
  const { asset, bps, value, priceFiat } = holding
  // Values are multiplied by 10 000, so the comparison needs no rounding.
  const offScaled = value * 10_000n - totalValue * bps
  const sizeScaled = offScaled < 0n ? -offScaled : offScaled
  const edgeScaled = sizeScaled - totalValue * toleranceBps
  const over = offScaled > 0n
  // A gain to the edge must reach the edge, so it is rounded up; a gain to the share must not pass the share.
  const toEdgeValue = edgeScaled > 0n ? (edgeScaled + 9_999n) / 10_000n : 0n
  return {
    over,
    outside: edgeScaled > 0n,
    toShareUnits: unitsOfValue(asset, priceFiat, sizeScaled / 10_000n, "down"),
    toEdgeUnits: unitsOfValue(asset, priceFiat, toEdgeValue, "up"),
    shareText: percent((value * 10_000n) / totalValue),
  }
}

function needOf(rule: WeightsRule, spot: Spot, spots: readonly Spot[]): Need {
  const to = rule.move ?? "target"
  const wantUnits = to === "target" ? spot.toShareUnits : spot.toEdgeUnits
  const goal = to === "target" ? percent(spot.bps) : "the edge of its tolerance"
  const others = spots.filter(({ over }) => over !== spot.over)
  return {
    rule: rule.id,
    kind: spot.over ? "lose" : "gain",
    asset: spot.asset.id,
    to,
    wantUnits,
    mostUnits: spot.toShareUnits > wantUnits ? spot.toShareUnits : wantUnits,
    leastUnits: leastOf(rule, spot),
    partners: others.map((other): Partner => partnerOf(other.asset.id, other.toShareUnits)),
    maxCost: rule.maxCost ?? null,
    why: {
      code: "policy.rebalance",
      message: `${spot.asset.id} has ${spot.shareText} of the total instead of ${percent(spot.bps)}; it goes back to ${goal}`,
      ...numbersOf(spot, rule),
    },
  }
}

/** Rounded up: an order one unit smaller would be worth less than the rule asks for. */
function leastOf({ leastFiat = 0n }: WeightsRule, { asset, priceFiat }: Spot): bigint {
  const units = unitsOfValue(asset, priceFiat, leastFiat * VALUE_PER_FIAT, "up")
  return units > 1n ? units : 1n
}

function partnerOf(asset: AssetId, mostUnits: bigint): Partner {
  return { asset, destination: null, mostUnits }
}

function numbersOf(spot: Spot, rule: WeightsRule): Record<string, string> {
  return {
    asset: spot.asset.id,
    share: spot.shareText,
    weight: percent(spot.bps),
    tolerance: percent(rule.toleranceBps),
    off: showUnits(spot.asset, spot.toShareUnits),
  }
}

function percent(bps: bigint): string {
  return `${bps / 100n}${bps % 100n === 0n ? "" : `.${(bps % 100n).toString().padStart(2, "0")}`}%`
}
