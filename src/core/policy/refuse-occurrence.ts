import { type AssetId, chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import {
  above,
  aboveFiat,
  ORDER_TOO_DEAR,
  ORDER_TOO_LARGE,
  SERVICE_SECRET,
  type SoldLimit,
} from "#domain/sold-limit.ts"
import { pairUnavailable, reasonsAgainst } from "./planner/find-routes.ts"
import type { ChainGas, PlanLimits, WindowRest } from "./planner/limits.ts"
import { countedFees, limitsAfter, type PlacedBefore } from "./planner/limits-after.ts"
import { tooDear } from "./planner/order-bounds.ts"
import { askCosts, boundLost } from "./planner/order-costs.ts"
import { findShortGas } from "./planner/order-route.ts"
import { lostValue, payoutUnits, pricePair } from "./planner/payout-rounding.ts"
import { type Place, valueIn } from "./planner/route.ts"
import type { Rule } from "./rules/rule-kind.ts"
import {
  findAsset,
  liquidUnits,
  type PairCosts,
  readPrice,
  showUnits,
  type TreasuryView,
} from "./treasury-view.ts"
import { fiatOfValue, VALUE_PER_FIAT, valueOfUnits } from "./value.ts"

/**
 * Why admission is known to refuse the order of an occurrence, beside the orders that this tick has
 * placed; empty for none. A scheduled order is placed in full or not at all, so a window must leave
 * the whole amount. A value that is not known here is left to admission. Pure.
 */
export function refuseOccurrence(
  order: PlacedBefore & { readonly rule: Pick<Rule, "maxCost"> },
  placed: readonly PlacedBefore[],
  limits: PlanLimits,
  view: TreasuryView,
): readonly Reason[] {
  const { rules, from } = order
  const refused = rules.flatMap((rule) => reasonsAgainst(limits.blocked ?? [], order, rule))
  if (refused.length > 0) return refused
  const unquoted = refuseByQuote(order, limits, view)
  if (unquoted !== null) return [unquoted]
  const before = limitsAfter(limits, placed, view)
  const after = limitsAfter(before, [order], view)
  const count = after.counts?.find(
    ({ left }, index) => left < 0 && left !== before.counts?.[index]?.left,
  )
  if (count !== undefined) return [count.reason]
  const window = findShortWindow(order, before.windows ?? [], view)
  if (window !== null) return [window]
  const gas = findShortGas(from, before.gas ?? []) ?? findShortCoin(order, before.gas ?? [], view)
  return gas === null ? [] : [gas]
}

/** Values of quotes are whole millionths, so admission may count this much less. */
const STATED = 2n * VALUE_PER_FIAT

/** Why the quote of this very amount refuses it; `null` where none was read. */
function refuseByQuote(
  order: PlacedBefore & { readonly rule: Pick<Rule, "maxCost"> },
  limits: PlanLimits,
  view: TreasuryView,
): Reason | null {
  const { from, to, units, rule } = order
  const pair = pricePair(view, order)
  if (pair === null) return null
  const { available, closed, minUnits, maxUnits } = pair.quote
  const tooLarge = refuseBySize(order, pair.from, limits)
  if (tooLarge !== null) return tooLarge
  if (!available) return pairUnavailable(from, to, closed)
  const isOutside = units < minUnits || (maxUnits !== null && units > maxUnits)
  const quote = withoutGuesses(pair.quote, from, limits, view)
  const ceilings = [limits.maxCost, rule.maxCost ?? null]
  const costs = askCosts({ ...pair, quote, ceilings }, limits, false)
  const value = valueIn(pair.from, units)
  const lost = lostValue(pair, value, { margin: -STATED, stated: -STATED })
  const bounds = boundLost({ ...costs, feesLeftFiat: null }, lost)
  const paysNothing = payoutUnits(pair, value, -STATED) === 0n
  if (!isOutside && !paysNothing && bounds !== null) {
    if (units >= bounds.lo && (bounds.hi === null || units <= bounds.hi)) return null
  }
  const amount = showUnits(pair.from.asset, units)
  if (!isOutside) return tooDear(costs, amount)
  const min = showUnits(pair.from.asset, minUnits)
  const max = maxUnits === null ? "any amount" : showUnits(pair.from.asset, maxUnits)
  const message = `The service swaps ${min} to ${max} of ${from}, the occurrence sells ${amount}`
  return { code: "policy.no_order_fits", message, from, to, units: amount, min, max }
}

/** As admission refuses an order larger than all pairs allow, or than this one does. */
function refuseBySize(
  order: PlacedBefore,
  source: Place,
  { maxOrder, orderLimits = [] }: PlanLimits,
): Reason | null {
  const { from, to, units } = order
  if (maxOrder !== null && passesLimit(source, units, maxOrder)) {
    if (maxOrder.kind === "units")
      return above("limit.order", ORDER_TOO_LARGE, units, maxOrder.byAsset[from] ?? units)
    const fiat = fiatOfValue(valueIn(source, units), "down")
    return aboveFiat("limit.order", ORDER_TOO_DEAR, fiat, maxOrder.fiat)
  }
  const isSecretRefused = orderLimits.some(
    (one) => one.from === from && one.to === to && passesLimit(source, units, one.max),
  )
  return isSecretRefused ? SERVICE_SECRET : null
}

/** A limit in fiat is one percent tighter here than in admission (`plan-limits.ts`). */
function passesLimit({ asset, priceFiat }: Place, units: bigint, limit: SoldLimit): boolean {
  if (limit.kind === "units") return units > (limit.byAsset[asset.id] ?? units)
  const most = (limit.fiat + 1n) * 100n * VALUE_PER_FIAT
  return valueOfUnits(asset, priceFiat, units) * 99n > most
}

/** Admission counts network fees only where a source has the price of the chain's coin. */
function withoutGuesses(
  quote: PairCosts,
  from: AssetId,
  { gas = [] }: PlanLimits,
  view: TreasuryView,
): PairCosts {
  const coin = gas.find(({ chain }) => chain === chainOf(from))?.coin ?? null
  const known = coin === null ? null : findAsset(view, coin)
  if (known === null || known.isReference) return quote
  return { ...quote, networkFeeFiat: 0n, refundFeeFiat: 0n }
}

/**
 * A sale of the chain's coin must leave the fees of the orders from this chain that the tick has
 * placed; the fees of one order are in its floor.
 */
function findShortCoin(
  { from, units }: PlacedBefore,
  gas: readonly ChainGas[],
  view: TreasuryView,
): Reason | null {
  const own = gas.find(({ coin, placed = 0 }) => coin === from && placed > 0)
  const asset = findAsset(view, from)
  if (own === undefined || !asset?.balance.readable) return null
  const keepUnits = BigInt(own.placed ?? 0) * own.perOrderUnits
  const haveUnits = liquidUnits(asset.balance) - keepUnits
  if (haveUnits >= units) return null
  const [have, need, keep] = [haveUnits > 0n ? haveUnits : 0n, units, keepUnits].map((one) =>
    showUnits(asset, one),
  )
  const message =
    `Beside the ${keep} of ${from} for the fees of other orders of this tick ${have} is ` +
    `liquid, and the occurrence sells ${need}`
  return { code: "policy.gas", message, asset: from, have: have ?? "", need: need ?? "" }
}

function findShortWindow(
  order: PlacedBefore,
  windows: readonly WindowRest[],
  view: TreasuryView,
): Reason | null {
  const { from, to, units } = order
  const feesFiat = countedFees(order, view)
  const asset = findAsset(view, from)
  if (asset === null) return null
  const price = readPrice(asset)
  const fiat = price.ok ? fiatOfValue(valueOfUnits(asset, price.priceFiat, units), "down") : null
  const isAbove = (used: bigint | null, left: bigint | null | undefined): boolean =>
    used !== null && left != null && used > left
  const window = windows.find(
    ({ leftFiat, leftUnits, leftFeesFiat }) =>
      isAbove(units, leftUnits[from]) || isAbove(fiat, leftFiat) || isAbove(feesFiat, leftFeesFiat),
  )
  if (window === undefined) return null
  const amount = showUnits(asset, units)
  const message =
    `guards.windows leaves less than the ${amount} of ${from} that the occurrence sells within ` +
    `${window.per}`
  return { code: "policy.window", message, from, to, units: amount, per: window.per }
}
