import { type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import { kindOf, type RouteKind } from "#domain/route/route-kind.ts"
import type {
  GasRead,
  JudgePort,
  PricedOffer,
  Refusal,
  WalletRead,
} from "#engine/rules/decide/judge.ts"
import { feeCoinAmong } from "#engine/rules/offer.ts"
import { isPaused } from "#engine/watches/pause.ts"
import { admitRoute } from "#guards/limits.ts"
import type { Reference, ReferenceSide } from "#guards/price.ts"
import { coinOf, configuredCoin, feeBudgetOf, type RunContext } from "./run-context.ts"
import { kindsOf, quoteRoute, redeemFeeOf } from "./simulated-routes.ts"
import { askService, serviceOf } from "./simulated-service.ts"
import { type ActiveFaults, findFaults } from "./world/active-faults.ts"

/** The judgement's reads, from the simulated world. */
export function createJudgePort(context: RunContext, now: () => number): JudgePort {
  const { subject, scenario, treasury, orders } = context
  const coins = new Map(scenario.chains.map(({ chain, coin }) => [chain, coin]))
  const assets = new Map(subject.assets.map((asset) => [asset.id, asset]))
  const faultsNow = (): ActiveFaults => findFaults(scenario, now())
  return {
    journal: orders,
    clock: { now },
    settings: settingsOf(context),
    memory: { earlyFailures: new Map() },
    coinOf: (chain: ChainId) => {
      const coin = coins.get(chain)
      return coin === undefined ? null : (assets.get(coin) ?? null)
    },
    isNative: (id) => id === coinOf(context, id),
    findBlocks: ({ rule, secondRule = null, from }) => {
      const rules = secondRule === null ? [rule] : [rule, secondRule]
      const paused = findPause(context, faultsNow(), rules, from)
      return paused === null ? [] : [paused]
    },
    paysUs: ({ destination = null }) => destination === null,
    countWith: (service) => orders.countInFlight({ service }),
    judgeRoute: ({ quote }) => {
      const inFlightFiat = sumWithIssuer(context, quote)
      const { sourceFiat } = quote
      return admitRoute({ kind: kindOf(quote), sourceFiat }, inFlightFiat, subject.settings.limits)
    },
    readOffer: ({ from, to, sourceUnits: units, costs, destination = null }) => {
      const sale = { from, to, units }
      const asked = askService(treasury, faultsNow(), sale)
      const quotes = [
        ...("refused" in asked ? [] : [asked.quote]),
        ...(destination === null ? listRouteQuotes(context, sale, now()) : []),
      ]
      // The planned kind, which was the cheaper one with its network fees; else what is there.
      const best = quotes.find(({ kind }) => kind === costs?.planned?.kind) ?? quotes[0]
      if (best !== undefined) return { ok: true, offer: toOffer(context, faultsNow(), best) }
      return { ok: false, reasons: "refused" in asked ? [asked.refused] : [] }
    },
    readWallet: (from, kind) => readWallet(context, faultsNow(), from, kind),
  }
}

/** Of the routes with room in their limit, and with coin for the redemption on the other chain. */
function listRouteQuotes(
  context: RunContext,
  sale: { readonly from: AssetId; readonly to: AssetId; readonly units: bigint },
  nowMs: number,
): readonly Quote[] {
  const { limits } = context.subject.settings
  return kindsOf(context, sale.from, sale.to).flatMap((kind) => {
    const quote = quoteRoute(context, kind, sale)
    const fee = redeemFeeOf(context, quote, nowMs)
    const { sourceFiat } = quote
    const isFull =
      admitRoute({ kind, sourceFiat }, sumWithIssuer(context, quote), limits).length > 0
    return isFull || context.treasury.units(fee.coin) < fee.units
      ? []
      : [{ ...quote, redeemFeeUnits: fee.units }]
  })
}

/** What the issuer of the quote's route owes. */
export function sumWithIssuer({ orders }: RunContext, { kind }: Pick<Quote, "kind">): bigint {
  return orders
    .open()
    .filter(({ data }) => kind !== undefined && data.quote?.kind === kind)
    .reduce((sum, { budget }) => sum + (budget.sourceFiat ?? 0n), 0n)
}

/**
 * The reason against orders of the rules: an operator's pause of the scenario, or the pause of an
 * alarm in the run.
 */
function findPause(
  { orders }: Pick<RunContext, "orders">,
  faults: ActiveFaults,
  rules: readonly string[],
  from: AssetId,
): Reason | null {
  const paused = rules.find((rule) => isPaused({ journal: orders }, rule, from))
  if (paused === undefined) return faults.paused(rules, from)
  return {
    code: "paused",
    message: `An alarm has paused ${paused}: new orders are refused`,
    rule: paused,
  }
}

/**
 * The fees of one order, and the balance that pays them; a balance that cannot be read is a reason.
 */
export function readFeeCoin(
  context: RunContext,
  faults: ActiveFaults,
  from: AssetId,
): GasRead | { readonly cause: Reason } {
  const { subject, scenario, treasury } = context
  const budget = feeBudgetOf(scenario, from)
  const { minNative } = subject.settings
  const keptUnits = minNative.get(chainOf(from)) ?? 0n
  const coin = coinOf(context, from)
  // The daemon reads a coin that is no asset only where a minimum of it must stay.
  const isRead = configuredCoin(context, from) !== null || minNative.has(chainOf(from))
  if (from === coin || !isRead) return { budget, keptUnits, nativeUnits: null }
  const cause = faults.unreadable(coin)
  return cause === null ? { budget, keptUnits, nativeUnits: treasury.units(coin) } : { cause }
}

function readWallet(
  context: RunContext,
  faults: ActiveFaults,
  from: AssetId,
  kind: RouteKind | undefined,
): WalletRead | Refusal {
  const gas = readFeeCoin(context, faults, from)
  const unread = faults.unreadable(from)
  if (unread !== null) return unreadable(unread)
  if ("cause" in gas) return unreadable(gas.cause)
  const { depositUnits } = gas.budget
  // Nothing returns a deposit of a route.
  const budget = kind === undefined ? gas.budget : { depositUnits, refundUnits: 0n }
  return { ok: true, units: context.treasury.units(from), ...gas, budget }
}

function unreadable(cause: Reason): Refusal {
  return { ok: false, reasons: [{ ...cause, code: "funds.unreadable", cause: cause.code }] }
}

/**
 * One solver fills all orders, and it has no id that a configuration knows: `guards.solvers` has no
 * effect here, and neither have fees of partners.
 */
function settingsOf({ subject: { assets, settings } }: RunContext): JudgePort["settings"] {
  const { solvers: _, ...limits } = settings.limits
  return {
    ...settings,
    limits,
    assets: new Map(assets.map((asset) => [asset.id, asset])),
    priceToleranceBps: settings.priceToleranceBps ?? 0n,
    affiliateFees: [],
  }
}

/**
 * The offer with its reference prices. The daemon accepts a rule's order without an offer while a
 * price is missing, and sends nothing before it has one; here the missing price refuses the order.
 */
function toOffer(
  context: RunContext,
  faults: ActiveFaults,
  quote: PricedOffer["quote"],
): PricedOffer {
  const { from, to } = quote
  const coin = configuredCoin(context, from)
  const native = feeCoinAmong(context.subject.settings.limits, coin)
  const side = (id: AssetId): ReferenceSide => priceOf(context, faults, id)
  const reference: Reference = {
    from: side(from),
    to: side(to),
    peg: context.subject.findPeg?.(from, to) ?? null,
    native:
      native === null
        ? null
        : { asset: native.id, decimals: native.decimals, price: side(native.id) },
  }
  const coinFiat = (one: typeof coin): bigint | null => (one === null ? null : fiatOf(side(one.id)))
  const prices = {
    from: fiatOf(reference.from),
    to: fiatOf(reference.to),
    native: coinFiat(coin),
    ...(quote.kind === undefined ? {} : { payoutCoin: coinFiat(configuredCoin(context, to)) }),
  }
  const service = quote.kind ?? serviceOf(context.subject)
  return { quote, service, reference, payoutFeeUnits: 0n, considered: [], refusals: [], prices }
}

/**
 * A configured price source returns the price of the market. Without a source, the guards only have
 * the values of the quote.
 */
function priceOf(
  { subject, treasury }: RunContext,
  faults: ActiveFaults,
  id: AssetId,
): ReferenceSide {
  if (!subject.priced.has(id)) return null
  const missing = faults.unpriced(id)
  return missing === null
    ? { fiat: treasury.priceFiat(id), sources: 1 }
    : { missing: missing.message, cause: missing.code }
}

function fiatOf(side: ReferenceSide): bigint | null {
  return side === null || "missing" in side ? null : side.fiat
}
