import { type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import { isNativeAsset } from "#domain/native-coin.ts"
import type { DepositWay, FeeBudget, OrderPolicy } from "#domain/order.ts"
import type { Reason } from "#domain/reason.ts"
import { judgeAffiliateFees } from "#guards/affiliate.ts"
import { admitFunds, admitRequest, admitValue, type FundsView } from "#guards/limits.ts"
import { withNetworkFees } from "#guards/order-value.ts"
import { findMissingReference } from "#guards/price.ts"
import { AppError } from "#lib/app-error.ts"
import { nearestName } from "#lib/nearest-name.ts"
import type { OrderInput, QuotePrices } from "#order/data.ts"
import { ruleCosts } from "#policy/rule-costs.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { NewDecision, Occurrence, RequestKey } from "#ports/journal.ts"
import { accountPrefix, type EngineContext, nativeAssetOf } from "../context.ts"
import { reasonOf } from "../orders/observe/job.ts"
import { judgeServiceSecret } from "../orders/pay/own-secret.ts"
import { readRedeemReserve } from "../orders/pay/redeem-reserve.ts"
import { sumOpening } from "../orders/pay/stored-opening.ts"
import { acceptOrder, applyEvent } from "../orders/stepper.ts"
import { findMissingSpace } from "../watches/journal-space.ts"
import { isPausedNow, pausedReason } from "../watches/pause.ts"
import {
  acceptOffer,
  judgeOffer,
  judgeService,
  NO_QUOTE,
  type Offer,
  ownCostOf,
  readOffer,
  readOfferPrices,
  valueOffer,
} from "./offer.ts"
import { readRisk } from "./read-risk.ts"
import { readUsage } from "./usage.ts"

export type SwapRequest = {
  readonly rule: string
  /** The other rule that the order serves: it counts for both. */
  readonly secondRule?: string | null
  readonly occurrence: Occurrence | null
  readonly from: AssetId
  readonly to: AssetId
  readonly sourceUnits: bigint
  /** Replaces the chain's configured way to deposit. */
  readonly way?: DepositWay
  /**
   * An address outside the treasury, which `guards.destinations` must list; `null` for our own
   * wallet.
   */
  readonly destination?: string | null
  /** The limits beside the general one. Absent: the limit that `rule` has in the configuration. */
  readonly costs?: Pick<OrderPolicy, "ruleMaxCost" | "alsoMaxCosts">
  /**
   * Refuse the request when there is no quote. Without this the order is accepted and asks for a
   * quote by itself.
   */
  readonly needsQuote?: boolean
  /** The decisions that the order follows from. The journal writes them together with the order. */
  readonly decisions?: (orderId: string) => readonly NewDecision[]
  /** The key of a request from outside. The journal writes it together with the order. */
  readonly requestKey?: RequestKey | null
}

export type Admission =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly reasons: readonly Reason[] }

/**
 * Judges a swap. An admitted swap is in the journal as an order, with its budget, before this
 * returns.
 *
 * All reads come first. The decision and the write then happen in one synchronous step, so two
 * requests of the same moment cannot both take the last free in-flight slot. An unreachable service
 * does not stop an order from being accepted.
 */
export async function admitSwap(context: EngineContext, request: SwapRequest): Promise<Admission> {
  const blocked = findBlocks(context, request)
  if (blocked.length > 0) return { ok: false, reasons: blocked }
  const read = await readForRequest(context, request)
  if (!read.ok) return read
  const reasons = [...judge(context, request, read), ...findMissingSpace(context)]
  return reasons.length > 0 ? { ok: false, reasons } : open(context, request, read)
}

/**
 * The reasons with which `admitSwap` would refuse now, observe mode and pauses included. Writes
 * nothing.
 */
export async function judgeSwap(
  context: EngineContext,
  request: SwapRequest,
): Promise<readonly Reason[]> {
  const read = await readForRequest(context, request)
  if (read.ok) return judge(context, request, read)
  const blocked = findBlocks(context, request)
  return [...blocked, ...read.reasons]
}

type Read = { readonly offer: PricedOffer | null; readonly funds: Funds }
type PricedOffer = Offer & { readonly prices: QuotePrices }
type Refusal = { readonly ok: false; readonly reasons: readonly Reason[] }

