import type { AssetId } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import type { Reason } from "#domain/reason.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import { headroomOf } from "./headroom.ts"
import { type Need, patientSales } from "./need.ts"
import { coveredBy } from "./planner/explain-need.ts"
import type { FlowProblem } from "./planner/flow/flow-problem.ts"
import type { OrderAnswer } from "./planner/flow/settle-flow.ts"
import { solveFlow } from "./planner/flow/solve-flow.ts"
import { explainGrowth } from "./planner/grow-order.ts"
import { describeFullPlan, type PlanLimits } from "./planner/limits.ts"
import { limitsAfter } from "./planner/limits-after.ts"
import type { PlacedOrder } from "./planner/place-orders.ts"
import { costOfOrder, findPair, netOf, type Route } from "./planner/route.ts"
import { planSwaps, type SwapPlan } from "./planner.ts"
import { refuseOccurrence } from "./refuse-occurrence.ts"
import { type PolicyRule, ruleKindOf } from "./rules/registry.ts"
import type { Rule, ScheduledKind } from "./rules/rule-kind.ts"
import { findFeeWait } from "./schedule/fee-waits.ts"
import { findAsset, readPrice, type TreasuryView } from "./treasury-view.ts"
import { fiatOfValue, unitsOfValue, valueOfUnits } from "./value.ts"

/**
 * The proposals of one tick, and for every rule that gets less than it wants the reasons.
 *
 * Rules with a higher priority come first; between equals the order of the file decides. Due
 * occurrences come first, in their order: each is a separate order, and counts as in flight for the
 * rest of the evaluation. The needs of all standing rules are then planned together, so that two
 * rules with the same source never get more than its liquid balance. Every enabled rule limits how
 * much other rules may take from its assets, also when the rule itself is not due.
 *
 * Pure: the same view, rules, limits, due list and answers of the solver give the same answer.
 * `replay` depends on that.
 */
export function evaluate(
  view: TreasuryView,
  rules: readonly PolicyRule[],
  limits: PlanLimits,
  due: readonly DueRule[] = rules
    .filter(isStanding)
    .map(({ id }) => ({ rule: id, occurrence: null })),
  solve: (problem: FlowProblem) => OrderAnswer = (problem) => solveFlow(problem),
): Evaluation {
  const steps = evaluateInSteps(view, rules, limits, due)
  let step = steps.next()
  while (!step.done) step = steps.next(solve(step.value))
  return step.value
}

/** As `evaluate`. The caller answers each problem, at once or after a search elsewhere. */
export function* evaluateInSteps(
  view: TreasuryView,
  rules: readonly PolicyRule[],
  limits: PlanLimits,
  due: readonly DueRule[],
): Generator<FlowProblem, Evaluation, OrderAnswer> {
  const enabled = inOrder(rules)
  const scheduled = placeOccurrences(view, enabled, limits, due)
  const standing = collectNeeds(scheduled.view, enabled, due)
  const declined: Declined[] = [...scheduled.declined, ...standing.declined]
  const rest = limitsAfter(limits, scheduled.proposals, scheduled.view)
  const headroom = headroomOf(enabled.filter(isStanding), scheduled.view, limits)
  const plan: SwapPlan = yield* planSwaps(standing.needs, scheduled.view, rest, headroom)
  for (const { need, met, reasons } of plan.results) {
    if (!met) declined.push({ rule: need.rule, occurrence: null, reasons })
  }
  const proposals = [
    ...scheduled.proposals,
    ...plan.orders.map((order) => proposeOrder(order, plan.orders)),
  ]
  return { proposals, declined, plan: summarise(proposals, plan.exact) }
}

/** The enabled rules in the order in which they claim assets: by priority, then as in the file. */
function inOrder(rules: readonly PolicyRule[]): PolicyRule[] {
  const enabled = rules.filter((rule) => rule.enabled !== false)
  return enabled.toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0))
}

/**
 * A rule to evaluate now. `occurrence` is the id in the journal for a scheduled rule, `null` for a
 * standing rule.
 */
export type DueRule = { readonly rule: string; readonly occurrence: string | null }

export type Evaluation = {
  readonly proposals: readonly Proposal[]
  /**
   * A rule that gets only a part of its needs is listed too: its first reason is `policy.partial`,
   * and proposals name the rule as well. So is a rule without an order of its own whose need the
   * orders of other rules cover: `policy.asset_claimed`.
   */
  readonly declined: readonly Declined[]
  readonly plan: PlanSummary
}

