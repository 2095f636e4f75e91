import type { ChainPort } from "#chains/port.ts"
import { sumBps } from "#domain/affiliate-fee.ts"
import { type AssetId, chainOf } from "#domain/asset.ts"
import { isNativeAsset } from "#domain/native-coin.ts"
import type { CostLimit, DepositWay, FeeBudget, OrderPolicy } from "#domain/order.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import { judgeAffiliateFees } from "#guards/affiliate.ts"
import { admitFunds, admitRequest, admitValue, type FundsView } from "#guards/limits.ts"
import { withNetworkFees } from "#guards/order-value.ts"
import { type CostPolicy, findMissingReference, judgePrice, type Reference } from "#guards/price.ts"
import type { NewDecision, Occurrence } from "#journal/port.ts"
import { AppError } from "#lib/app-error.ts"
import type { QuotePrices } from "#order/data.ts"
import { accountPrefix, type EngineContext, nativeAssetOf } from "./context.ts"
import { reasonOf } from "./perform/job.ts"
import { judgeByReference, readQuotePrices, readReference, valueByReference } from "./reference.ts"
import { applyEvent, openOrder } from "./stepper.ts"
import { readUsage } from "./usage.ts"

export type SwapRequest = {
  readonly rule: string
  readonly occurrence: Occurrence | null
  readonly from: AssetId
  readonly to: AssetId
  readonly sourceUnits: bigint
  /** Instead of the chain's configured way to deposit. */
  readonly way?: DepositWay
  /** An address outside the treasury, which `guards.destinations` must list; `null` for our own wallet. */
  readonly destination?: string | null
  /** Holds beside the general limit. What the configuration says of `rule` where nothing is given. */
  readonly maxCost?: CostLimit | null
  /** Without a quote there is no order: otherwise it would be accepted and ask again by itself. */
  readonly needsQuote?: boolean
  /** The decisions that the order follows from, written down with it. */
  readonly decisions?: (orderId: string) => readonly NewDecision[]
}

export type Admission =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly reasons: readonly Reason[] }

/**
 * May this swap be made? If so it is written down as an order, with its budget, before this returns.
 *
 * What can be read is read first; the decision and the write then happen without a pause in between, so that two requests of the
 * same moment cannot both take the last free place. A service that cannot be reached does not stop an order from being accepted.
 */
export async function admitSwap(context: EngineContext, request: SwapRequest): Promise<Admission> {
  const blocked = findBlocks(context, request)
  if (blocked.length > 0) return { ok: false, reasons: blocked }
  const read = await readForRequest(context, request)
  if (!read.ok) return read
  const reasons = judge(context, request, read)
  return reasons.length > 0 ? { ok: false, reasons } : open(context, request, read)
}

/** What `admitSwap` would say now, observe mode and pauses included; nothing is written. */
export async function judgeSwap(context: EngineContext, request: SwapRequest): Promise<readonly Reason[]> {
  const read = await readForRequest(context, request)
  if (read.ok) return judge(context, request, read)
  const blocked = findBlocks(context, request)
  return [...blocked, ...read.reasons]
}

async function readForRequest(
  context: EngineContext,
  request: SwapRequest,
): Promise<({ ok: true } & Read) | { ok: false; reasons: readonly Reason[] }> {
  const quoted = await readQuoteSoon(context, request)
  if (!quoted.ok) return quoted
  if (quoted.offer === null && request.needsQuote === true) return { ok: false, reasons: [NO_QUOTE] }
  const funds = await readFunds(context, request)
  return funds.ok ? { ok: true, offer: quoted.offer, funds } : funds
}

type Read = { readonly offer: Offer | null; readonly funds: Funds }

/** A quote and the reference prices of its moment. */
type Offer = { readonly quote: Quote; readonly reference: Reference; readonly prices: QuotePrices }

