import type { AssetId } from "#domain/asset.ts"

/** One asset at a moment. `units`: in the wallet; `transitUnits`: in HTLCs, on their way. */
type Moment = {
  readonly units: bigint | null
  readonly transitUnits: bigint
  /** Millionths of the reference currency per whole unit. */
  readonly price: bigint | null
}

export type ValuedAsset = {
  readonly asset: AssetId
  readonly decimals: number
  readonly now: Moment
  /** `null`: no reading is as old. */
  readonly before: Moment | null
  /** What people paid in since then, less what they took out. */
  readonly outsideUnits: bigint
}

/** Fiat in millionths. `prices`, `outside` and `swaps` add up to `total`. */
type ValueChange = {
  readonly total: bigint
  readonly prices: bigint
  readonly outside: bigint
  /** The cost of swaps and their network fees: the rest. */
  readonly swaps: bigint
}

export type TreasuryValue = {
  /** Without the assets of `unpriced` and `unread`. */
  readonly total: bigint
  readonly transit: bigint
  /** The assets that hold something without a known price, and those without a reading. */
  readonly unpriced: readonly AssetId[]
  readonly unread: readonly AssetId[]
  /** `null`: no asset has an old reading. */
  readonly change: ValueChange | null
}

/** Pure. An asset without a price has no value: it is never counted as zero. */
export function valueTreasury(assets: readonly ValuedAsset[]): TreasuryValue {
  const changes = assets.flatMap((one) => changeOf(one) ?? [])
  return {
    total: sum(assets.map(({ decimals, now }) => valueAtPrice(now, decimals) ?? 0n)),
    transit: sum(
      assets.map(({ decimals, now: { transitUnits, price } }) =>
        price === null ? 0n : fiatOf(transitUnits, price, decimals),
      ),
    ),
    unpriced: assets.filter(({ now }) => now.price === null && now.units !== 0n).map(idOf),
    unread: assets.filter(({ now }) => now.units === null).map(idOf),
    change:
      changes.length === 0
        ? null
        : {
            total: sum(changes.map(({ total }) => total)),
            prices: sum(changes.map(({ prices }) => prices)),
            outside: sum(changes.map(({ outside }) => outside)),
            swaps: sum(changes.map(({ swaps }) => swaps)),
          },
  }
}

/** The value of the wallet and of what is on its way; `null` where either side is unknown. */
export function valueAtPrice(moment: Moment, decimals: number): bigint | null {
  const { units, transitUnits, price } = moment
  return units === null || price === null ? null : fiatOf(units + transitUnits, price, decimals)
}

/** Without an old price the price counts as unchanged, so that only units make a difference. */
function changeOf({ now, before, decimals, outsideUnits }: ValuedAsset): ValueChange | null {
  if (before === null || before.units === null || now.price === null) return null
  const nowFiat = valueAtPrice(now, decimals)
  if (nowFiat === null) return null
  const units = before.units + before.transitUnits
  const beforeFiat = fiatOf(units, before.price ?? now.price, decimals)
  const prices = fiatOf(units, now.price, decimals) - beforeFiat
  const outside = fiatOf(outsideUnits, now.price, decimals)
  const total = nowFiat - beforeFiat
  return { total, prices, outside, swaps: total - prices - outside }
}

/** Rounded towards zero to a millionth. */
function fiatOf(units: bigint, price: bigint, decimals: number): bigint {
  return (units * price) / 10n ** BigInt(decimals)
}

function idOf({ asset }: ValuedAsset): AssetId {
  return asset
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n)
}