export type Proposal = {
  /** The rule that the order serves, or the two rules that it serves together. */
  readonly rules: readonly string[]
  readonly occurrence: string | null
  readonly from: AssetId
  readonly to: AssetId
  /** The kind of route that the plan counts with; absent: HTLCs. The best offer decides. */
  readonly kind?: RouteKind
  /** An address outside the treasury; `null` for our own wallet. */
  readonly destination: string | null
  /** The amount to sell, in smallest units of `from`. */
  readonly units: bigint
  /**
   * The expected payout and the cost in fiat millionths, both from the quote; `null` when a price
   * or quote is missing.
   */
  readonly receiveUnits: bigint | null
  readonly costFiat: bigint | null
  /**
   * The ceilings of the rules that the order serves, as the plan used them; all of them hold.
   * Absent where a rule's own ceiling decides.
   */
  readonly maxCosts?: readonly CostLimit[]
  readonly why: readonly Reason[]
}

export type Declined = {
  readonly rule: string
  readonly occurrence: string | null
  readonly reasons: readonly Reason[]
}

/** `costFiat` is `null` when the cost of some order is unknown. */
export type PlanSummary = {
  readonly orders: number
  readonly costFiat: bigint | null
  readonly exact: boolean
}

/**
 * The needs of the due standing rules, without costs. The needs decide which partners and quotes
 * the engine must read.
 */
export function findNeeds(
  view: TreasuryView,
  rules: readonly PolicyRule[],
  limits: PlanLimits,
  due: readonly DueRule[],
): readonly Need[] {
  const enabled = inOrder(rules)
  return collectNeeds(placeOccurrences(view, enabled, limits, due).view, enabled, due).needs
}

export function listDuePairs(
  rules: readonly PolicyRule[],
  due: readonly DueRule[],
): {
  readonly rule: string
  readonly from: AssetId
  readonly to: AssetId
  readonly destination: null
}[] {
  return due.flatMap(({ rule: id }) => {
    const rule = rules.find((one) => one.id === id)
    const kind = rule === undefined ? null : ruleKindOf(rule)
    if (rule === undefined || kind?.wake !== "schedule") return []
    return [{ rule: id, ...kind.pairOf(rule), destination: null }]
  })
}

function collectNeeds(
  view: TreasuryView,
  enabled: readonly PolicyRule[],
  due: readonly DueRule[],
): { needs: Need[]; declined: Declined[] } {
  const declined: Declined[] = []
  const needs: Need[] = []
  for (const rule of enabled) {
    const kind = ruleKindOf(rule)
    if (kind.wake !== "every" || !due.some((entry) => entry.rule === rule.id)) continue
    const answer = kind.decideNeeds(rule, view)
    if (!answer.ok) {
      declined.push({ rule: rule.id, occurrence: null, reasons: answer.reasons })
      continue
    }
    for (const need of answer.needs) {
      const waits = new Map(
        patientSales(need).map((asset) => [asset, waitOf(view, rule, asset)] as const),
      )
      const now = need.partners.filter((partner) => {
        const sold = need.kind === "lose" ? need.asset : partner.asset
        return (waits.get(sold) ?? null) === null
      })
      const [wait] = [...waits.values()].filter((reason) => reason !== null)
      if (now.length > 0 || wait === undefined) needs.push({ ...need, partners: now })
      else declined.push({ rule: rule.id, occurrence: null, reasons: [wait] })
    }
  }
  return { needs, declined }
}

function waitOf(view: TreasuryView, { id }: Rule, asset: AssetId): Reason | null {
  return findFeeWait(view, { rule: id, occurrence: null, asset })
}

export function isStanding(rule: Rule): boolean {
  return ruleKindOf(rule).wake === "every"
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
    const kind = rule === undefined ? null : ruleKindOf(rule)
    if (rule === undefined || kind?.wake !== "schedule") continue
    const isFull = proposals.length >= limits.maxOrders
    const answer = isFull
      ? { ok: false as const, reasons: [planFull(limits)] }
      : proposeOccurrence(rule, kind, view, occurrence)
    if (!answer.ok) {
      declined.push({ rule: id, occurrence, reasons: answer.reasons })
      continue
    }
    const { proposal } = answer
    const refusals = refuseOccurrence({ ...proposal, rule }, proposals, limits, view)
    if (refusals.length > 0) {
      declined.push({ rule: id, occurrence, reasons: refusals })
      continue
    }
    proposals.push(proposal)
    view = countAsInFlight(view, proposal)
  }
  return { view, proposals, declined }
}

