import { formatUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"

/** Everything that policy knows of the world at one instant. Plain data, so that a stored decision can be taken again. */
export type TreasuryView = {
  readonly assets: readonly AssetView[]
  readonly pairs: readonly PairView[]
}

export type AssetView = {
  readonly id: AssetId
  readonly decimals: number
  readonly balance: BalanceView | Unreadable
  /** Fiat millionths for one whole unit; `null` where no source says. */
  readonly priceFiat: bigint | null
  /** Why there is no price, where somebody said. */
  readonly priceCause?: Reason
}

/** In smallest units. */
export type BalanceView = {
  readonly readable: true
  /** What the wallet could spend now, accepted orders not deducted. */
  readonly spendableUnits: bigint
  /** What orders under way will still pay in. */
  readonly inFlightInUnits: bigint
  /** What accepted orders have yet to deposit: still in the wallet, already promised. */
  readonly inFlightOutUnits: bigint
  /** What must stay for network fees; 0 where the asset is not its chain's own coin. */
  readonly floorUnits: bigint
}

/** A failed read is never zero: it carries its cause instead. */
export type Unreadable = { readonly readable: false; readonly cause: Reason }

export type PairView = {
  readonly from: AssetId
  readonly to: AssetId
  readonly quote: QuoteFacts | Unreadable
}

/** What a swap of the pair costs, from real quotes. Fixed cost in fiat millionths per order, the rest in basis points of what is sold. */
export type QuoteFacts = {
  readonly readable: true
  readonly available: boolean
  readonly fixedFeeFiat: bigint
  /** What the network takes for the deposit, beside the amount: it makes an order dearer, but what arrives no less. */
  readonly networkFeeFiat?: bigint
  readonly bps: bigint
  /** Bounds of one order in smallest units of `from`, both inclusive; `null` for no upper bound. */
  readonly minUnits: bigint
  readonly maxUnits: bigint | null
}

export function findAsset(view: TreasuryView, id: AssetId): AssetView | null {
  return view.assets.find((asset) => asset.id === id) ?? null
}

/** The balance once everything under way has arrived. Otherwise two ticks in a row would propose the same transfer twice. */
export function positionUnits({ spendableUnits, inFlightInUnits, inFlightOutUnits }: BalanceView): bigint {
  return spendableUnits + inFlightInUnits - inFlightOutUnits
}

/** What may be sold now: not promised, not kept for fees, and already here. */
export function liquidUnits({ spendableUnits, inFlightOutUnits, floorUnits }: BalanceView): bigint {
  const units = spendableUnits - inFlightOutUnits - floorUnits
  return units > 0n ? units : 0n
}

/**
 * The balance of an asset, or why there is none, as `policy.view_incomplete` with the asset and the cause.
 */
export function readBalance(
  view: TreasuryView,
  id: AssetId,
): { ok: true; asset: AssetView; balance: BalanceView } | { ok: false; reason: Reason } {
  const asset = findAsset(view, id)
  if (asset?.balance.readable) return { ok: true, asset, balance: asset.balance }
  const cause = asset?.balance.readable === false ? asset.balance.cause : UNKNOWN_ASSET
  const message = `The balance of ${id} or what is under way to it cannot be read: ${cause.message}`
  return {
    ok: false,
    reason: { code: "policy.view_incomplete", message, asset: id, cause: cause.code, detail: cause.message },
  }
}

/** The price of a whole unit, or `policy.price_missing`. A price of zero is no price. */
export function readPrice(asset: AssetView): { ok: true; priceFiat: bigint } | { ok: false; reason: Reason } {
  if (asset.priceFiat !== null && asset.priceFiat > 0n) return { ok: true, priceFiat: asset.priceFiat }
  const { id, priceCause } = asset
  const said = priceCause === undefined ? "" : `: ${priceCause.message}`
  const message = `There is no price for ${id}, so amounts of it cannot be compared with others${said}`
  return {
    ok: false,
    reason: { code: "policy.price_missing", message, asset: id, ...(priceCause ? { cause: priceCause.code } : {}) },
  }
}

/** Amounts in reasons: in the asset's own unit, for people. */
export function showUnits(asset: AssetView, units: bigint): string {
  return formatUnits(units, asset.decimals)
}

const UNKNOWN_ASSET: Reason = { code: "policy.asset_unknown", message: "The asset is not in the view" }
