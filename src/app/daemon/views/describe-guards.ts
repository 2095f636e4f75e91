import type { Config } from "#config/config.ts"
import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import type { SoldLimit } from "#domain/sold-limit.ts"
import { fiatOfUnits } from "#guards/order-value.ts"
import { formatDuration } from "#schema/duration.ts"

/** One guard, and what it means today. */
type DescribedGuard = { readonly guard: string; readonly means: string }

/** Fiat millionths per whole unit. An asset without an entry has no price now. */
export type KnownPrices = ReadonlyMap<AssetId, bigint>

/**
 * Every guard, with its meaning for each asset: a limit in units is shown in fiat and one in fiat
 * in units, as far as `prices` knows the asset. Pure.
 */
export function describeGuards(
  { guards, assets, prices: own, chains }: Config,
  prices: KnownPrices,
): readonly DescribedGuard[] {
  const row = (guard: string, means: string): DescribedGuard => ({ guard, means })
  const count = (guard: string, value: number | null): DescribedGuard =>
    row(guard, value === null ? NONE : `${value} ${value === 1 ? "order" : "orders"}`)
  const sold = (limit: SoldLimit | null): string => describeSold(limit, assets, prices)
  return [
    row("max_order", sold(guards.maxOrder)),
    row("max_service_secret", sold(guards.maxServiceSecret)),
    ...(guards.windows.length === 0 ? [row("windows", NONE)] : []),
    ...guards.windows.flatMap(({ perMs, max, maxFeesFiat, maxCount }) => {
      const span = perMs === null ? "lifetime" : formatDuration(perMs)
      const fees = maxFeesFiat === null ? NONE : showFiat(maxFeesFiat)
      return [
        row(`window ${span} max`, sold(max)),
        row(`window ${span} max_fees`, fees),
        count(`window ${span} max_count`, maxCount),
      ]
    }),
    row("approve_above", sold(guards.approveAbove)),
    ...guards.approveSteps.map(({ over, people }) =>
      row(`approve_above, ${people} people`, sold(over)),
    ),
    row("max_cost", `${describeCost(guards.maxCost)}, by our prices ${own.toleranceBps} bps more`),
    count("max_in_flight", guards.maxInFlight),
    count("max_in_flight_per_rule", guards.maxInFlightPerRule),
    count("max_in_flight_per_pair", guards.maxInFlightPerPair),
    count("max_in_flight_per_chain", guards.maxInFlightPerChain),
    count("max_in_flight_per_service", guards.maxInFlightPerService),
    row(
      "destinations",
      guards.destinations === "own" ? "own wallets only" : guards.destinations.join(", "),
    ),
    ...guards.minNative.map(({ chain, units }) => {
      const coin = chains.find((one) => one.chain === chain)?.nativeCoin
      return row(
        `min_native ${chain}`,
        coin === undefined
          ? `${units} units`
          : `${formatUnits(units, coin.decimals)} ${coin.symbol}`,
      )
    }),
  ]
}

const NONE = "no limit"

type Assets = Config["assets"]

function describeSold(limit: SoldLimit | null, assets: Assets, prices: KnownPrices): string {
  if (limit === null) return NONE
  const each = assets.flatMap(({ id, decimals }) => {
    const price = prices.get(id)
    if (limit.kind === "fiat") {
      return price === undefined
        ? []
        : [`${formatUnits((limit.fiat * 10n ** BigInt(decimals)) / price, decimals)} ${id}`]
    }
    const units = limit.byAsset[id]
    if (units === undefined) return []
    const worth =
      price === undefined ? "" : ` (${showFiat(fiatOfUnits(units, { fiat: price, decimals }))})`
    return [`${formatUnits(units, decimals)} ${id}${worth}`]
  })
  if (limit.kind === "fiat")
    return each.length === 0 ? showFiat(limit.fiat) : `${showFiat(limit.fiat)}: ${each.join(", ")}`
  return each.join(", ")
}

function describeCost(cost: CostLimit): string {
  return cost.kind === "share" ? `${cost.bps} bps` : showFiat(cost.fiat)
}

function showFiat(fiat: bigint): string {
  const cents = (fiat + 5_000n) / 10_000n
  return `${formatUnits(fiat < 10_000n ? fiat : cents * 10_000n, FIAT_DECIMALS)} usd`
}
