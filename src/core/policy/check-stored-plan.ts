import type { AssetId } from "#domain/asset.ts"
import type { Proposal } from "./evaluate.ts"
import type { PlanLimits } from "./planner/limits.ts"
import { costOfOrder, findPair, netOf } from "./planner/route.ts"
import {
  type AssetView,
  findAsset,
  liquidUnits,
  type PairCosts,
  readPrice,
  type TreasuryView,
} from "./treasury-view.ts"
import { fiatOfValue, unitsOfValue, VALUE_PER_FIAT, valueOfUnits } from "./value.ts"

/**
 * The orders of a stored plan that its own inputs contradict, as sentences; empty for a consistent
 * plan. It holds for plans of every version of the policy: each sells what is liquid, within the
 * bounds of its pair and of the limits, and states the payout and cost that the stored quotes give.
 */
export function checkStoredPlan(
  view: TreasuryView,
  limits: PlanLimits,
  proposals: readonly Proposal[],
): string[] {
  const sold = new Map<AssetId, bigint>()
  const findings = proposals.flatMap((proposal) => {
    sold.set(proposal.from, (sold.get(proposal.from) ?? 0n) + proposal.units)
    return checkOrder(view, limits, proposal)
  })
  for (const [id, units] of sold) {
    const balance = findAsset(view, id)?.balance
    if (!balance?.readable) findings.push(`The balance of ${id} was not readable`)
    else if (units > liquidUnits(balance))
      findings.push(`${id} had less liquid than the ${units} smallest units sold`)
  }
  if (proposals.length > limits.maxOrders)
    findings.push(`The plan had more than ${limits.maxOrders} orders`)
  return findings
}

function checkOrder(view: TreasuryView, limits: PlanLimits, proposal: Proposal): string[] {
  const { from, to, units, receiveUnits, costFiat, occurrence } = proposal
  const name = `The order from ${from} to ${to}`
  const source = findAsset(view, from)
  const sink = findAsset(view, to)
  const pair = findPair(view.pairs, from, to)
  if (receiveUnits === null && occurrence !== null) return []
  const price = source === null ? null : readPrice(source)
  const sinkPrice = sink === null ? null : readPrice(sink)
  if (source === null || sink === null || !price?.ok || !sinkPrice?.ok || !pair?.quote.readable) {
    return [`${name} had no price or no quote`]
  }
  const { quote } = pair
  const value = valueOfUnits(source, price.priceFiat, units)
  const charged = quote.bps < 0n && occurrence === null ? { ...quote, bps: 0n } : quote
  const net = netOf(charged, value, 1n)
  const arrives = net > 0n ? unitsOfValue(sink, sinkPrice.priceFiat, net, "down") : 0n
  const findings =
    occurrence === null ? checkBounds(source, quote, limits, { units, value, name }) : []
  if (units <= 0n) findings.push(`${name} sold nothing`)
  if (receiveUnits !== arrives)
    findings.push(`${name} states a payout of ${receiveUnits} instead of ${arrives}`)
  const cost = fiatOfValue(costOfOrder(charged, value), "up")
  if (costFiat !== cost) findings.push(`${name} states a cost of ${costFiat} instead of ${cost}`)
  return findings
}

function checkBounds(
  { id }: AssetView,
  quote: PairCosts,
  { maxOrder }: PlanLimits,
  { units, value, name }: { readonly units: bigint; readonly value: bigint; readonly name: string },
): string[] {
  const findings = []
  if (units < quote.minUnits) findings.push(`${name} was below the pair's minimum`)
  if (quote.maxUnits !== null && units > quote.maxUnits)
    findings.push(`${name} was above the pair's maximum`)
  const most = maxOrder?.kind === "units" ? (maxOrder.byAsset[id] ?? null) : null
  const isOver =
    maxOrder?.kind === "fiat"
      ? value > maxOrder.fiat * VALUE_PER_FIAT
      : most !== null && units > most
  if (isOver) findings.push(`${name} was above the largest order allowed`)
  return findings
}
