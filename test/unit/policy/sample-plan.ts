import { parseAssetId } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import type { BandRule } from "#policy/rules/band/band-rule.ts"
import type { AssetView, PairCosts, PairView, TreasuryView } from "#policy/treasury-view.ts"

/**
 * Small treasuries for tests of plans: every asset has no decimals and a price of one, so units are
 * whole units of the currency.
 */
export const [A, B, C, D] = ["a:usd", "b:usd", "c:usd", "d:usd"].map(parseAssetId) as [
  AssetView["id"],
  AssetView["id"],
  AssetView["id"],
  AssetView["id"],
]
export type Id = AssetView["id"]
export const FIAT = 1_000_000n

export const share = (bps: bigint): CostLimit => ({ kind: "share", bps })
export const usd = (cents: bigint): CostLimit => ({ kind: "fiat", fiat: (cents * FIAT) / 100n })

export function assetOf(id: Id, spendableUnits: bigint, floorUnits = 0n): AssetView {
  const balance = {
    readable: true as const,
    spendableUnits,
    inFlightInUnits: 0n,
    inFlightOutUnits: 0n,
    floorUnits,
  }
  return { id, decimals: 0, balance, priceFiat: FIAT }
}

export function pairOf(from: Id, to: Id, over: Partial<PairCosts> = {}): PairView {
  const quote: PairCosts = {
    readable: true,
    available: true,
    fixedFeeFiat: 0n,
    bps: 0n,
    minUnits: 0n,
    maxUnits: null,
  }
  return { from, to, quote: { ...quote, ...over } }
}

export function viewOf(
  balances: Readonly<Record<Id, bigint>>,
  pairs?: readonly PairView[],
): TreasuryView {
  const ids = Object.keys(balances).map(parseAssetId)
  const all = ids.flatMap((from) => ids.filter((to) => to !== from).map((to) => pairOf(from, to)))
  return { assets: ids.map((id) => assetOf(id, balances[id] ?? 0n)), pairs: pairs ?? all }
}

export function bandOf(
  id: string,
  asset: Id,
  [minUnits, targetUnits, maxUnits]: readonly [bigint, bigint, bigint],
  over: Partial<BandRule> = {},
): BandRule {
  return {
    id,
    kind: "band",
    asset,
    minUnits,
    targetUnits,
    maxUnits,
    sources: [],
    sinks: [],
    ...over,
  }
}

export const LIMITS: PlanLimits = {
  maxOrders: 9,
  maxOrder: null,
  split: true,
  maxCost: share(100n),
}
