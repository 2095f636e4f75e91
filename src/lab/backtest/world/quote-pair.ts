import type { AssetId } from "#domain/asset.ts"
import { riskOfRoute } from "#domain/order-cost.ts"
import type { Quote } from "#domain/quote.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import { runAtOnce } from "#engine/rules/decide/steps.ts"
import type { WantedPair } from "#engine/rules/decide/view-due-rules.ts"
import { readRisk } from "#engine/rules/read-risk.ts"
import { amountsToQuote } from "#engine/rules/tick/build-view.ts"
import { type NetworkFees, toNetworkFees } from "#engine/rules/tick/network-fees.ts"
import { toPairCosts } from "#engine/rules/tick/pair-costs.ts"
import { KEPT_MS } from "#engine/rules/tick/pair-quotes.ts"
import { refineQuotes } from "#engine/rules/tick/refine-quotes.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import { findAsset, type PairView, readPrice, type TreasuryView } from "#policy/treasury-view.ts"
import { fiatOfValue, valueOfUnits } from "#policy/value.ts"
import { sumWithIssuer } from "../judge-port.ts"
import { configuredCoin, feeBudgetOf, type RunContext } from "../run-context.ts"
import { pairOf, quoteRoute, redeemFeeOf } from "../simulated-routes.ts"
import { quoteOf } from "../simulated-service.ts"
import type { ActiveFaults } from "./active-faults.ts"
import { boundsOf, pricedAsset } from "./treasury.ts"

export type QuoteMemory = {
  /**
   * The quotes of each pair, as long as the daemon remembers them: a rule that looks again after
   * seconds gets the same ones.
   */
  readonly quotes: (
    wanted: WantedPair & { readonly kind?: RouteKind | undefined },
    units: readonly bigint[],
    bounds: { readonly minUnits: bigint; readonly maxUnits: bigint | null },
  ) => readonly Quote[]
  /**
   * The service states the bounds of a pair only when it refuses an amount. From then on the daemon
   * knows them.
   */
  readonly learnBounds: (from: AssetId, to: AssetId) => void
  readonly knowsBounds: (from: AssetId, to: AssetId) => boolean
  readonly countBounds: () => number
}

export function createQuoteMemory(context: RunContext, now: () => number): QuoteMemory {
  const known = new Map<string, { readonly atMs: number; readonly quotes: readonly Quote[] }>()
  const bounded = new Set<string>()
  const keyOf = (from: AssetId, to: AssetId): string => `${from}>${to}`
  return {
    quotes: ({ from, to, kind, amounts: exact }, amounts, bounds) => {
      const key = [keyOf(from, to), kind, ...exact].join(" ")
      const recalled = known.get(key)
      if (recalled && now() - recalled.atMs < KEPT_MS) return recalled.quotes
      const ask = (units: bigint): Quote =>
        kind === undefined
          ? quoteOf(context.treasury, { from, to, units })
          : quoteRoute(context, kind, { from, to, units })
      const asked = amounts.map(ask)
      const quotes = exact.length > 0 ? asked : runAtOnce(refineQuotes(asked, bounds, ask))
      known.set(key, { atMs: now(), quotes })
      return quotes
    },
    learnBounds: (from, to) => void bounded.add(keyOf(from, to)),
    knowsBounds: (from, to) => bounded.has(keyOf(from, to)),
    countBounds: () => bounded.size,
  }
}

/**
 * The costs of a pair as the daemon derives them: from quotes of the amounts that it would ask for.
 */
