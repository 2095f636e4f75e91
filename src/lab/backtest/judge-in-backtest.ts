import type { Asset, AssetId } from "#domain/asset.ts"
import type { FeeBudget, OrderPolicy } from "#domain/order.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import { ownFeesOf, readRisk } from "#engine/rules/read-risk.ts"
import { readUsage } from "#engine/rules/usage.ts"
import { isPaused } from "#engine/watches/pause.ts"
import { admitFunds, admitRequest, admitService, admitValue } from "#guards/limits.ts"
import { judgeOfferCost } from "#guards/offer.ts"
import { valueOrder, withNetworkFees } from "#guards/order-value.ts"
import type { Reference, ReferenceSide } from "#guards/price.ts"
import { present } from "#lib/assert.ts"
import type { Proposal } from "#policy/evaluate.ts"
import { netOf } from "#policy/planner/route.ts"
import { ruleCosts } from "#policy/rule-costs.ts"
import { fiatOfValue, unitsOfValue, valueOfUnits } from "#policy/value.ts"
import type { SimulatedJournal } from "./simulated-journal.ts"
import type { Subject } from "./subject.ts"
import { findFaults } from "./world/active-faults.ts"
import type { Scenario } from "./world/scenario.ts"
import { boundsOf, chainIn, pricedAsset, type Treasury } from "./world/treasury.ts"

/** The state of a run that the guards need. */
export type BacktestContext = {
  readonly subject: Subject
  readonly scenario: Scenario
  readonly treasury: Treasury
  readonly orders: SimulatedJournal
  readonly nowMs: number
}

/** A proposal with its quote and all refusals of the guards. */
export type Judged = {
  readonly quote: Quote
  readonly reference: Reference
  readonly decimals: { readonly from: number; readonly to: number }
  readonly policy: OrderPolicy
  readonly feeBudget: FeeBudget
  readonly reasons: readonly Reason[]
  readonly cooldownUntilMs: number | null
}

/**
 * Runs the guards of `engine/rules/admission.ts`, in the same order, on simulated balances and
 * quotes.
 */
export function judgeInBacktest(context: BacktestContext, proposal: Proposal): Judged {
  const { subject, scenario, treasury, orders, nowMs } = context
  const { settings } = subject
  const { from, to, units: sourceUnits } = proposal
  const [rule = "", secondRule = null] = proposal.rules
  const faults = findFaults(scenario, nowMs)
  const quote = withoutUnpriced(quoteOf(treasury, proposal), (id) => faults.unpriced(id) !== null)
  const configured = settings.policyFor(from, to)
  const risk = readRisk({ journal: orders }, { from, to }, configured)
  const policy = { ...configured, ...ruleCosts(settings.rules, proposal), risk }
  const reference = referenceOf(context, from, to)
  const decimals = { from: treasury.asset(from).decimals, to: treasury.asset(to).decimals }
  const feeBudget = feeBudgetOf(scenario, from)
  const toleranceBps = settings.priceToleranceBps ?? 0n
  const cost = judgeOfferCost(quote, reference, policy, {
    decimals,
    toleranceBps,
    own: { fees: ownFeesOf(policy, feeBudget, nativePrice(reference)), risk },
  })
  const usage = readUsage(
    { journal: orders, settings, clock: { now: () => nowMs } },
    { from, to, rule, secondRule, exceptOrder: null },
  )
  const value = withNetworkFees(valueOrder(quote, reference, decimals), feeBudget)
  const judged = [
    ...admitRequest({ from, to, rule, sourceUnits, nowMs }, usage, settings.limits),
    ...cost.refusals,
    ...cost.missing,
    ...admitService(
      { service: SERVICE, solver: null },
      orders.countInFlight(SERVICE_SCOPE),
      settings.limits,
    ),
    ...admitValue(value, usage, settings.limits),
    ...admitFunds(sourceUnits, fundsOf(context, from, feeBudget)),
  ]
  const stop = findStop(context, proposal)
  const reasons = stop === null ? judged : [stop]
  return {
    quote,
    reference,
    decimals,
    policy,
    feeBudget,
    reasons,
    cooldownUntilMs: usage.cooldownUntilMs,
  }
}

/**
 * A reason that ends the judgement before the guards see a quote: a pause, a refusal of the
 * service, or a balance that cannot be read.
 */
function findStop(context: BacktestContext, { rules, from, to, units }: Proposal): Reason | null {
  const { scenario, treasury, nowMs } = context
  const faults = findFaults(scenario, nowMs)
  const paused = findPause(context, rules, from)
  if (paused !== null) return paused
  const pair = treasury.pair(from, to)
  if (!pair.available || faults.declinesPair(from, to)) {
    return {
      code: "service.no_pair",
      message: `The service has no offer from ${from} to ${to}`,
      from,
      to,
    }
  }
  const { minUnits, maxUnits } = boundsOf(pair, pricedAsset(treasury, from))
  if (units < minUnits || (maxUnits !== null && units > maxUnits)) {
    const message =
      `The service swaps ${minUnits} to ${maxUnits ?? "any number of"} units of ${from}, and ` +
      `the order has ${units}`
    return { code: "service.amount_bounds", message, from, to, units: String(units) }
  }
  const unreadable = faults.unreadable(from)
  return unreadable === null
    ? null
    : { ...unreadable, code: "funds.unreadable", cause: unreadable.code }
}

