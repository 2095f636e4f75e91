import { type AssetId, chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { type BalanceView, liquidUnits, type PairCosts, showUnits } from "../treasury-view.ts"
import { unitsOfValue, VALUE_PER_FIAT } from "../value.ts"
import { isCounted } from "./is-counted.ts"
import { type ChainGas, type PlanLimits, usableFiat } from "./limits.ts"
import { boundOrder, CAUSES, type OrderBounds } from "./order-bounds.ts"
import type { CostQuestion } from "./order-costs.ts"
import { payoutRounding, unitsForPayout } from "./payout-rounding.ts"
import {
  grossOf,
  type Headroom,
  MARGIN_PART,
  netOf,
  type Route,
  smallest,
  valueIn,
} from "./route.ts"

/** A route that can carry an order. */
export type OrderRoute = {
  readonly route: Route
  readonly bounds: OrderBounds
  /** What admission asks about the costs of an order, with the margin that the bounds have. */
  readonly costs: CostQuestion
  /**
   * The most that all orders of the route together may take from the source, and the cause of that
   * cap.
   */
  readonly sourceCap: Cap
  /** The most that all orders of all routes together may take from the source. */
  readonly assetCap: Cap
  /**
   * The most that all orders of the route, and those of all routes, may pay to the sink; `null` for
   * no bound.
   */
  readonly sinkCapUnits: bigint | null
  readonly sinkAssetCapUnits: bigint | null
  /**
   * What the sink may still get below the max of every rule; `null` for no max. The caps can be
   * lower, and rounding may pass them, but not this.
   */
  readonly sinkRoomUnits: bigint | null
}

/**
 * `liquid`: the liquid balance. `want`: the need of the asset's own rule. `headroom`: the bounds of
 * another rule. `window`: a window of guards. `fair`: the partner would be nearer to its own bound.
 */
type Cap = {
  readonly units: bigint
  readonly cause: "liquid" | "want" | "headroom" | "window" | "fair"
}

type Surroundings = {
  readonly routes: readonly Route[]
  readonly limits: PlanLimits
  readonly headroom: ReadonlyMap<AssetId, Headroom>
  readonly balances: ReadonlyMap<AssetId, BalanceView>
}

/**
 * Orders leave a margin for the arithmetic of the service. Where that leaves no order, or only one
 * that is larger than the needs, an order that exactly keeps to the costs is better than none.
 */
export function openOrderRoute(
  route: Route,
  around: Surroundings,
): OrderRoute | { reason: Reason } {
  const careful = openWith(route, around, true)
  if (!("reason" in careful) && careful.bounds.lo.units <= mostNeeded(route)) return careful
  const exact = openWith(route, around, false)
  if ("reason" in exact) return careful
  return "reason" in careful || exact.bounds.lo.units <= mostNeeded(route) ? exact : careful
}

/** The most that the needs of the route want of it, in units of the source. */
function mostNeeded({ loss, gain, from, to, quote }: Route): bigint {
  const value = gain === null ? 0n : grossOf(quote, valueIn(to, gain.wantUnits), 1n)
  const sold = unitsOfValue(from.asset, from.priceFiat, value, "up")
  return loss !== null && loss.wantUnits > sold ? loss.wantUnits : sold
}

function openWith(
  route: Route,
  { routes, limits, headroom, balances }: Surroundings,
  withMargin: boolean,
): OrderRoute | { reason: Reason } {
  const full = findFull(route, limits)
  if (full !== null) return { reason: full }
  const needs = [route.loss, route.gain].filter((need) => need !== null)
  const bound = boundOrder(
    { ...route, quote: payingQuote(route, withMargin), needs },
    limits,
    withMargin,
  )
  if (!bound.ok) return bound
  const { bounds, costs } = bound
  const { from, to } = route
  const around = {
    headroom: headroom.get(from.asset.id),
    balance: balances.get(from.asset.id),
    limits,
  }
  const assetCap = capSource(route, routes, around)
  const sourceCap = lowest(assetCap, [
    { units: route.gainLists?.mostUnits ?? null, cause: "headroom" },
    { units: windowUnits(route, limits), cause: "window" },
    { units: fairUnits(route, headroom), cause: "fair" },
  ])
  const sinkAssetCapUnits = capSink(route, routes, headroom.get(to.asset.id))
  const sinkCapUnits = lowestUnits([sinkAssetCapUnits, route.lossLists?.mostUnits ?? null])
  if (sourceCap.units < bounds.lo.units || isCrumb(route, sourceCap, limits)) {
    return { reason: shortSource(route, sourceCap, bounds) }
  }
  if (sinkCapUnits !== null) {
    // The payout of the smallest order must fit.
    if (netOf(route.quote, valueIn(from, bounds.lo.units), 1n) > valueIn(to, sinkCapUnits)) {
      return { reason: fullSink(route, sinkCapUnits) }
    }
  }
  const sinkRoomUnits =
    route.destination === null ? (headroom.get(to.asset.id)?.takeUnits ?? null) : null
  return {
    route,
    bounds,
    costs,
    sourceCap,
    assetCap,
    sinkCapUnits,
    sinkAssetCapUnits,
    sinkRoomUnits,
  }
}

/** An order that pays nothing is none. */
function payingQuote(route: Route, withMargin: boolean): PairCosts {
  const { margin } = payoutRounding(route, withMargin)
  const paying = unitsForPayout(route, 1n, margin)
  const { quote } = route
  return paying > quote.minUnits ? { ...quote, minUnits: paying } : quote
}

/**
 * The value that all orders of a plan together may sell by the windows in fiat; `null` without such
 * a window.
 */
export function usableWindow({ windows = [] }: PlanLimits): bigint | null {
  const fiat = lowestUnits(windows.map(usableFiat))
  return fiat === null ? null : fiat * VALUE_PER_FIAT
}

/** A limit of orders, or the fees of the chain's coin, that leaves no order on the route. */
function findFull(route: Route, { counts = [], gas = [] }: PlanLimits): Reason | null {
  const count = counts.find((one) => one.left <= 0 && isCounted(one, route))
  return count?.reason ?? findShortGas(route.from.asset.id, gas)
}

/**
 * The chain's coin does not pay the network fees of another order that sells this asset. An order
 * of the coin itself pays them from its own balance.
 */
export function findShortGas(id: AssetId, gas: readonly ChainGas[]): Reason | null {
  const short = gas.find(
    ({ chain, coin, perOrderUnits, leftUnits }) =>
      chain === chainOf(id) && coin !== id && leftUnits !== null && leftUnits < perOrderUnits,
  )
  if (short === undefined) return null
  const have = String(short.leftUnits)
  const need = String(short.perOrderUnits)
  const message =
    `The wallet has ${have} smallest units of the coin of ${short.chain} for network fees, and ` +
    `an order from ${id} keeps back ${need}`
  return { code: "policy.gas", message, asset: id, have, need }
}

/**
 * The most that a partner helps with: until it is as near to its own bound as the asset that it
 * helps. Nearer, it would need the amount back soon, and both would pay for it twice. A correction
 * to the bound alone always fits, as far as the partner's own bounds allow.
 */
function fairUnits(route: Route, headroom: ReadonlyMap<AssetId, Headroom>): bigint | null {
  const { loss, gain, from, to, quote } = route
  if ((loss === null) === (gain === null) || route.destination !== null) return null
  const [need, place, partner] = gain === null ? [loss, from, to] : [gain, to, from]
  const bounds = headroom.get(partner.asset.id)
  const roomUnits = gain === null ? partnerTakes(bounds) : (bounds?.giveUnits ?? null)
  if (!need?.way || !bounds || roomUnits === null || partner.asset.holding) return null
  const { toBoundUnits, toTargetUnits } = need.way
  const bound = valueIn(place, toBoundUnits)
  const own = valueIn(place, toTargetUnits) - bound
  const room = valueIn(partner, roomUnits)
  const other = valueIn(partner, gain === null ? bounds.takeWayUnits : bounds.giveWayUnits)
  const fair = own + other === 0n ? room : (room * own + bound * other) / (own + other)
  const value = gain === null ? fair : grossOf(quote, fair, 1n)
  return unitsOfValue(from.asset, from.priceFiat, value, "up")
}

function capSource(
  route: Route,
  routes: readonly Route[],
  {
    headroom,
    balance,
    limits,
  }: { headroom: Headroom | undefined; balance: BalanceView | undefined; limits: PlanLimits },
): Cap {
  const liquid: Cap = { units: balance ? liquidUnits(balance) : 0n, cause: "liquid" }
  const same = routes.filter((other) => other.from.asset.id === route.from.asset.id)
  const { loss } = route
  // When the gain's rule does not list this source, orders carry only the loss that this asset's
  // own rule needs.
  const strict = same.some((other) => other.gain !== null && other.gainLists === null)
  const own = loss === null ? null : strict ? loss.wantUnits : loss.mostUnits
  const start: Cap = own !== null && own <= liquid.units ? { units: own, cause: "want" } : liquid
  const windows = (limits.windows ?? []).map(
    ({ leftUnits }) => leftUnits[route.from.asset.id] ?? null,
  )
  return lowest(start, [
    { units: headroom?.giveUnits ?? null, cause: "headroom" },
    { units: lowestUnits(windows), cause: "window" },
  ])
}

function capSink(
  route: Route,
  routes: readonly Route[],
  headroom: Headroom | undefined,
): bigint | null {
  if (route.destination !== null) return null
  const same = routes.filter(
    (other) => other.to.asset.id === route.to.asset.id && other.destination === null,
  )
  const { gain } = route
  const strict = same.some((other) => other.loss !== null && other.lossLists === null)
  const own = gain === null ? null : strict ? gain.wantUnits : gain.mostUnits
  return lowestUnits([
    own,
    headroom && gain?.rule === headroom.takeRule ? headroom.takeUnits : partnerTakes(headroom),
  ])
}

/**
 * A partner keeps a margin below its own max, as it does above its min (`headroom.ts`): at max
 * itself, the next deposit would make it a need.
 */
function partnerTakes(headroom: Headroom | undefined): bigint | null {
  if (!headroom || headroom.takeUnits === null) return null
  const units = headroom.takeUnits - headroom.takeWayUnits / MARGIN_PART
  return units > 0n ? units : 0n
}

function windowUnits({ from }: Route, limits: PlanLimits): bigint | null {
  const value = usableWindow(limits)
  return value === null
    ? null
    : unitsOfValue(from.asset, from.priceFiat, value > 0n ? value : 0n, "down")
}

/**
 * Less than a twentieth of a window is left for orders only when that covers the whole need.
 * Otherwise each tick would sell the little that has become free since the last one.
 */
function isCrumb(route: Route, cap: Cap, { windows = [] }: PlanLimits): boolean {
  if (cap.cause !== "window") return false
  const values = [
    route.loss === null ? null : valueIn(route.from, route.loss.wantUnits),
    route.gain === null ? null : valueIn(route.to, route.gain.wantUnits),
  ]
  const want = lowestUnits(values) ?? 0n
  return windows.some((window) => {
    const left = usableFiat(window)
    return (
      left !== null &&
      window.maxFiat !== null &&
      left * 20n < window.maxFiat &&
      left * VALUE_PER_FIAT < want
    )
  })
}

type MaybeCap = { readonly units: bigint | null; readonly cause: Cap["cause"] }

function lowest(first: Cap, others: readonly MaybeCap[]): Cap {
  return others.reduce<Cap>(
    (cap, { units, cause }) => (units !== null && units < cap.units ? { units, cause } : cap),
    first,
  )
}

function lowestUnits(units: readonly (bigint | null)[]): bigint | null {
  const [first, ...others] = units.filter((one) => one !== null)
  return first === undefined ? null : smallest(first, ...others)
}

function shortSource({ from, to }: Route, cap: Cap, { lo }: OrderBounds): Reason {
  const have = showUnits(from.asset, cap.units)
  const need = showUnits(from.asset, lo.units)
  const numbers = { asset: from.asset.id, to: to.asset.id, have, need, needCause: lo.cause }
  if (cap.cause === "window") {
    const message =
      `guards.windows still lets ${have} of ${from.asset.id} be sold, too little for an order ` +
      `to ${to.asset.id}`
    return { code: "policy.window", message, ...numbers }
  }
  if (cap.cause === "liquid") {
    const message =
      `${from.asset.id} has ${have} liquid, and an order to ${to.asset.id} takes at least ` +
      `${need}`
    return { code: "policy.illiquid", message, ...numbers }
  }
  if (cap.cause === "want") {
    const code = lo.cause === "cost" ? "policy.too_dear" : "policy.below_minimum"
    const message =
      `${from.asset.id} has ${have} to give away, and an order to ${to.asset.id} takes at ` +
      `least ${need} (${CAUSES[lo.cause]})`
    return { code, message, ...numbers }
  }
  if (cap.cause === "fair") {
    const message =
      `From ${from.asset.id} ${have} may go to ${to.asset.id} before the partner is as near to ` +
      `its own bound, and an order takes at least ${need}`
    return { code: "policy.no_room", message, ...numbers }
  }
  const message =
    `${from.asset.id} may give ${have} without leaving its own bounds, and an order to ` +
    `${to.asset.id} takes at least ${need}`
  return { code: "policy.no_room", message, ...numbers }
}

function fullSink({ from, to }: Route, capUnits: bigint): Reason {
  const have = showUnits(to.asset, capUnits)
  const message =
    `${to.asset.id} may take ${have} without leaving its own bounds, less than one order from ` +
    `${from.asset.id} pays`
  return { code: "policy.no_room", message, asset: to.asset.id, from: from.asset.id, have }
}
