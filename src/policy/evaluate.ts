import type { AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { unreachable } from "#lib/assert.ts"
import type { Need, RuleAnswer } from "./need.ts"
import type { PlanLimits } from "./planner/limits.ts"
import type { PlacedOrder } from "./planner/place-orders.ts"
import { costOfOrder, findPair, netOf } from "./planner/route.ts"
import { planSwaps } from "./planner.ts"
import type { PolicyRule, StandingRule } from "./policy-rule.ts"
import { roomsOf } from "./rooms-of.ts"
import { decideBand } from "./rules/band.ts"
import type { RecurringRule } from "./rules/recurring.ts"
import { sizeRecurring } from "./rules/size-recurring.ts"
import { decideSweep } from "./rules/sweep.ts"
import { decideWeights } from "./rules/weights.ts"
import { findAsset, readPrice, type TreasuryView } from "./treasury-view.ts"
import { fiatOfValue, unitsOfValue, valueOfUnits } from "./value.ts"

/**
 * What should be done now, and of everything that should not, why not.
 *
 * Occurrences that are due come first, in their order: each is an order of its own, and counts as under way for what follows. Then all
 * needs of the standing rules are planned together, so that two rules that want the same source never get more than is liquid. Of `rules`, the
 * enabled ones bound what others may take from their assets also when they are not due themselves.
 *
 * Pure: the same view, rules, limits and due list give the same answer, which is what `replay` rests on.
 */
export function evaluate(
  view: TreasuryView,
  rules: readonly PolicyRule[],
  limits: PlanLimits,
  due: readonly DueRule[] = rules.filter(isStanding).map(({ id }) => ({ rule: id, occurrence: null })),
): Evaluation {
  const enabled = rules.filter((rule) => rule.enabled !== false)
  const timed = placeOccurrences(view, enabled, limits, due)
  const stated = stateNeeds(timed.view, enabled, due)
  const declined: Declined[] = [...timed.declined, ...stated.declined]
  const { needs } = stated
  const spare = { ...limits, maxOrders: Math.max(0, limits.maxOrders - timed.proposals.length) }
  const plan = planSwaps(needs, timed.view, spare, roomsOf(enabled.filter(isStanding), timed.view))
  for (const { need, met, reasons } of plan.outcomes) {
    if (!met) declined.push({ rule: need.rule, occurrence: null, reasons })
  }
  const proposals = [...timed.proposals, ...plan.orders.map(proposeOrder)]
  return { proposals, declined, plan: summarise(proposals, plan.exact) }
}

/** A rule that is to be looked at now; `occurrence` is the ledger's id for a recurring one. */
export type DueRule = { readonly rule: string; readonly occurrence: string | null }

export type Evaluation = {
  readonly proposals: readonly Proposal[]
  /** Also rules that got only a part of what they want: then the first reason is `policy.partial`, and proposals name them too. */
  readonly declined: readonly Declined[]
  readonly plan: PlanSummary
}

export type Proposal = {
  /** Whom the order serves: one rule, or the two whose needs it meets at once. */
  readonly rules: readonly string[]
  readonly occurrence: string | null
  readonly from: AssetId
  readonly to: AssetId
  /** An address outside the treasury; `null` for our own wallet. */
  readonly destination: string | null
  /** To be sold, smallest units of `from`. */
  readonly units: bigint
  /** Expected from the quote's facts, and what it costs in fiat millionths; `null` where a price or quote is missing. */
  readonly receiveUnits: bigint | null
  readonly costFiat: bigint | null
  readonly why: readonly Reason[]
}

export type Declined = {
  readonly rule: string
  readonly occurrence: string | null
  readonly reasons: readonly Reason[]
}

/** `costFiat` is `null` when the cost of some order is unknown. */
export type PlanSummary = { readonly orders: number; readonly costFiat: bigint | null; readonly exact: boolean }

/** What the due standing rules want, before anybody asks what it costs: from this follows which partners and quotes are to be read at all. */
export function findNeeds(
  view: TreasuryView,
  rules: readonly PolicyRule[],
  limits: PlanLimits,
  due: readonly DueRule[],
): readonly Need[] {
  const enabled = rules.filter((rule) => rule.enabled !== false)
  return stateNeeds(placeOccurrences(view, enabled, limits, due).view, enabled, due).needs
}

function stateNeeds(
  view: TreasuryView,
  enabled: readonly PolicyRule[],
  due: readonly DueRule[],
): { needs: Need[]; declined: Declined[] } {
  const declined: Declined[] = []
  const needs: Need[] = []
  for (const rule of enabled.filter(isStanding)) {
    if (!due.some((entry) => entry.rule === rule.id)) continue
    const answer = decideRule(rule, view)
    if (answer.ok) needs.push(...answer.needs)
    else declined.push({ rule: rule.id, occurrence: null, reasons: answer.reasons })
  }
  return { needs, declined }
}

export function isStanding(rule: PolicyRule): rule is StandingRule {
  return rule.kind !== "recurring"
}

function decideRule(rule: StandingRule, view: TreasuryView): RuleAnswer {
  switch (rule.kind) {
    case "band":
      return decideBand(rule, view)
    case "weights":
      return decideWeights(rule, view)
    case "sweep":
      return decideSweep(rule, view)
    default:
      return unreachable(rule)
  }
}

type Placed = {
  readonly view: TreasuryView
  readonly proposals: readonly Proposal[]
  readonly declined: readonly Declined[]
}

function placeOccurrences(
  start: TreasuryView,
  rules: readonly PolicyRule[],
  limits: PlanLimits,
  due: readonly DueRule[],
): Placed {
  let view = start
  const proposals: Proposal[] = []
  const declined: Declined[] = []
  for (const { rule: id, occurrence } of due) {
    const rule = rules.find((one) => one.id === id)
    if (rule?.kind !== "recurring") continue
    const answer = proposeOccurrence(rule, view, proposals.length < limits.maxOrders ? null : limits.maxOrders)
    if (!answer.ok) {
      declined.push({ rule: id, occurrence, reasons: answer.reasons })
      continue
    }
    const proposal = { ...answer.proposal, occurrence }
    proposals.push(proposal)
    view = countAsUnderWay(view, proposal)
  }
  return { view, proposals, declined }
}

function proposeOccurrence(
  rule: RecurringRule,
  view: TreasuryView,
  fullAt: number | null,
): { ok: true; proposal: Proposal } | { ok: false; reasons: readonly Reason[] } {
  if (fullAt !== null) {
    const max = String(fullAt)
    const message =
      fullAt === 0
        ? "As many orders are under way as may be"
        : `The plan has its ${max} orders, and no more are allowed`
    return { ok: false, reasons: [{ code: "policy.order_count", message, max }] }
  }
  const sized = sizeRecurring(rule, view)
  if (!sized.ok) return sized
  const { from, to } = rule
  const order = {
    rules: [rule.id],
    occurrence: null,
    from,
    to,
    destination: null,
    units: sized.units,
    why: [sized.why],
  }
  return { ok: true, proposal: { ...order, ...expect(order, view) } }
}

function expect(
  { from, to, units }: { readonly from: AssetId; readonly to: AssetId; readonly units: bigint },
  view: TreasuryView,
): Pick<Proposal, "receiveUnits" | "costFiat"> {
  const unknown = { receiveUnits: null, costFiat: null }
  const [source, sink, pair] = [findAsset(view, from), findAsset(view, to), findPair(view.pairs, from, to)]
  if (!source || !sink || !pair?.quote.readable) return unknown
  const [sourcePrice, sinkPrice] = [readPrice(source), readPrice(sink)]
  if (!sourcePrice.ok || !sinkPrice.ok) return unknown
  const value = valueOfUnits(source, sourcePrice.priceFiat, units)
  const net = netOf(pair.quote, value, 1n)
  const receiveUnits = net > 0n ? unitsOfValue(sink, sinkPrice.priceFiat, net, "down") : 0n
  return { receiveUnits, costFiat: fiatOfValue(costOfOrder(pair.quote, value), "up") }
}

/** An amount that nobody can tell yet is not zero: whoever depends on that balance waits for the next tick. */
function countAsUnderWay(view: TreasuryView, { from, to, units, receiveUnits, rules }: Proposal): TreasuryView {
  const assets = view.assets.map((asset) => {
    const { balance } = asset
    if (!balance.readable) return asset
    if (asset.id === from) {
      return { ...asset, balance: { ...balance, inFlightOutUnits: balance.inFlightOutUnits + units } }
    }
    if (asset.id !== to) return asset
    if (receiveUnits !== null) {
      return { ...asset, balance: { ...balance, inFlightInUnits: balance.inFlightInUnits + receiveUnits } }
    }
    const message = `${rules.join(", ")} buys it in this tick, and what arrives is not known without a quote and prices`
    return { ...asset, balance: { readable: false as const, cause: { code: "policy.amount_unknown", message } } }
  })
  return { ...view, assets }
}

function proposeOrder({ lane: { route }, units, receiveUnits, costValue }: PlacedOrder): Proposal {
  const needs = [route.loss, route.gain].filter((need) => need !== null)
  return {
    rules: [...new Set(needs.map(({ rule }) => rule))],
    occurrence: null,
    from: route.from.asset.id,
    to: route.to.asset.id,
    destination: route.destination,
    units,
    receiveUnits,
    costFiat: fiatOfValue(costValue, "up"),
    why: needs.map(({ why }) => why),
  }
}

function summarise(proposals: readonly Proposal[], exact: boolean): PlanSummary {
  const costs = proposals.map(({ costFiat }) => costFiat)
  const known = costs.filter((cost) => cost !== null)
  const costFiat = known.length === costs.length ? known.reduce((sum, cost) => sum + cost, 0n) : null
  return { orders: proposals.length, costFiat, exact }
}