/**
 * The reason against orders of the rules: an operator's pause of the scenario, or the pause of an
 * alarm in the run.
 */
export function findPause(
  { scenario, orders, nowMs }: Pick<BacktestContext, "scenario" | "orders" | "nowMs">,
  rules: readonly string[],
  from: AssetId,
): Reason | null {
  const paused = rules.find((rule) => isPaused({ journal: orders }, rule, from))
  if (paused === undefined) return findFaults(scenario, nowMs).paused(rules, from)
  return {
    code: "paused",
    message: `An alarm has paused ${paused}: new orders are refused`,
    rule: paused,
  }
}

/** The price of the coin that pays the fees, where it is configured and priced. */
function nativePrice({ native }: Reference): { fiat: bigint; decimals: number } | null {
  const price = native?.price
  return native && price && "fiat" in price ? { fiat: price.fiat, decimals: native.decimals } : null
}

/** What the guards keep back for the deposit and the refund of an order. */
export function feeBudgetOf(scenario: Scenario, from: AssetId): FeeBudget {
  const { depositFeeUnits, refundFeeUnits, worstFactor } = chainIn(scenario, from)
  return { depositUnits: depositFeeUnits * worstFactor, refundUnits: refundFeeUnits * worstFactor }
}

function withoutUnpriced(quote: Quote, isUnpriced: (id: AssetId) => boolean): Quote {
  const from = isUnpriced(quote.from)
  const to = isUnpriced(quote.to)
  return {
    ...quote,
    ...(from ? { sourceFiat: null } : {}),
    ...(to ? { destinationFiat: null } : {}),
  }
}

/**
 * A backtest has one service, and its solver has no id that a configuration knows, so
 * `guards.solvers` has no effect here.
 */
const SERVICE = "simulated"
export const SERVICE_SCOPE = { service: SERVICE }

/**
 * The native coin of an asset's chain when it is a configured asset; guards and planner can only
 * read configured assets.
 */
export function configuredCoin(
  context: Pick<BacktestContext, "subject" | "scenario">,
  id: AssetId,
): Asset | null {
  const coin = coinOf(context, id)
  return context.subject.assets.find((asset) => asset.id === coin) ?? null
}

/** The quote of the simulated service for an amount. */
export function quoteOf(
  treasury: Treasury,
  { from, to, units }: Pick<Proposal, "from" | "to" | "units">,
): Quote {
  const { fixedFiat, bps } = treasury.pair(from, to)
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

/**
 * A configured price source returns the price of the market. Without a source, the guards only have
 * the values of the quote.
 */
function referenceOf(context: BacktestContext, from: AssetId, to: AssetId): Reference {
  const { subject, scenario, treasury, nowMs } = context
  const coin = configuredCoin(context, from)
  const faults = findFaults(scenario, nowMs)
  const priced = (id: AssetId): ReferenceSide => {
    if (!subject.priced.has(id)) return null
    const missing = faults.unpriced(id)
    return missing === null
      ? { fiat: treasury.priceFiat(id), sources: 1 }
      : { missing: missing.message, cause: missing.code }
  }
  return {
    from: priced(from),
    to: priced(to),
    native:
      coin === null ? null : { asset: coin.id, decimals: coin.decimals, price: priced(coin.id) },
  }
}

function fundsOf(
  context: BacktestContext,
  from: AssetId,
  { depositUnits, refundUnits }: FeeBudget,
) {
  const { subject, treasury, orders } = context
  const coin = configuredCoin(context, from)
  const asset = present(
    subject.assets.find(({ id }) => id === from),
    `the asset ${from}`,
  )
  const sourceIsNative = from === coinOf(context, from)
  const minNative = subject.settings.minNative.get(asset.chain) ?? 0n
  return {
    spendableUnits: treasury.units(from),
    committedUnits: orders.sumCommitted(from),
    committedFeeUnits: orders.sumReservedFees(from),
    committedNativeUnits: coin === null || coin.id === from ? 0n : orders.sumCommitted(coin.id),
    feeUnits: depositUnits + refundUnits + minNative,
    nativeUnits: sourceIsNative || coin === null ? null : treasury.units(coin.id),
    sourceIsNative,
  }
}

/** The coin in which a chain takes its fees, also when it is not configured. */
export function coinOf({ scenario }: Pick<BacktestContext, "scenario">, id: AssetId): AssetId {
  return chainIn(scenario, id).coin
}