function judge(context: EngineContext, request: SwapRequest, { offer, funds }: Read): Reason[] {
  const { from, to, sourceUnits, rule } = request
  const { settings, clock } = context
  const policy = policyOf(context, request)
  const usage = readUsage(context, { from, to, rule, exceptOrder: null })
  const value = offer === null ? null : valueByReference(context, offer.quote, offer.reference)
  return [
    ...findBlocks(context, request),
    ...admitRequest({ from, to, rule, sourceUnits, nowMs: clock.now() }, usage, settings.limits),
    ...(offer === null ? [] : judgeOffer(context, offer, policy)),
    ...(value === null ? [] : admitValue(withNetworkFees(value, funds.budget), usage, settings.limits)),
    ...admitFunds(sourceUnits, { ...funds.view, ...largest(funds.view, readCommitted(context, from)) }),
  ]
}

function policyOf(context: EngineContext, { from, to, rule, maxCost, way }: SwapRequest): OrderPolicy {
  const configured = context.settings.policyFor(from, to)
  const ruleMaxCost = maxCost === undefined ? maxCostOf(context, rule) : maxCost
  return { ...configured, ruleMaxCost, way: way ?? configured.way, affiliateFees: context.settings.affiliateFees }
}

function open(context: EngineContext, request: SwapRequest, { offer, funds }: Read): Admission {
  const { from, to, sourceUnits, rule } = request
  const id = context.newOrderId()
  const input = {
    id,
    rule,
    occurrence: request.occurrence?.id ?? null,
    request: { from, to, sourceUnits, ...owners(context, request) },
    policy: policyOf(context, request),
    feeBudget: funds.budget,
    createdAt: context.clock.now(),
    nonce: context.newNonce(),
  }
  openOrder(context, input, request.occurrence, request.decisions?.(id) ?? [])
  // Without this second step the order would ask for its quote by itself: a crash in between loses nothing but the quote.
  if (offer !== null) {
    const { quote, prices } = offer
    const value = valueByReference(context, quote, offer.reference)
    applyEvent(context, id, { event: { type: "quote.accepted", quote, value, prices } }, null)
  }
  return { ok: true, id }
}

function judgeOffer(context: EngineContext, { quote, reference }: Offer, policy: CostPolicy): Reason[] {
  return [...judgePrice(quote, policy), ...judgeByReference(context, quote, reference, policy)]
}

function maxCostOf({ settings }: EngineContext, rule: string): CostLimit | null {
  return settings.rules.find(({ id }) => id === rule)?.maxCost ?? null
}

function findBlocks(context: EngineContext, { rule, from, to, destination = null }: SwapRequest): Reason[] {
  const { settings, chains } = context
  const reasons: Reason[] = []
  for (const asset of [from, to]) {
    if (!settings.assets.has(asset) || !chains.has(chainOf(asset))) {
      reasons.push({ code: "request.unknown_asset", message: `${asset} is not a configured asset`, asset })
    }
  }
  reasons.push(
    ...judgeAffiliateFees(
      settings.affiliateFees,
      ({ asset, address }) => chains.get(chainOf(asset))?.isAddress(address) ?? null,
    ),
  )
  if (from === to)
    reasons.push({ code: "request.same_asset", message: "Source and destination are the same asset", asset: from })
  if (reasons.length === 0 && settings.destinationFor(to, destination) === null) {
    const found = destination ?? "our own wallet"
    const message = `guards.destinations does not let ${to} be paid to ${found}`
    reasons.push({ code: "request.destination", message, asset: to, found })
  }
  if (settings.mode === "observe")
    reasons.push({ code: "mode.observe", message: "Observe mode: nothing is signed; set mode: live" })
  if (isPaused(context, rule, from))
    reasons.push({ code: "paused", message: "Paused: new orders are refused; `ballast resume` lifts it" })
  return reasons
}