async function readForRequest(
  context: EngineContext,
  request: SwapRequest,
): Promise<({ ok: true } & Read) | Refusal> {
  const quoted = await readOfferInTime(context, request)
  if (!quoted.ok) return quoted
  if (quoted.offer === null && request.needsQuote === true)
    return { ok: false, reasons: [NO_QUOTE] }
  const funds = await readFunds(context, request)
  return funds.ok ? { ok: true, offer: quoted.offer, funds } : funds
}

function judge(context: EngineContext, request: SwapRequest, { offer, funds }: Read): Reason[] {
  const { from, to, sourceUnits, rule, secondRule = null } = request
  const { limits } = context.settings
  const usage = readUsage(context, { from, to, rule, secondRule, exceptOrder: null })
  const requested = admitRequest(
    { from, to, rule, sourceUnits, nowMs: context.clock.now() },
    usage,
    limits,
  )
  return [
    ...findBlocks(context, request),
    ...requested,
    ...(offer === null ? [] : judgeCost(offer)),
    ...(offer === null || offer.refusals.length > 0 ? [] : judgeLimits(offer)),
    ...admitFunds(sourceUnits, {
      ...funds.view,
      ...largest(funds.view, readCommitted(context, from)),
    }),
  ]

  function judgeLimits(known: Offer): Reason[] {
    const value = withNetworkFees(valueOffer(context, known), funds.budget)
    const reasons = [...judgeService(context, known), ...admitValue(value, usage, limits)]
    // Without a setting of its own, the limit for secrets of the service is `guards.max_order`: one
    // reason is enough.
    const isTooLarge = [...requested, ...reasons].some(({ code }) => code === "limit.order")
    return isTooLarge ? reasons : [...reasons, ...judgeSecret(known)]
  }

  function judgeSecret(known: Offer): readonly Reason[] {
    const wallet = context.chains.get(chainOf(to))
    const { destinationOwner } = owners(context, request)
    const isOurs = wallet?.sameAddress(destinationOwner, wallet.account) === true
    const fiat = valueOffer(context, known).sourceFiat
    return judgeServiceSecret(context.settings.ownSecrets, {
      service: known.service,
      from,
      to,
      units: sourceUnits,
      fiat,
      isOurs,
    })
  }

  function judgeCost(known: PricedOffer): readonly Reason[] {
    const policy = policyOf(context, request)
    const own = ownCostOf(context, from, {
      policy,
      feeBudget: funds.budget,
      nativeFiat: known.prices.native,
    })
    const { refusals, missing } = judgeOffer(context, known, policy, own)
    return [...refusals, ...missing]
  }
}

function policyOf(
  context: EngineContext,
  { from, to, rule, costs, way }: SwapRequest,
): OrderPolicy {
  const configured = context.settings.policyFor(from, to)
  const limits = costs ?? ruleCosts(context.settings.rules, { rules: [rule] })
  const risk = readRisk(context, { from, to }, configured)
  return {
    ...configured,
    ...limits,
    risk,
    way: way ?? configured.way,
    affiliateFees: context.settings.affiliateFees,
  }
}

function open(context: EngineContext, request: SwapRequest, { offer, funds }: Read): Admission {
  const input = draftOrder(context, request, funds.budget)
  const { id } = input
  acceptOrder(context, input, request.occurrence, {
    decisions: request.decisions?.(id) ?? [],
    requestKey: request.requestKey ?? null,
  })
  // A crash before this second step loses only the quote: the order then asks for one by itself.
  if (offer !== null) {
    const value = valueOffer(context, offer)
    applyEvent(context, id, { event: { ...acceptOffer(offer), value, prices: offer.prices } }, null)
  }
  return { ok: true, id }
}

/** A new order for the request, without a judgement of it. Writes nothing. */
export function draftOrder(
  context: EngineContext,
  request: SwapRequest,
  feeBudget: FeeBudget | null,
): OrderInput {
  const { from, to, sourceUnits, rule, secondRule = null } = request
  return {
    id: context.newOrderId(),
    rule,
    ...(secondRule === null ? {} : { secondRule }),
    occurrence: request.occurrence?.id ?? null,
    request: { from, to, sourceUnits, ...owners(context, request) },
    policy: policyOf(context, request),
    feeBudget,
    createdAt: context.clock.now(),
    nonce: context.newNonce(),
  }
}

/**
 * Reasons that need no market data: configuration, mode and pauses. The planner asks for them too,
 * and leaves out the mode.
 */
