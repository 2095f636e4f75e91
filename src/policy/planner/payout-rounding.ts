import { FIAT_DECIMALS } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import { findAsset, type PairCosts, readPrice, type TreasuryView } from "../treasury-view.ts"
import { unitsOfValue, VALUE_PER_FIAT } from "../value.ts"
import { findPair, grossOf, netOf, type Place, smallest, valueIn } from "./route.ts"

/** A pair with its two assets. */
export type PricedPair = { readonly from: Place; readonly to: Place; readonly quote: PairCosts }

/**
 * How the service's rounding changes an order. It pays whole smallest units, rounded down, and the
 * guards judge the payout that arrives: the rest is a cost. All in internal value.
 */
export type PayoutRounding = {
  /** The most by which an order costs more than the line of its pair says, margin included. */
  readonly most: bigint
  /** The margin for the arithmetic of the service: its net amount may be less than ours by this. */
  readonly arithmetic: bigint
  /** What the statement of amounts in millionths can add. */
  readonly stated: bigint
  /**
   * Whether orders sell only the units that their payout needs. It matters where a unit of the
   * payout is worth more than a cent, and units of the source are finer.
   */
  readonly aligned: boolean
  /** Whether `most` is more than a few cents, so that the loss of the very order has to be known. */
  readonly coarse: boolean
}

/** The most that the margin may cost: one unit of a finer payout, and a cent of a coarse one. */
const CENT = VALUE_PER_FIAT * 10n ** BigInt(FIAT_DECIMALS - 2)

/** Source and destination of a quote are stated in whole millionths, and locked money too. */
const STATED = 2n * VALUE_PER_FIAT

/**
 * Without a share of the service, and with a source whose unit is a multiple of the payout's, each
 * order loses the same to rounding, and the plan knows it exactly. Otherwise an order may lose up to
 * one unit of its payout, and the line through two quotes may be wrong by as much: the margin.
 */
export function payoutRounding({ from, to, quote }: PricedPair): PayoutRounding {
  const [sold, paid] = [unitValue(from), unitValue(to)]
  const isWhole = sold % VALUE_PER_FIAT === 0n && paid % VALUE_PER_FIAT === 0n
  const locked = quote.risk !== undefined && quote.risk.lockPpb > 0n ? VALUE_PER_FIAT : 0n
  const stated = (isWhole ? 0n : STATED) + locked
  if (quote.bps === 0n && sold % paid === 0n) {
    const rest = (quote.fixedFeeFiat * VALUE_PER_FIAT) % paid
    const most = (rest === 0n ? 0n : paid - rest) + stated
    return { most, arithmetic: 0n, stated, aligned: false, coarse: false }
  }
  const arithmetic = smallest(paid, CENT)
  const aligned = paid > CENT && sold + arithmetic < paid
  const most = arithmetic + (aligned ? sold : paid) + stated
  return { most, arithmetic, stated, aligned, coarse: most > 3n * CENT }
}

/** The pair with the prices of the view; `null` where one of them, or the quote, is missing. */
export function pricePair(view: TreasuryView, from: AssetId, to: AssetId): PricedPair | null {
  const [source, sink] = [findAsset(view, from), findAsset(view, to)]
  const quote = findPair(view.pairs, from, to)?.quote
  if (source === null || sink === null || !quote?.readable) return null
  const [sold, paid] = [readPrice(source), readPrice(sink)]
  if (!sold.ok || !paid.ok) return null
  return {
    from: { asset: source, priceFiat: sold.priceFiat },
    to: { asset: sink, priceFiat: paid.priceFiat },
    quote,
  }
}

/** The units of the destination that arrive: whole ones, rounded down. */
export function payoutUnits({ to, quote }: PricedPair, value: bigint): bigint {
  const net = netOf(quote, value, 1n)
  return net > 0n ? unitsOfValue(to.asset, to.priceFiat, net, "down") : 0n
}

/** By how much an order of this value costs more than its line says: the rest that its payout loses. */
export function roundingOf(pair: PricedPair, value: bigint): bigint {
  const { arithmetic, stated } = payoutRounding(pair)
  const net = netOf(pair.quote, value, 1n)
  const sure = net - arithmetic
  const paid = unitValue(pair.to)
  return net - (sure > 0n ? sure - (sure % paid) : 0n) + stated
}

/** `down`: at most `units`, without the part that pays nothing. `up`: at least `units`. */
export function alignUnits(pair: PricedPair, units: bigint, rounding: "up" | "down"): bigint {
  const { arithmetic: margin, aligned } = payoutRounding(pair)
  if (!aligned) return units
  const { from, to, quote } = pair
  const paid = unitValue(to)
  const net = netOf(quote, valueIn(from, units), 1n) - margin
  const whole = net <= 0n ? 0n : rounding === "up" ? (net + paid - 1n) / paid : net / paid
  if (whole === 0n && rounding === "down") return units
  const value = grossOf(quote, atLeastOne(whole) * paid + margin, 1n)
  return unitsOfValue(from.asset, from.priceFiat, value, "up")
}

function unitValue(place: Place): bigint {
  return atLeastOne(valueIn(place, 1n))
}

function atLeastOne(value: bigint): bigint {
  return value > 1n ? value : 1n
}
