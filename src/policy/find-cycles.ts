import type { AssetId } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import { evaluate, isStanding, type Proposal } from "./evaluate.ts"
import { type Churn, findChurn, type Trade } from "./find-churn.ts"
import { everyMsOf, type PolicyRule, ruleKindOf, type TimedRule } from "./rules/registry.ts"
import type { AssetView, PairView, TreasuryView } from "./treasury-view.ts"
import { unitsOfValue, VALUE_PER_FIAT } from "./value.ts"

export type PricedAsset = { readonly id: AssetId; readonly decimals: number; readonly priceFiat: bigint }

/** A circle that these rules sell round, and an estimate of its cost in fiat millionths a day. */
export type RuleCycle = Churn & { readonly dailyFiat: bigint }

const [TICKS, TIMES] = [24, 3]
/** The assumed cost of each swap, and the assumed time that it takes. */
const [FIXED_FIAT, SHARE_BPS, SWAP_MS] = [500_000n, 20n, 10 * 60_000]
const DAY_MS = 24 * 60 * 60_000
const FIAT = 1_000_000n

/**
 * Runs the standing rules on simple treasuries from both extremes: each asset once nearly empty and once far too full. Every order arrives before the next
 * tick, prices stand still, and nobody else pays or is paid, so sound rules come to rest. Rules that do not are named with their circle.
 */
export function findCycles(
  rules: readonly TimedRule[],
  assets: readonly PricedAsset[],
  maxCost: CostLimit | null,
): RuleCycle[] {
  const standing = rules.filter((rule) => rule.enabled !== false && isStanding(rule))
  const watched = new Set(standing.flatMap((rule) => ruleKindOf(rule).watchedAssets(rule)))
  const known = assets.filter(({ priceFiat }) => priceFiat > 0n)
  const cycles = new Map<string, RuleCycle>()
  for (const start of known.flatMap(({ id }) => (!watched.has(id) ? [] : [startWith(id, 0n), startWith(id, 3n)]))) {
    const churn = findChurn(run(start), TIMES)
    if (churn === null) continue
    const key = churn.rules.join(" ")
    if (!cycles.has(key)) cycles.set(key, { ...churn, dailyFiat: dailyCost(churn) })
  }
  return [...cycles.values()]

  function startWith(chosen: AssetId, times: bigint): TreasuryView {
    const views = known.map((asset): AssetView => {
      const usual = usualUnits(asset, standing)
      const spendableUnits = asset.id === chosen ? usual * times : usual
      return { ...asset, balance: { ...NONE, spendableUnits } }
    })
    return { assets: views, pairs: pairsOf(known) }
  }

  function run(start: TreasuryView): Trade[] {
    const limits = { maxOrders: 8, maxOrder: null, split: true, maxCost }
    const trades: Trade[] = []
    let view = start
    for (let tick = 0; tick < TICKS; tick += 1) {
      const { proposals } = evaluate(view, standing, limits)
      if (proposals.length === 0) break
      for (const proposal of proposals) {
        if (proposal.destination !== null) continue
        const { rules: names, from, to, costFiat } = proposal
        trades.push({ rule: names[0] ?? "", from, to, feeFiat: costFiat })
      }
      view = settle(view, proposals)
    }
    return trades
  }

  function dailyCost({ rules: names, times, feesFiat }: Churn): bigint {
    const slowest = standing.filter(({ id }) => names.includes(id)).map((rule) => everyMsOf(rule) ?? 0)
    const roundMs = 2 * Math.max(SWAP_MS, ...slowest)
    return (feesFiat * BigInt(Math.floor(DAY_MS / roundMs))) / BigInt(times)
  }
}

const NONE = { readable: true, spendableUnits: 0n, inFlightInUnits: 0n, inFlightOutUnits: 0n, floorUnits: 0n } as const

/** The targets of the rules that keep a balance, and at least ten thousand in the currency. */
function usualUnits(asset: PricedAsset, rules: readonly PolicyRule[]): bigint {
  const view = { ...asset, balance: NONE }
  const some = unitsOfValue(view, asset.priceFiat, 10_000n * FIAT * VALUE_PER_FIAT, "up")
  const targets = rules
    .flatMap((rule) => ruleKindOf(rule).balanceBounds(rule))
    .filter((bounds) => bounds.asset === asset.id)
    .map(({ targetUnits }) => targetUnits)
  return targets.reduce((most, units) => (units > most ? units : most), targets.length > 0 ? 1n : some)
}

function pairsOf(assets: readonly PricedAsset[]): PairView[] {
  return assets.flatMap(({ id: from }) =>
    assets
      .filter(({ id }) => id !== from)
      .map(({ id: to }) => ({
        ...{ from, to },
        quote: QUOTE,
      })),
  )
}

const QUOTE: PairView["quote"] = {
  readable: true,
  available: true,
  minUnits: 0n,
  maxUnits: null,
  fixedFeeFiat: FIXED_FIAT,
  bps: SHARE_BPS,
}

function settle(view: TreasuryView, proposals: readonly Proposal[]): TreasuryView {
  const assets = view.assets.map((asset) => {
    if (!asset.balance.readable) return asset
    let { spendableUnits } = asset.balance
    for (const { from, to, destination, units, receiveUnits } of proposals) {
      if (from === asset.id) spendableUnits -= units
      if (to === asset.id && destination === null) spendableUnits += receiveUnits ?? 0n
    }
    return { ...asset, balance: { ...asset.balance, spendableUnits } }
  })
  return { ...view, assets }
}
