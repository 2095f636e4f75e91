import type { AgentLimits } from "#domain/agent.ts"
import { max } from "#domain/amount.ts"
import { type Asset, type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import type { DepositWay, FeeBudget, OrderPolicy } from "#domain/order.ts"
import type { ExactOut } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import { wayFor } from "#guards/deposit-way.ts"
import {
  admitFunds,
  admitRequest,
  admitService,
  admitValue,
  type FundsView,
} from "#guards/limits.ts"
import { withNetworkFees } from "#guards/order-value.ts"
import type { QuotePrices } from "#order/data.ts"
import type { Proposal } from "#policy/evaluate.ts"
import type { ChainGas } from "#policy/planner/limits.ts"
import { ruleCosts } from "#policy/rule-costs.ts"
import type { Rule } from "#policy/rules/rule-kind.ts"
import type { Journal } from "#ports/journal.ts"
import type { EngineSettings } from "../../context.ts"
import { judgeServiceSecret } from "../../orders/pay/own-secret.ts"
import { sumOpening } from "../../orders/pay/stored-opening.ts"
import { judgeOffer, NO_QUOTE, type Offer, ownCostOf, valueOffer } from "../offer.ts"
import { type RiskContext, readRisk } from "../read-risk.ts"
import { type CountingContext, readUsage } from "../usage.ts"
import { type Answer, type Steps, wait } from "./steps.ts"

export type JudgedRequest = {
  readonly rule: string
  /** The other rule that the order serves: it counts for both. */
  readonly secondRule?: string | null
  readonly from: AssetId
  readonly to: AssetId
  readonly sourceUnits: bigint
  /** In place of `sourceUnits`, which follows from the offer. */
  readonly exactOut?: ExactOut
  /** Replaces the chain's configured way to deposit. */
  readonly way?: DepositWay
  /**
   * An address outside the treasury, which `guards.destinations` must list; `null` for our own
   * wallet.
   */
  readonly destination?: string | null
  /** The limits beside the general one. Absent: the limit that `rule` has in the configuration. */
  readonly costs?: Pick<OrderPolicy, "ruleMaxCost" | "alsoMaxCosts" | "planned">
  /**
   * Refuse the request when there is no quote. Without this the order is accepted and asks for a
   * quote by itself.
   */
  readonly needsQuote?: boolean
  /** Of a request by an agent, whose rule is the agent. They hold beside all other limits. */
  readonly agent?: AgentLimits
}

/**
 * What the judgement of an order reads. The daemon answers from its journal, nodes and services
 * (`admission.ts`), and a backtest from its own world. Counting is synchronous, so that no write
 * can come between counting and writing.
 */
export type JudgePort = CommitPort &
  RiskContext & {
    readonly journal: CountingContext["journal"]
    readonly clock: CountingContext["clock"]
    readonly settings: CountingContext["settings"] & JudgedSettings
    readonly memory: CountingContext["memory"]
    /** The reasons that need no market: configuration, mode and pauses. */
    readonly findBlocks: (request: JudgedRequest) => readonly Reason[]
    /** The payout goes to our own wallet. */
    readonly paysUs: (request: JudgedRequest) => boolean
    /** The orders in flight with the service. */
    readonly countWith: (service: string) => number
    /** The reasons of the route's own limits. */
    readonly judgeRoute: (offer: Offer) => readonly Reason[]
    /** The offer of the services. `null`: none now, so the order asks for one by itself. */
    readonly readOffer: (
      request: JudgedRequest,
    ) => Answer<{ ok: true; offer: PricedOffer | null } | Refusal>
    /** `kind`: of the offer's route; absent: an HTLC, or no offer. */
    readonly readWallet: (from: AssetId, kind?: RouteKind) => Answer<WalletRead | Refusal>
  }

type JudgedSettings = Pick<
  EngineSettings,
  "assets" | "priceToleranceBps" | "affiliateFees" | "rules" | "policyFor" | "ownSecrets"
>

/** The parts that the sums of accepted orders need. */
export type CommitPort = {
  readonly journal: Pick<Journal, "sumCommitted" | "sumReservedFees" | "readFlag">
  /** The configured asset in which the chain takes its fees; `null` for none. */
  readonly coinOf: (chain: ChainId) => Asset | null
  /** The chain takes its fees in this asset. */
  readonly isNative: (asset: AssetId) => boolean
}

export type PricedOffer = Offer & { readonly prices: QuotePrices }
export type Refusal = { readonly ok: false; readonly reasons: readonly Reason[] }

/** The wallet and the network fees for an order that sells an asset. */
export type WalletRead = GasRead & {
  readonly ok: true
  /** All units of the asset. Orders that reserve outpoints count as committed. */
  readonly units: bigint
}

export type GasRead = {
  readonly budget: FeeBudget
  /** Native units that stay on the chain beside the fees. */
  readonly keptUnits: bigint
  /**
   * `null` where the source is the chain's own coin, and where the balance of the coin is not
   * known.
   */
  readonly nativeUnits: bigint | null
}

/** Everything that was read for a request. */
export type RequestRead = {
  readonly ok: true
  readonly offer: PricedOffer | null
  readonly funds: { readonly view: FundsView; readonly budget: FeeBudget }
}

/** Reads what the judgement of a request needs: first the offer, then the wallet. */
export function* readForRequest(
  port: JudgePort,
  request: JudgedRequest,
): Steps<RequestRead | Refusal> {
  const quoted = yield* wait(port.readOffer(request))
  if (!quoted.ok) return quoted
  if (quoted.offer === null && request.needsQuote === true)
    return { ok: false, reasons: [NO_QUOTE] }
  const committed = readCommitted(port, request.from)
  const read = yield* wait(port.readWallet(request.from, quoted.offer?.quote.kind))
  if (!read.ok) return read
  const { budget, units: spendableUnits, nativeUnits, keptUnits } = read
  const feeUnits = budget.depositUnits + budget.refundUnits + keptUnits
  const sourceIsNative = port.isNative(request.from)
  const view = { spendableUnits, ...committed, feeUnits, nativeUnits, sourceIsNative }
  return { ok: true, offer: quoted.offer, funds: { view, budget } }
}

/** The request with the amount that its offer sells, and never more than that. */
export function withOffered<Request extends JudgedRequest>(
  request: Request,
  offer: Pick<Offer, "quote"> | null,
): Request {
  if (request.exactOut === undefined || offer === null) return request
  const { sourceUnits } = offer.quote
  return { ...request, sourceUnits, exactOut: { ...request.exactOut, mostUnits: sourceUnits } }
}

/**
 * The reads for a request that nothing blocks, or the reasons against it. Nothing is judged by
 * these reads yet.
 */
export function* readUnblocked(
  port: JudgePort,
  request: JudgedRequest,
): Steps<RequestRead | Refusal> {
  const blocked = port.findBlocks(request)
  if (blocked.length > 0) return { ok: false, reasons: blocked }
  return yield* readForRequest(port, request)
}

/**
 * All reasons against the order at this moment; none admits it. The engine and a backtest judge by
 * this one function.
 */
export function judge(
  port: JudgePort,
  request: JudgedRequest,
  { offer, funds }: Omit<RequestRead, "ok">,
): Reason[] {
  const { from, to, sourceUnits, rule, secondRule = null } = request
  const { limits } = port.settings
  const usage = readUsage(port, { from, to, rule, secondRule, exceptOrder: null })
  const requested = admitRequest(
    { from, to, rule, sourceUnits, nowMs: port.clock.now() },
    usage,
    limits,
  )
  return [
    ...port.findBlocks(request),
    ...requested,
    ...(offer === null ? [] : judgeCost(offer)),
    ...(offer === null || offer.refusals.length > 0 ? [] : judgeLimits(offer)),
    ...admitFunds(sourceUnits, {
      ...funds.view,
      ...largest(funds.view, readCommitted(port, from)),
    }),
  ]

  function judgeLimits(known: Offer): Reason[] {
    const value = withNetworkFees(valueOffer(port, known), funds.budget)
    const filler = { service: known.service, solver: known.quote.solverId }
    const reasons = [
      ...admitService(filler, port.countWith(known.service), limits),
      ...port.judgeRoute(known),
      ...admitValue(value, usage, limits),
    ]
    // Without a setting of its own, the limit for secrets of the service is `guards.max_order`: one
    // reason is enough.
    const isTooLarge = [...requested, ...reasons].some(({ code }) => code === "limit.order")
    return isTooLarge ? reasons : [...reasons, ...judgeSecret(known)]
  }

  function judgeSecret(known: Offer): readonly Reason[] {
    return judgeServiceSecret(port.settings.ownSecrets, {
      service: known.service,
      from,
      to,
      units: sourceUnits,
      fiat: valueOffer(port, known).sourceFiat,
      isOurs: port.paysUs(request),
    })
  }

  function judgeCost(known: PricedOffer): readonly Reason[] {
    const policy = policyOf(port, request)
    const own = ownCostOf(port.coinOf, {
      policy,
      feeBudget: funds.budget,
      quote: known.quote,
      prices: known.prices,
    })
    const { refusals, missing } = judgeOffer(port, known, policy, own)
    return [...refusals, ...missing]
  }
}

/**
 * The request of a proposal. It counts for both rules that it serves, and keeps the ceilings of
 * both, and the cost of another kind of route than the planned one.
 */
export function toRequest(rules: readonly Rule[], proposal: Proposal): JudgedRequest {
  const { from, to, destination, units: sourceUnits, kind, costFiat } = proposal
  const [rule = "", secondRule = null] = proposal.rules
  const planned = kind === undefined || costFiat === null ? {} : { planned: { kind, costFiat } }
  const costs = { ...ruleCosts(rules, proposal), ...planned }
  return { rule, secondRule, from, to, destination, sourceUnits, costs }
}

/** The policy that an order for the request keeps. */
export function policyOf(
  { journal, settings }: RiskContext & { readonly settings: JudgedSettings },
  { from, to, rule, costs, way, agent }: JudgedRequest,
): OrderPolicy {
  const configured = settings.policyFor(from, to)
  const limits = costs ?? ruleCosts(settings.rules, { rules: [rule] })
  const risk = readRisk({ journal }, { from, to }, configured)
  return {
    ...configured,
    ...limits,
    risk,
    way: wayFor(way ?? configured.way, settings.assets.get(from)),
    affiliateFees: settings.affiliateFees,
    ...(agent === undefined ? {} : withAgentStep(configured, agent)),
  }
}

/** The stricter of both thresholds holds, and their kinds cannot be compared. */
function withAgentStep(
  { approveSteps = [] }: OrderPolicy,
  { approveAboveFiat: fiat }: AgentLimits,
): Pick<OrderPolicy, "approveSteps"> {
  return { approveSteps: [...approveSteps, { over: { kind: "fiat", fiat }, people: 1 }] }
}

/**
 * The network fees that one order from the asset's chain keeps back, and the native units that are
 * left for them beside accepted orders; the counts are those of `judge`. `null` where the coin is
 * not known.
 */
export function toGas(
  port: CommitPort,
  from: AssetId,
  { budget, keptUnits, nativeUnits }: GasRead,
): ChainGas | null {
  const chain = chainOf(from)
  const perOrderUnits = budget.depositUnits + budget.refundUnits
  const gas = { chain, coin: port.coinOf(chain)?.id ?? null, perOrderUnits }
  if (port.isNative(from)) return { ...gas, leftUnits: null }
  if (nativeUnits === null) return null
  const { committedFeeUnits, committedNativeUnits } = readCommitted(port, from)
  return { ...gas, leftUnits: nativeUnits - committedFeeUnits - committedNativeUnits - keptUnits }
}

type Committed = Pick<FundsView, "committedUnits" | "committedFeeUnits" | "committedNativeUnits">

/** The units that accepted orders have yet to spend, by the journal. */
function readCommitted({ journal, coinOf }: CommitPort, from: AssetId): Committed {
  const chain = chainOf(from)
  const native = coinOf(chain)?.id ?? null
  return {
    committedUnits: journal.sumCommitted(from, null),
    committedFeeUnits: journal.sumReservedFees(chain, null) + sumOpening(journal, chain),
    committedNativeUnits:
      native === null || native === from ? 0n : journal.sumCommitted(native, null),
  }
}

/**
 * Takes the larger of two counts: units committed before the balance was read may have left the
 * wallet by now, and units committed since are still in the balance.
 */
function largest(before: Committed, now: Committed): Committed {
  return {
    committedUnits: max(before.committedUnits, now.committedUnits),
    committedFeeUnits: max(before.committedFeeUnits, now.committedFeeUnits),
    committedNativeUnits: max(before.committedNativeUnits, now.committedNativeUnits),
  }
}
