import { formatUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import type { OrderRisk } from "#domain/order-cost.ts"
import type { Reason } from "#domain/reason.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import type { FeeRank } from "./schedule/fee-timing.ts"
import type { FeeUse } from "./values/fee-use.ts"

/**
 * The input of policy at one instant: balances, prices and quotes. Plain data, so that `replay` can
 * repeat a stored decision.
 */
export type TreasuryView = {
  readonly assets: readonly AssetView[]
  readonly pairs: readonly PairView[]
  /** Of the rules with needs; absent where nothing is known. */
  readonly corrections?: readonly Corrections[]
  /** Of the sales that may wait for a lower network fee; absent without any. */
  readonly fees?: readonly FeeWait[]
}

/** A sale of `asset` that may wait, and how the network fee of its chain compares. */
export type FeeWait = FeeRank & {
  readonly rule: string
  readonly occurrence: string | null
  readonly asset: AssetId
  readonly untilMs: number
}

/**
 * The completed orders of a rule in the last days: what they brought to an asset and took from it,
 * in fiat millionths of the values sold.
 */
export type Corrections = CorrectionSums & {
  readonly rule: string
  readonly asset: AssetId
  readonly overMs: number
}

export type CorrectionSums = {
  readonly orders: number
  readonly inFiat: bigint
  readonly outFiat: bigint
}

export type AssetView = {
  readonly id: AssetId
  readonly decimals: number
  readonly balance: BalanceView | Unreadable
  /** Fiat millionths for one whole unit; `null` when no source has a price. */
  readonly priceFiat: bigint | null
  /**
   * What the price has beyond its millionths, in 10^-18 of the currency: a cheap coin would lose
   * much of its value without it. Absent for 0.
   */
  readonly priceParts?: bigint
  /** Whether the price is a reference price, and not one of the service's own. */
  readonly isReference?: boolean
  /** The reason for the missing price, when a source gave one. */
  readonly priceCause?: Reason
  /**
   * What an amount will cost that is held after this tick, for assets of rules that move by
   * values; absent where too little is known of the asset's flows.
   */
  readonly holding?: readonly HoldingPoint[]
  /** For the coins of rules that keep a stock for fees; absent where it cannot be read. */
  readonly feeUse?: FeeUse
}

/** The cost in fiat millionths, beyond that of the cheapest amount; points rise by `units`. */
export type HoldingPoint = { readonly units: bigint; readonly costFiat: bigint }

/** In smallest units. */
export type BalanceView = {
  readonly readable: true
  /** The spendable balance of the wallet, without deductions for accepted orders. */
  readonly spendableUnits: bigint
  /** The payouts and refunds that orders in flight will still bring. */
  readonly inFlightInUnits: bigint
  /** The deposits that accepted orders have not made yet: still in the wallet, already promised. */
  readonly inFlightOutUnits: bigint
  /**
   * The amount that must stay for network fees; 0 when the asset is not the native coin of its
   * chain.
   */
  readonly floorUnits: bigint
}

/** A failed read. It carries its cause and is never taken for zero. */
type Unreadable = { readonly readable: false; readonly cause: Reason }

/** The costs of one pair over one kind of route; a pair may have a line for each kind. */
export type PairView = {
  readonly from: AssetId
  readonly to: AssetId
  /** Absent: a swap service with HTLCs. */
  readonly kind?: RouteKind
  /** Its payout reaches our own wallet alone. Absent in decisions of earlier versions. */
  readonly ownOnly?: true
  readonly quote: PairCosts | Unreadable
  /**
   * The other kinds of routes that join the pair and gave no quote; absent: none. No plan follows
   * from it.
   */
  readonly unquoted?: readonly { readonly kind: RouteKind; readonly causes: readonly Reason[] }[]
}

/**
 * The cost of a swap of the pair, from real quotes: a fixed cost in fiat millionths per order, and
 * basis points of the sold value.
 */
export type PairCosts = {
  readonly readable: true
  readonly available: boolean
  /** The service itself has closed the pair. */
  readonly closed?: true
  readonly fixedFeeFiat: bigint
  /**
   * The network fee of the deposit, beside the amount. It adds to the cost of an order and does not
   * reduce the payout.
   */
  readonly networkFeeFiat?: bigint
  /** The network fee of a refund, when the way of the deposit can need one. */
  readonly refundFeeFiat?: bigint
  /**
   * The network fees of a deposit and a refund that a relay may pay. Ceilings do not count them;
   * windows of fees count the worst case.
   */
  readonly windowFeesFiat?: bigint
  /**
   * The probability of that refund, and the cost of the locked money; absent where both are
   * nothing.
   */
  readonly risk?: OrderRisk
  readonly bps: bigint
  /** What the share has beyond its basis points, in billionths of the sold value. Absent for 0. */
  readonly bpsParts?: bigint
  /**
   * By how much costs by reference prices may pass a ceiling; absent where the prices are those of
   * the quotes. `own`: the costs by the quotes.
   */
  readonly toleranceBps?: bigint
  readonly own?: OwnCosts
  /** Bounds of one order in smallest units of `from`, both inclusive; `null` for no upper bound. */
  readonly minUnits: bigint
  readonly maxUnits: bigint | null
}

/** The costs of a pair by the quotes' own values. */
export type OwnCosts = {
  readonly fixedFeeFiat: bigint
  readonly bps: bigint
  readonly bpsParts?: bigint
}

export function findAsset(view: TreasuryView, id: AssetId): AssetView | null {
  return view.assets.find((asset) => asset.id === id) ?? null
}

/**
 * The balance after all orders in flight. Without them, two ticks in a row would propose the same
 * transfer twice.
 */
export function positionUnits({
  spendableUnits,
  inFlightInUnits,
  inFlightOutUnits,
}: BalanceView): bigint {
  return spendableUnits + inFlightInUnits - inFlightOutUnits
}

/**
 * The amount that may be sold now: present in the wallet, not promised to an order, not kept for
 * fees.
 */
export function liquidUnits({ spendableUnits, inFlightOutUnits, floorUnits }: BalanceView): bigint {
  const units = spendableUnits - inFlightOutUnits - floorUnits
  return units > 0n ? units : 0n
}

/** The balance of an asset, or `policy.view_incomplete` with the asset and the cause. */
export function findBalance(
  view: TreasuryView,
  id: AssetId,
): { ok: true; asset: AssetView; balance: BalanceView } | { ok: false; reason: Reason } {
  const asset = findAsset(view, id)
  if (asset?.balance.readable) return { ok: true, asset, balance: asset.balance }
  const cause = asset?.balance.readable === false ? asset.balance.cause : UNKNOWN_ASSET
  const message = `The balance of ${id} or what is under way to it cannot be read: ${cause.message}`
  return {
    ok: false,
    reason: {
      code: "policy.view_incomplete",
      message,
      asset: id,
      cause: cause.code,
      detail: cause.message,
    },
  }
}

/** The price of a whole unit, or `policy.price_missing`. A price of zero counts as missing. */
export function readPrice(
  asset: AssetView,
): { ok: true; priceFiat: bigint } | { ok: false; reason: Reason } {
  const isPriced = asset.priceFiat !== null && asset.priceFiat > 0n
  if (isPriced || (asset.priceFiat !== null && (asset.priceParts ?? 0n) > 0n))
    return { ok: true, priceFiat: asset.priceFiat }
  const { id, priceCause } = asset
  const said = priceCause === undefined ? "" : `: ${priceCause.message}`
  const effect = "so amounts of it cannot be compared with others"
  const message = `There is no price for ${id}, ${effect}${said}`
  return {
    ok: false,
    reason: {
      code: "policy.price_missing",
      message,
      asset: id,
      ...(priceCause ? { cause: priceCause.code } : {}),
    },
  }
}

/** An amount for a reason, in the asset's own unit. */
export function showUnits(asset: AssetView, units: bigint): string {
  return formatUnits(units, asset.decimals)
}

const UNKNOWN_ASSET: Reason = {
  code: "policy.asset_unknown",
  message: "The asset is not in the view",
}
