import { FIAT_DECIMALS } from "#domain/amount.ts"
import { findAsset, type PairCosts, readPrice, type TreasuryView } from "../treasury-view.ts"
import { unitsOfValue, VALUE_PER_FIAT } from "../value.ts"
import { findPair, grossOf, netOf, type Place, rateOf, smallest, valueIn } from "./route.ts"

/** A pair with its two assets. */
export type PricedPair = { readonly from: Place; readonly to: Place; readonly quote: PairCosts }

/**
 * How the service's rounding changes an order. It pays whole smallest units, rounded down, and the
 * guards judge the payout that arrives: the rest is a cost. All in internal value.
 */
export type PayoutRounding = {
  /** The margin for the arithmetic of the service: its net amount may be less than ours by this. */
  readonly margin: bigint
  /** What the statement of amounts in millionths can add. */
  readonly stated: bigint
  /** The most by which an order costs more than the line of its pair says, margin included. */
  readonly most: bigint
  /**
   * Whether orders sell only the units that their payout needs. It matters where a unit of the
   * payout is worth more than a cent, and units of the source are finer.
   */
  readonly aligned: boolean
}

/** The most that the margin may cost: one unit of a finer payout, and a cent of a coarse one. */
const CENT = VALUE_PER_FIAT * 10n ** BigInt(FIAT_DECIMALS - 2)

/** Source and destination of a quote are stated in whole millionths, and locked money too. */
const STATED = 2n * VALUE_PER_FIAT

/**
 * The line through two quotes may be wrong by up to one unit of the payout: the margin. Without a
 * share of the service, and with a source whose unit is a multiple of the payout's, the line is
 * exact. `withMargin` is false where only an order without a margin fits.
 */
export function payoutRounding(
  { from, to, quote }: PricedPair,
  withMargin: boolean,
): PayoutRounding {
  const sold = unitValue(from)
  const paid = unitValue(to)
  const isWhole = sold % VALUE_PER_FIAT === 0n && paid % VALUE_PER_FIAT === 0n
  const locked = quote.risk !== undefined && quote.risk.lockPpb > 0n ? VALUE_PER_FIAT : 0n
  const isExact = rateOf(quote) === 0n && sold % paid === 0n
  const margin = withMargin && !isExact ? smallest(paid, CENT) : 0n
  const stated = (isWhole ? 0n : STATED) + locked
  const aligned = paid > CENT && sold + margin < paid
  return { margin, stated, aligned, most: margin + (aligned ? sold : paid) + stated }
}

/** The pair with the prices of the view; `null` where one of them, or the quote, is missing. */
export function pricePair(
  view: TreasuryView,
  order: Parameters<typeof findPair>[1],
): PricedPair | null {
  const { from, to } = order
  const source = findAsset(view, from)
  const sink = findAsset(view, to)
  const quote = findPair(view.pairs, order)?.quote
  if (source === null || sink === null || !quote?.readable) return null
  const sold = readPrice(source)
  const paid = readPrice(sink)
  if (!sold.ok || !paid.ok) return null
  return {
    from: { asset: source, priceFiat: sold.priceFiat },
    to: { asset: sink, priceFiat: paid.priceFiat },
    quote,
  }
}

/** The units of the destination that arrive: whole ones, rounded down. */
export function payoutUnits({ to, quote }: PricedPair, value: bigint, margin = 0n): bigint {
  const net = netOf(quote, value, 1n) - margin
  return net > 0n ? unitsOfValue(to.asset, to.priceFiat, net, "down") : 0n
}

/** What an order of this value loses from source to destination, with the rest of its payout. */
export function lostValue(
  pair: PricedPair,
  value: bigint,
  { margin, stated }: Pick<PayoutRounding, "margin" | "stated">,
): bigint {
  return value - valueIn(pair.to, payoutUnits(pair, value, margin)) + stated
}

/** By how much an order of this value costs more than its line says: the rest of its payout. */
export function roundingOf(
  pair: PricedPair,
  value: bigint,
  rounding: Pick<PayoutRounding, "margin" | "stated">,
): bigint {
  return netOf(pair.quote, value, 1n) - value + lostValue(pair, value, rounding)
}

/** The fewest units of the source for that payout. */
export function unitsForPayout(
  { from, to, quote }: PricedPair,
  payout: bigint,
  margin: bigint,
): bigint {
  const paid = valueIn(to, payout)
  const isWhole = unitsOfValue(to.asset, to.priceFiat, paid, "down") >= payout
  const value = grossOf(quote, (isWhole ? paid : paid + 1n) + margin, 1n)
  return unitsOfValue(from.asset, from.priceFiat, value, "up")
}

/** At most `units`, without the part that pays nothing. */
export function alignDown(
  pair: PricedPair,
  units: bigint,
  { aligned, margin }: PayoutRounding,
): bigint {
  const payout = aligned ? payoutUnits(pair, valueIn(pair.from, units), margin) : 0n
  return payout === 0n ? units : unitsForPayout(pair, payout, margin)
}

/** At least `units`, with a payout that needs all of them. */
export function alignUp(pair: PricedPair, units: bigint, rounding: PayoutRounding): bigint {
  if (!rounding.aligned) return units
  const payout = payoutUnits(pair, valueIn(pair.from, units), rounding.margin)
  if (payout > 0n && unitsForPayout(pair, payout, rounding.margin) === units) return units
  return unitsForPayout(pair, payout + 1n, rounding.margin)
}

export function unitValue(place: Place): bigint {
  const value = valueIn(place, 1n)
  return value > 1n ? value : 1n
}