/** Flags `pause`, `pause/chain/<chain>` and `pause/rule/<rule>` in the journal. */
export function isPaused({ journal }: EngineContext, rule: string, from: AssetId | null): boolean {
  const flags = ["pause", `pause/rule/${rule}`, ...(from === null ? [] : [`pause/chain/${chainOf(from)}`])]
  return flags.some((flag) => journal.readFlag(flag) !== null)
}

/** Whoever asks by hand hears at once that nobody quotes, or that a reference price is missing; a rule's order asks again for a while. */
const NO_QUOTE = { code: "quote.none", message: "No solver quotes this pair now" }

/** A service that does not answer must not keep the caller waiting: the order is accepted, and asks again by itself. */
const QUOTE_WAIT_MS = 8_000

async function readQuoteSoon(context: EngineContext, request: SwapRequest): ReturnType<typeof readQuote> {
  const answered = new AbortController()
  const late = context.clock.sleep(QUOTE_WAIT_MS, answered.signal).then(() => ({ ok: true, offer: null }) as const)
  try {
    return await Promise.race([readQuote(context, request), late])
  } finally {
    answered.abort()
  }
}

async function readQuote(
  context: EngineContext,
  { rule, from, to, sourceUnits }: SwapRequest,
): Promise<{ ok: true; offer: Offer | null } | { ok: false; reasons: readonly Reason[] }> {
  if (sourceUnits <= 0n) return { ok: true, offer: null }
  const affiliateBps = sumBps(context.settings.affiliateFees)
  try {
    const [best] = await context.service.fetchQuotes({ from, to, sourceUnits, affiliateBps })
    if (best === undefined && rule === "manual") return { ok: false, reasons: [NO_QUOTE] }
    if (best === undefined) return { ok: true, offer: null }
    const reference = await readReference(context, best)
    const missing = findMissingReference(best, reference)
    const prices = await readQuotePrices(context, best, reference)
    if (missing.length === 0) return { ok: true, offer: { quote: best, reference, prices } }
    return rule === "manual" ? { ok: false, reasons: missing } : { ok: true, offer: null }
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
): Promise<({ ok: true } & Funds) | { ok: false; reasons: readonly Reason[] }> {
  const chain = context.chains.get(chainOf(from))
  const asset = context.settings.assets.get(from)
  if (!chain || !asset) return { ok: false, reasons: [] }
  const committed = readCommitted(context, from)
  const reserved = context.journal.listReserved(accountPrefix(chain))
  const native = nativeAssetOf(context, asset.chain)?.id ?? null
  const sourceIsNative = isNativeAsset(asset, chain.traits.nativeCoin)
  try {
    const [balance, budget] = await Promise.all([chain.fetchBalance(from, reserved), chain.estimateFees(from)])
    const nativeUnits = sourceIsNative ? null : await readNative(context, chain, native, reserved)
    const feeUnits = budget.depositUnits + budget.refundUnits + (context.settings.minNative.get(asset.chain) ?? 0n)
    // Reserved outpoints belong to orders that are also counted as committed, so the whole balance is the base.
    const spendableUnits = balance.units
    return { ok: true, budget, view: { spendableUnits, ...committed, feeUnits, nativeUnits, sourceIsNative } }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ok: false, reasons: [{ ...reasonOf(error), code: "funds.unreadable", cause: error.code }] }
  }
}

/** `null` where the coin is no configured asset and nothing of it must stay: then a relay may pay for everything, and the plan's own check stands. */
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

/** What the journal says is promised already. */
function readCommitted(context: EngineContext, from: AssetId): Committed {
  const { journal } = context
  const native = nativeAssetOf(context, chainOf(from))?.id ?? null
  return {
    committedUnits: journal.sumCommitted(from, null),
    committedFeeUnits: journal.sumReservedFees(chainOf(from), null),
    committedNativeUnits: native === null || native === from ? 0n : journal.sumCommitted(native, null),
  }
}

/** What was promised before the balance was read may have been paid by now; what was promised since was not yet taken from it. */
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