export function quotePair(
  context: RunContext,
  faults: ActiveFaults,
  view: TreasuryView,
  {
    wanted,
    kind,
    limits,
    memory,
    nowMs,
  }: {
    readonly wanted: WantedPair
    /** Absent: the service. */
    readonly kind: RouteKind | undefined
    readonly limits: PlanLimits
    readonly memory: QuoteMemory
    readonly nowMs: number
  },
): PairView {
  const { from, to } = wanted
  const named = kind === undefined ? { from, to } : { from, to, kind, ownOnly: true as const }
  const source = findAsset(view, from)
  const sink = findAsset(view, to)
  const amounts = amountsToQuote(view, wanted, limits)
  if (source === null || sink === null || "unusable" in amounts) {
    const cause =
      "unusable" in amounts
        ? amounts.unusable
        : { code: "policy.asset_unknown", message: "Not in the view" }
    return { ...named, quote: { readable: false, cause } }
  }
  const pair = pairOf(context, named)
  const available = kind !== undefined || (pair.available && !faults.declinesPair(from, to))
  const { minUnits, maxUnits } = boundsOf(pair, pricedAsset(context.treasury, from))
  const clamped = amounts.units.map((units) => clamp(units, minUnits, maxUnits))
  if (clamped.some((units, index) => units !== amounts.units[index])) memory.learnBounds(from, to)
  const quotes = memory.quotes({ ...wanted, kind }, [...new Set(clamped)], { minUnits, maxUnits })
  const stated =
    kind !== undefined
      ? leftOf(context, kind, quotes)
      : memory.knowsBounds(from, to)
        ? { minUnits, maxUnits: maxUnits ?? NO_BOUND }
        : null
  const policy = context.subject.settings.policyFor(from, to)
  const costs = toPairCosts({ quotes, bounds: stated, cause: null, available }, source, sink, {
    ...(kind === undefined
      ? networkFees(context, faults, view, wanted)
      : routeFees(context, faults, view, { ...named, nowMs })),
    risk:
      kind === undefined
        ? readRisk({ journal: context.orders }, { from, to }, policy)
        : riskOfRoute(quotes[0] ?? { estimatedSeconds: null }, policy),
    toleranceBps: source.isReference && sink.isReference ? toleranceOf(context, from, to) : null,
  })
  // A pair without an upper bound has none in the plan either.
  return {
    ...named,
    quote:
      costs.readable && maxUnits === null && stated === null ? { ...costs, maxUnits: null } : costs,
  }
}

/** What the route's limit still leaves, as the daemon plans with it. */
function leftOf(context: RunContext, kind: RouteKind, [quote]: readonly Quote[]) {
  const most = context.subject.settings.limits.maxRouteFiat?.[kind]
  if (most === undefined || quote?.sourceFiat == null || quote.sourceFiat === 0n) return null
  const leftFiat = most - sumWithIssuer(context, { kind })
  const maxUnits = leftFiat > 0n ? (leftFiat * quote.sourceUnits) / quote.sourceFiat : 0n
  return { minUnits: 0n, maxUnits }
}

/** No relay and no refund; our own redemption on the other chain. */
function routeFees(
  context: RunContext,
  faults: ActiveFaults,
  view: TreasuryView,
  { nowMs, ...pair }: Pick<PairView, "from" | "to" | "kind"> & { readonly nowMs: number },
): NetworkFees {
  const { networkFeeFiat } = networkFees(context, faults, view, pair, { way: "onchain" })
  const { coin, units } = redeemFeeOf(context, pair, nowMs)
  const asset = pricedAsset(context.treasury, coin)
  const redeemFiat = fiatOfValue(valueOfUnits(asset, asset.priceFiat, units), "up")
  return { networkFeeFiat: networkFeeFiat + redeemFiat, refundFeeFiat: 0n, windowFeesFiat: 0n }
}

function toleranceOf({ subject }: RunContext, from: AssetId, to: AssetId): bigint {
  return subject.findPeg?.(from, to)?.toleranceBps ?? subject.settings.priceToleranceBps ?? 0n
}

const NO_BOUND = 2n ** 128n

function clamp(units: bigint, least: bigint, most: bigint | null): bigint {
  if (units < least) return least
  return most !== null && units > most ? most : units
}

/** As the daemon reads them: the coin's price is in the view, or comes from its source. */
function networkFees(
  context: RunContext,
  faults: ActiveFaults,
  view: TreasuryView,
  { from, to }: Pick<WantedPair, "from" | "to">,
  policy: Parameters<typeof toNetworkFees>[2] = context.subject.settings.policyFor(from, to),
): NetworkFees {
  const { subject, scenario, treasury } = context
  const coin = configuredCoin(context, from)
  if (coin === null) return { networkFeeFiat: 0n, refundFeeFiat: 0n }
  const viewed = findAsset(view, coin.id)
  const price = viewed === null ? null : readPrice(viewed)
  const isPriced = subject.priced.has(coin.id) && faults.unpriced(coin.id) === null
  const known =
    viewed !== null && price?.ok
      ? { asset: viewed, fiat: price.priceFiat }
      : isPriced
        ? { asset: coin, fiat: treasury.priceFiat(coin.id) }
        : null
  if (known === null) return { networkFeeFiat: 0n, refundFeeFiat: 0n }
  return toNetworkFees(feeBudgetOf(scenario, from), known, policy)
}
