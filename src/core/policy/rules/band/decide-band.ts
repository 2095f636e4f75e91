import type { CostLimit } from "#domain/order.ts"
import { drainFiat, findCorrections, oneSidedBps } from "../../corrections.ts"
import { declined, type Need, type RuleAnswer } from "../../need.ts"
import {
  type AssetView,
  type Corrections,
  findBalance,
  positionUnits,
  readPrice,
  showUnits,
  type TreasuryView,
} from "../../treasury-view.ts"
import { unitsOfValue, VALUE_PER_FIAT } from "../../value.ts"
import type { BandRule } from "./band-rule.ts"

/**
 * A balance from min to max needs nothing. A balance outside needs a refill or a drain, to the
 * target or to the bound that it left.
 *
 * The decision reads the band's own balance, and what the rule had to correct in the last days. The
 * planner skips sources and sinks that cannot be read (`planSwaps`).
 */
export function decideBand(rule: BandRule, view: TreasuryView): RuleAnswer {
  const read = findBalance(view, rule.asset)
  if (!read.ok) return declined(read.reason)
  const haveUnits = positionUnits(read.balance)
  const show = (units: bigint): string => showUnits(read.asset, units)
  const bounds = {
    asset: rule.asset,
    have: show(haveUnits),
    min: show(rule.minUnits),
    max: show(rule.maxUnits),
  }
  const to = rule.move ?? "target"
  const corrections = findCorrections(view, rule.id, rule.asset)
  const shared = {
    rule: rule.id,
    asset: rule.asset,
    to,
    mayGrow: true,
    leastUnits: rule.leastUnits ?? 1n,
    maxCost: rule.maxCost ?? null,
  }
  const numbers = { ...bounds, target: show(rule.targetUnits) }
  if (haveUnits < rule.minUnits) {
    const goal = to === "target" ? rule.targetUnits : rule.minUnits
    const need: Need = {
      ...shared,
      maxCost: ceilingAt(rule, haveUnits - drainUnits(rule, read.asset, corrections)),
      kind: "gain",
      wantUnits: goal - haveUnits,
      mostUnits: rule.maxUnits - haveUnits,
      way: { toBoundUnits: rule.minUnits - haveUnits, toTargetUnits: rule.targetUnits - haveUnits },
      oneSidedBps: to === "values" ? 0n : oneSidedBps(corrections, "gain"),
      partners: rule.sources.map((asset) => ({ asset, destination: null, mostUnits: null })),
      why: {
        code: "policy.refill",
        message:
          `${rule.asset} holds ${bounds.have}, less than ${bounds.min}; it is refilled to ` +
          `${show(goal)}`,
        ...numbers,
      },
    }
    return { ok: true, needs: [need] }
  }
  if (haveUnits > rule.maxUnits) {
    const goal = to === "target" ? rule.targetUnits : rule.maxUnits
    const need: Need = {
      ...shared,
      kind: "lose",
      wantUnits: haveUnits - goal,
      mostUnits: haveUnits - rule.minUnits,
      way: { toBoundUnits: haveUnits - rule.maxUnits, toTargetUnits: haveUnits - rule.targetUnits },
      oneSidedBps: to === "values" ? 0n : oneSidedBps(corrections, "lose"),
      partners: rule.sinks.map((asset) => ({ asset, destination: null, mostUnits: null })),
      why: {
        code: "policy.drain",
        message:
          `${rule.asset} holds ${bounds.have}, more than ${bounds.max}; it is drained to ` +
          `${show(goal)}`,
        ...numbers,
      },
    }
    return { ok: true, needs: [need] }
  }
  const message = `${rule.asset} holds ${bounds.have}, between ${bounds.min} and ${bounds.max}`
  return declined({ code: "policy.target_satisfied", message, ...bounds })
}

/**
 * What the balance will lose until the rule is next evaluated, if it goes on as in the last days.
 */
function drainUnits(
  { everyMs = 0 }: BandRule,
  asset: AssetView,
  corrections: Corrections | null,
): bigint {
  const price = readPrice(asset)
  if (!price.ok) return 0n
  return unitsOfValue(
    asset,
    price.priceFiat,
    drainFiat(corrections, everyMs) * VALUE_PER_FIAT,
    "down",
  )
}

/**
 * The cost ceiling of a refill: `maxCost` at min, `maxCostWhenEmpty` at zero, and evenly between
 * them.
 */
function ceilingAt(
  { minUnits, maxCost = null, maxCostWhenEmpty = null }: BandRule,
  haveUnits: bigint,
): CostLimit | null {
  if (maxCost === null || maxCostWhenEmpty === null || minUnits <= 0n) return maxCost
  const missingUnits = haveUnits > 0n ? minUnits - haveUnits : minUnits
  const between = (full: bigint, empty: bigint): bigint =>
    full + ((empty - full) * missingUnits) / minUnits
  if (maxCost.kind === "share" && maxCostWhenEmpty.kind === "share") {
    return { kind: "share", bps: between(maxCost.bps, maxCostWhenEmpty.bps) }
  }
  if (maxCost.kind === "fiat" && maxCostWhenEmpty.kind === "fiat") {
    return { kind: "fiat", fiat: between(maxCost.fiat, maxCostWhenEmpty.fiat) }
  }
  return maxCost
}
