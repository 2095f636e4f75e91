import type { AssetId } from "#domain/asset.ts"
import { amountsToQuote, type WantedPair } from "#engine/tick/build-view.ts"
import { toPairCosts } from "#engine/tick/pair-costs.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import { findAsset, type PairView, type TreasuryView } from "#policy/treasury-view.ts"
import { fiatOfValue, valueOfUnits } from "#policy/value.ts"
import type { ActiveFaults } from "./active-faults.ts"
import { type BacktestContext, configuredCoin, quoteOf } from "./judge-in-backtest.ts"
import { boundsOf, chainIn, pricedAsset } from "./treasury.ts"

/** The costs of a pair as the daemon derives them: from quotes of the amounts that it would ask for. The bounds of the pair are known. */
export function quotePair(
  context: Omit<BacktestContext, "nowMs">,
  faults: ActiveFaults,
  view: TreasuryView,
  { wanted, limits }: { readonly wanted: WantedPair; readonly limits: PlanLimits },
): PairView {
  const { from, to } = wanted
  const { treasury } = context
  const [source, sink] = [findAsset(view, from), findAsset(view, to)]
  const amounts = amountsToQuote(view, wanted, limits)
  if (source === null || sink === null || "unusable" in amounts) {
    const cause =
      "unusable" in amounts ? amounts.unusable : { code: "policy.asset_unknown", message: "Not in the view" }
    return { from, to, quote: { readable: false, cause } }
  }
  const pair = treasury.pair(from, to)
  const available = pair.available && !faults.declinesPair(from, to)
  const { minUnits, maxUnits } = boundsOf(pair, pricedAsset(treasury, from))
  const clamped = amounts.units.map((units) => clamp(units, minUnits, maxUnits))
  const quotes = [...new Set(clamped)].map((units) => quoteOf(treasury, { from, to, units }))
  const stated = { minUnits, maxUnits: maxUnits ?? NO_BOUND }
  const costs = toPairCosts({ quotes, bounds: stated, cause: null, available }, source, sink, {
    networkFeeFiat: networkFee(context, from, to),
    refundFeeFiat: 0n,
    toleranceBps: null,
  })
  // A pair without an upper bound has none in the plan either.
  return { from, to, quote: costs.readable && maxUnits === null ? { ...costs, maxUnits: null } : costs }
}

const NO_BOUND = 2n ** 128n

function clamp(units: bigint, least: bigint, most: bigint | null): bigint {
  if (units < least) return least
  return most !== null && units > most ? most : units
}

/** The network fee of a deposit in fiat; zero when a relay may pay it, and when the coin is not configured. */
function networkFee(context: Omit<BacktestContext, "nowMs">, from: AssetId, to: AssetId): bigint {
  const { subject, scenario, treasury } = context
  const coin = configuredCoin(context, from)
  if (coin === null || subject.settings.policyFor(from, to).way !== "onchain") return 0n
  const { depositFeeUnits, worstFactor } = chainIn(scenario, from)
  const asset = pricedAsset(treasury, coin.id)
  return fiatOfValue(valueOfUnits(asset, asset.priceFiat, depositFeeUnits * worstFactor), "up")
}