function planFull({ maxOrders }: PlanLimits): Reason {
  return {
    code: "policy.order_count",
    message: describeFullPlan(maxOrders),
    max: String(maxOrders),
  }
}

function proposeOccurrence(
  rule: Rule,
  kind: ScheduledKind,
  view: TreasuryView,
  occurrence: string | null,
): { ok: true; proposal: Proposal } | { ok: false; reasons: readonly Reason[] } {
  const sized = kind.sizeOrder(rule, view)
  if (!sized.ok) return sized
  const { from, to } = kind.pairOf(rule)
  const wait = findFeeWait(view, { rule: rule.id, occurrence, asset: from })
  if (wait !== null) return { ok: false, reasons: [wait] }
  const order = {
    rules: [rule.id],
    occurrence,
    from,
    to,
    destination: null,
    units: sized.units,
    why: [sized.why],
  }
  return { ok: true, proposal: { ...order, ...expectPayout(order, view) } }
}

function expectPayout(
  { from, to, units }: { readonly from: AssetId; readonly to: AssetId; readonly units: bigint },
  view: TreasuryView,
): Pick<Proposal, "receiveUnits" | "costFiat"> {
  const unknown = { receiveUnits: null, costFiat: null }
  const source = findAsset(view, from)
  const sink = findAsset(view, to)
  const pair = findPair(view.pairs, { from, to })
  if (!source || !sink || !pair?.quote.readable) return unknown
  const sourcePrice = readPrice(source)
  const sinkPrice = readPrice(sink)
  if (!sourcePrice.ok || !sinkPrice.ok) return unknown
  const value = valueOfUnits(source, sourcePrice.priceFiat, units)
  const net = netOf(pair.quote, value, 1n)
  const receiveUnits = net > 0n ? unitsOfValue(sink, sinkPrice.priceFiat, net, "down") : 0n
  return { receiveUnits, costFiat: fiatOfValue(costOfOrder(pair.quote, value), "up") }
}

/**
 * An unknown payout is not zero: it makes the balance unreadable, so that rules which read it wait
 * for the next tick.
 */
export function countAsInFlight(
  view: TreasuryView,
  { from, to, units, receiveUnits, rules }: Omit<Proposal, "why">,
): TreasuryView {
  const assets = view.assets.map((asset) => {
    const { balance } = asset
    if (!balance.readable) return asset
    if (asset.id === from) {
      return {
        ...asset,
        balance: { ...balance, inFlightOutUnits: balance.inFlightOutUnits + units },
      }
    }
    if (asset.id !== to) return asset
    if (receiveUnits !== null) {
      return {
        ...asset,
        balance: { ...balance, inFlightInUnits: balance.inFlightInUnits + receiveUnits },
      }
    }
    const message =
      `${rules.join(", ")} buys it in this tick, and what arrives is not known without a quote ` +
      "and prices"
    return {
      ...asset,
      balance: { readable: false as const, cause: { code: "policy.amount_unknown", message } },
    }
  })
  return { ...view, assets }
}

function proposeOrder(order: PlacedOrder, orders: readonly PlacedOrder[]): Proposal {
  const { units, receiveUnits, costValue } = order
  const { route } = order.orderRoute
  const needs = [route.loss, route.gain].filter((need) => need !== null)
  const maxCosts = needs.map(({ maxCost }) => maxCost).filter((limit) => limit !== null)
  return {
    rules: [...new Set(needs.map(({ rule }) => rule))],
    occurrence: null,
    from: route.from.asset.id,
    to: route.to.asset.id,
    ...(route.kind === undefined ? {} : { kind: route.kind }),
    destination: route.destination,
    units,
    receiveUnits,
    costFiat: fiatOfValue(costValue, "up"),
    ...(maxCosts.length > 0 ? { maxCosts } : {}),
    why: [...needs.map(({ why }) => why), ...growthsOf(route, needs, orders)],
  }
}

function growthsOf(
  { from, to, quote }: Route,
  needs: readonly Need[],
  orders: readonly PlacedOrder[],
): Reason[] {
  return needs.flatMap((need) => {
    const { asset } = need.kind === "lose" ? from : to
    return explainGrowth(need, asset, quote, coveredBy(need, orders)) ?? []
  })
}

function summarise(proposals: readonly Proposal[], exact: boolean): PlanSummary {
  const costs = proposals.map(({ costFiat }) => costFiat)
  const known = costs.filter((cost) => cost !== null)
  const costFiat =
    known.length === costs.length ? known.reduce((sum, cost) => sum + cost, 0n) : null
  return { orders: proposals.length, costFiat, exact }
}
