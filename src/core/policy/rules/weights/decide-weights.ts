import type { AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { findCorrections, oneSidedBps } from "../../corrections.ts"
import { declined, type Need, type Partner, type RuleAnswer } from "../../need.ts"
import {
  type AssetView,
  type Corrections,
  findBalance,
  positionUnits,
  readPrice,
  showUnits,
  type TreasuryView,
} from "../../treasury-view.ts"
import { unitsOfValue, VALUE_PER_FIAT, valueOfUnits } from "../../value.ts"
import type { WeightsRule } from "./weights-rule.ts"

/**
 * Each asset outside its tolerance needs to return to its share, or to the edge of the tolerance.
 * The other assets serve as partners, and never beyond their own shares. The decision reads every
 * weighed asset, because each is part of the total.
 */
export function decideWeights(rule: WeightsRule, view: TreasuryView): RuleAnswer {
  const weighed = weigh(rule, view)
  if (!weighed.ok) return declined(...weighed.reasons)
  const { holdings, totalValue } = weighed
  if (totalValue === 0n) {
    return declined({
      code: "policy.empty",
      message: "The assets that the rule weighs are worth nothing together",
    })
  }
  const measuredHoldings = holdings.map((holding) => ({
    ...holding,
    ...measureDistance(holding, totalValue, rule.toleranceBps),
  }))
  const outside = measuredHoldings.filter((measured) => measured.outside)
  if (outside.length === 0) {
    return declined(
      ...measuredHoldings.map((measured) => ({
        code: "policy.within_tolerance",
        message:
          `${measured.asset.id} has ${measured.shareText} of the total, within ` +
          `${percent(rule.toleranceBps)} of ${percent(measured.bps)}`,
        ...numbersOf(measured, rule),
      })),
    )
  }
  return {
    ok: true,
    needs: outside.map((measured) =>
      needOf(rule, measured, measuredHoldings, findCorrections(view, rule.id, measured.asset.id)),
    ),
  }
}

type Holding = {
  readonly asset: AssetView
  readonly bps: bigint
  readonly value: bigint
  readonly priceFiat: bigint
}

/**
 * A holding and its distance from its share. `over` says the direction. `toEdgeUnits` counts only
 * outside the tolerance.
 */
type MeasuredHolding = Holding & {
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

function measureDistance(
  holding: Holding,
  totalValue: bigint,
  toleranceBps: bigint,
): Omit<MeasuredHolding, keyof Holding> {
  const { asset, bps, value, priceFiat } = holding
  // Values are multiplied by 10 000, so the comparison needs no rounding.
  const offScaled = value * 10_000n - totalValue * bps
  const sizeScaled = offScaled < 0n ? -offScaled : offScaled
  const edgeScaled = sizeScaled - totalValue * toleranceBps
  const over = offScaled > 0n
  // A gain to the edge must reach the edge, so it is rounded up; a gain to the share must not pass
  // the share.
  const toEdgeValue = (edgeScaled + 9_999n) / 10_000n
  return {
    over,
    outside: edgeScaled > 0n,
    toShareUnits: unitsOfValue(asset, priceFiat, sizeScaled / 10_000n, "down"),
    toEdgeUnits: unitsOfValue(asset, priceFiat, toEdgeValue, "up"),
    shareText: percent((value * 10_000n) / totalValue),
  }
}

function needOf(
  rule: WeightsRule,
  measured: MeasuredHolding,
  measuredHoldings: readonly MeasuredHolding[],
  corrections: Corrections | null,
): Need {
  const kind = measured.over ? "lose" : "gain"
  const to = rule.move ?? "target"
  const wantUnits = to === "target" ? measured.toShareUnits : measured.toEdgeUnits
  const goal = to === "target" ? percent(measured.bps) : "the edge of its tolerance"
  const others = measuredHoldings.filter(({ over }) => over !== measured.over)
  return {
    rule: rule.id,
    asset: measured.asset.id,
    kind,
    oneSidedBps: oneSidedBps(corrections, kind),
    to,
    wantUnits,
    mostUnits: measured.toShareUnits > wantUnits ? measured.toShareUnits : wantUnits,
    way: { toBoundUnits: measured.toEdgeUnits, toTargetUnits: measured.toShareUnits },
    leastUnits: leastOf(rule, measured),
    partners: others.map((other): Partner => partnerOf(other.asset.id, other.toShareUnits)),
    maxCost: rule.maxCost ?? null,
    why: {
      code: "policy.rebalance",
      message:
        `${measured.asset.id} has ${measured.shareText} of the total instead of ` +
        `${percent(measured.bps)}; it goes back to ${goal}`,
      ...numbersOf(measured, rule),
    },
  }
}

/** Rounded up: an order one unit smaller would be worth less than the rule asks for. */
function leastOf({ leastFiat = 0n }: WeightsRule, { asset, priceFiat }: MeasuredHolding): bigint {
  const units = unitsOfValue(asset, priceFiat, leastFiat * VALUE_PER_FIAT, "up")
  return units > 1n ? units : 1n
}

function partnerOf(asset: AssetId, mostUnits: bigint): Partner {
  return { asset, destination: null, mostUnits }
}

function numbersOf(measured: MeasuredHolding, rule: WeightsRule): Record<string, string> {
  return {
    asset: measured.asset.id,
    share: measured.shareText,
    weight: percent(measured.bps),
    tolerance: percent(rule.toleranceBps),
    off: showUnits(measured.asset, measured.toShareUnits),
  }
}

function percent(bps: bigint): string {
  const size = bps < 0n ? -bps : bps
  const rest = size % 100n === 0n ? "" : `.${(size % 100n).toString().padStart(2, "0")}`
  return `${bps < 0n ? "-" : ""}${size / 100n}${rest}%`
}