export function findRefusals(context: EngineContext, request: SwapRequest): Reason[] {
  return findBlocks(context, request).filter(({ code }) => code !== "mode.observe")
}

function findBlocks(
  context: EngineContext,
  { rule, from, to, destination = null }: SwapRequest,
): Reason[] {
  const { settings, chains } = context
  const reasons: Reason[] = []
  for (const asset of [from, to]) {
    if (!settings.assets.has(asset) || !chains.has(chainOf(asset))) {
      const near = nearestName(asset, [...settings.assets.keys()])
      const hint = near === null ? "" : `; did you mean ${near}?`
      reasons.push({
        code: "request.unknown_asset",
        message: `${asset} is not a configured asset${hint}`,
        asset,
      })
    }
  }
  reasons.push(
    ...judgeAffiliateFees(
      settings.affiliateFees,
      ({ asset, address }) => chains.get(chainOf(asset))?.isAddress(address) ?? null,
    ),
  )
  if (from === to)
    reasons.push({
      code: "request.same_asset",
      message: "Source and destination are the same asset",
      asset: from,
    })
  if (reasons.length === 0 && settings.destinationFor(to, destination) === null) {
    const found = destination ?? "our own wallet"
    const message = `guards.destinations does not let ${to} be paid to ${found}`
    reasons.push({ code: "request.destination", message, asset: to, found })
  }
  if (settings.mode === "observe")
    reasons.push({
      code: "mode.observe",
      message: "Observe mode: nothing is signed; set mode: live",
    })
  if (isPausedNow(context, rule, from))
    reasons.push(pausedReason(context, "new orders are refused"))
  return reasons
}

/**
 * The longest wait for the service's quote. After it the order is accepted without a quote, and
 * asks for one by itself.
 */
const QUOTE_WAIT_MS = 8_000

async function readOfferInTime(
  context: EngineContext,
  request: SwapRequest,
): ReturnType<typeof readPricedOffer> {
  const answered = new AbortController()
  const late = context.clock
    .sleep(QUOTE_WAIT_MS, answered.signal)
    .then(() => ({ ok: true, offer: null }) as const)
  try {
    return await Promise.race([readPricedOffer(context, request), late])
  } finally {
    answered.abort()
  }
}

/**
 * Reads the offer with its prices. Without a quote or a reference price a request by hand is
 * refused immediately; a rule's order is accepted (`offer: null`) and asks again for a while.
 */
async function readPricedOffer(
  context: EngineContext,
  request: SwapRequest,
): Promise<{ ok: true; offer: PricedOffer | null } | Refusal> {
  const { rule, from, to, sourceUnits } = request
  if (sourceUnits <= 0n) return { ok: true, offer: null }
  const { affiliateFees } = context.settings
  // The network fees are not known yet; the decision itself counts them.
  const judgeValue = (offer: Offer): Reason[] => {
    const usage = readUsage(context, { from, to, rule, exceptOrder: null })
    return admitValue(valueOffer(context, offer), usage, context.settings.limits)
  }
  const refuseOrWait = (reasons: readonly Reason[]): { ok: true; offer: null } | Refusal =>
    rule === "manual" ? { ok: false, reasons } : { ok: true, offer: null }
  try {
    const offer = await readOffer(
      context,
      { from, to, sourceUnits, affiliateFees },
      policyOf(context, request),
      judgeValue,
    )
    if (offer === null) return refuseOrWait([NO_QUOTE])
    const missing = findMissingReference(offer.quote, offer.reference)
    const prices = await readOfferPrices(context, offer)
    return missing.length > 0 ? refuseOrWait(missing) : { ok: true, offer: { ...offer, prices } }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.disposition === "refused" || error.disposition === "hold")
      return { ok: false, reasons: [reasonOf(error)] }
    context.log.warn({ err: error }, "The service gives no quote now; the order will ask again")
    return { ok: true, offer: null }
  }
}

type Funds = { readonly view: FundsView; readonly budget: FeeBudget }
type Committed = Pick<FundsView, "committedUnits" | "committedFeeUnits" | "committedNativeUnits">

