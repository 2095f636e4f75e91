import type { AssetId } from "#domain/asset.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import { netOf } from "#policy/planner/route.ts"
import { fiatOfValue, unitsOfValue, valueOfUnits } from "#policy/value.ts"
import type { Subject } from "./subject.ts"
import type { ActiveFaults } from "./world/active-faults.ts"
import type { PairModel } from "./world/scenario.ts"
import { boundsOf, pricedAsset, type Treasury } from "./world/treasury.ts"

/** An amount to sell. */
type Sale = { readonly from: AssetId; readonly to: AssetId; readonly units: bigint }

/** A backtest has one service: the first of the configuration, where it has one. */
export function serviceOf({ service = "simulated" }: Pick<Subject, "service">): string {
  return service
}

export function quoteOf(
  treasury: Treasury,
  { from, to, units }: Sale,
  { fixedFiat, bps }: PairModel = treasury.pair(from, to),
): Quote {
  const source = pricedAsset(treasury, from)
  const sink = pricedAsset(treasury, to)
  const value = valueOfUnits(source, source.priceFiat, units)
  const costs = {
    readable: true,
    available: true,
    fixedFeeFiat: fixedFiat,
    bps,
    minUnits: 0n,
    maxUnits: null,
  } as const
  const net = netOf(costs, value, 1n)
  const destinationUnits = net > 0n ? unitsOfValue(sink, sink.priceFiat, net, "down") : 0n
  return {
    from,
    to,
    sourceUnits: units,
    destinationUnits,
    sourceFiat: fiatOfValue(value, "down"),
    destinationFiat: fiatOfValue(valueOfUnits(sink, sink.priceFiat, destinationUnits), "down"),
    solverId: "simulated",
    estimatedSeconds: null,
  }
}

/** The quote, or the reason for which the service refuses the pair or the amount. */
export function askService(
  treasury: Treasury,
  faults: ActiveFaults,
  sale: Sale,
): { readonly quote: Quote } | { readonly refused: Reason } {
  const { from, to, units } = sale
  const pair = treasury.pair(from, to)
  if (!pair.available || faults.declinesPair(from, to)) {
    const message = `The service has no offer from ${from} to ${to}`
    return { refused: { code: "service.no_pair", message, from, to } }
  }
  const { minUnits, maxUnits } = boundsOf(pair, pricedAsset(treasury, from))
  if (units < minUnits || (maxUnits !== null && units > maxUnits)) {
    const range = `${minUnits} to ${maxUnits ?? "any number of"} units`
    const message = `The service swaps ${range} of ${from}, and the order has ${units}`
    return { refused: { code: "service.amount_bounds", message, from, to, units: String(units) } }
  }
  const quote = quoteOf(treasury, sale)
  const source = faults.unpriced(from) === null ? {} : { sourceFiat: null }
  const destination = faults.unpriced(to) === null ? {} : { destinationFiat: null }
  return { quote: { ...quote, ...source, ...destination } }
}