async function readFunds(
  context: EngineContext,
  { from }: SwapRequest,
): Promise<({ ok: true } & Funds) | Refusal> {
  const chain = context.chains.get(chainOf(from))
  const asset = context.settings.assets.get(from)
  if (!chain || !asset) return { ok: false, reasons: [] }
  const committed = readCommitted(context, from)
  const reserved = context.journal.listReserved(accountPrefix(chain))
  const native = nativeAssetOf(context, asset.chain)?.id ?? null
  const sourceIsNative = isNativeAsset(asset, chain.traits.nativeCoin)
  try {
    const [balance, budget, keptUnits] = await Promise.all([
      chain.fetchBalance(from, reserved),
      chain.estimateFees(from),
      readKept(context, chain),
    ])
    const nativeUnits = sourceIsNative ? null : await readNative(context, chain, native, reserved)
    const feeUnits = budget.depositUnits + budget.refundUnits + keptUnits
    // Orders that reserve outpoints also count as committed, so the whole balance is the right
    // base.
    const spendableUnits = balance.units
    return {
      ok: true,
      budget,
      view: { spendableUnits, ...committed, feeUnits, nativeUnits, sourceIsNative },
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return {
      ok: false,
      reasons: [{ ...reasonOf(error), code: "funds.unreadable", cause: error.code }],
    }
  }
}

/**
 * The network fees that one order from the asset's chain keeps back, and the native units that are
 * left for them beside accepted orders; the counts are those of `admitFunds`.
 */
export async function readGas(
  context: EngineContext,
  from: AssetId,
): Promise<{
  chain: ChainId
  coin: AssetId | null
  perOrderUnits: bigint
  leftUnits: bigint | null
} | null> {
  const chain = context.chains.get(chainOf(from))
  const asset = context.settings.assets.get(from)
  if (!chain || !asset) return null
  const coin = nativeAssetOf(context, asset.chain)?.id ?? null
  const { depositUnits, refundUnits } = await chain.estimateFees(from)
  const perOrderUnits = depositUnits + refundUnits
  if (isNativeAsset(asset, chain.traits.nativeCoin))
    return { chain: asset.chain, coin, perOrderUnits, leftUnits: null }
  const [nativeUnits, keptUnits] = await Promise.all([
    readNative(context, chain, coin, context.journal.listReserved(accountPrefix(chain))),
    readKept(context, chain),
  ])
  if (nativeUnits === null) return null
  const { committedFeeUnits, committedNativeUnits } = readCommitted(context, from)
  const leftUnits = nativeUnits - committedFeeUnits - committedNativeUnits - keptUnits
  return { chain: asset.chain, coin, perOrderUnits, leftUnits }
}

/**
 * The coin that stays on the chain beside the fees of deposits and refunds: the configured minimum,
 * and the fees of redemptions.
 */
async function readKept(context: EngineContext, chain: ChainPort): Promise<bigint> {
  return (
    (context.settings.minNative.get(chain.chain) ?? 0n) + (await readRedeemReserve(context, chain))
  )
}

/**
 * The balance of the chain's own coin. `null` when the coin is not a configured asset and no
 * minimum of it must stay: then a relay may pay all fees, and the check of the plan protects the
 * wallet.
 */
async function readNative(
  { settings }: EngineContext,
  chain: ChainPort,
  native: AssetId | null,
  reserved: ReadonlySet<string>,
): Promise<bigint | null> {
  if (native !== null) return (await chain.fetchBalance(native, reserved)).spendableUnits
  if (!settings.minNative.has(chain.chain)) return null
  if (chain.fetchNativeBalance) return chain.fetchNativeBalance()
  const message = `The native balance on ${chain.chain} cannot be read; make it a configured asset`
  throw new AppError({ code: "funds.unreadable", disposition: "hold", message })
}

/** The units that accepted orders have yet to spend, by the journal. */
function readCommitted(context: EngineContext, from: AssetId): Committed {
  const { journal } = context
  const native = nativeAssetOf(context, chainOf(from))?.id ?? null
  return {
    committedUnits: journal.sumCommitted(from, null),
    committedFeeUnits:
      journal.sumReservedFees(chainOf(from), null) + sumOpening(journal, chainOf(from)),
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

function owners(
  context: EngineContext,
  { from, to, destination = null }: SwapRequest,
): { sourceOwner: string; destinationOwner: string } {
  return {
    sourceOwner: context.chains.get(chainOf(from))?.account ?? "",
    destinationOwner: context.settings.destinationFor(to, destination) ?? "",
  }
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
