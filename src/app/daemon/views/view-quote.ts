import type { ChainConfig } from "#chains/chain-config.ts"
import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import { chainOf } from "#domain/asset.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import type { EngineContext } from "#engine/context.ts"
import { reasonOf } from "#engine/orders/observe/job.ts"
import { judgeSwap, type SwapRequest } from "#engine/rules/admission.ts"
import { policyOf, withOffered } from "#engine/rules/decide/judge.ts"
import { judgeRoute, NO_QUOTE, type Offer, readOffer, valueOffer } from "#engine/rules/offer.ts"
import { wayFor } from "#guards/deposit-way.ts"
import { quoteCostBps } from "#guards/price.ts"
import { requiresApproval } from "#guards/requires-approval.ts"
import { formatSpan } from "#health/format-span.ts"
import { AppError } from "#lib/app-error.ts"
import { abilitiesOf } from "#order/kinds/registry.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"

export type QuoteAnswer = AnswerOf<"Quote">

/**
 * Asks services and nodes, and writes nothing. The services get a request for a quote, and none for
 * an order.
 */
export async function readQuote(
  context: EngineContext,
  chains: readonly ChainConfig[],
  request: SwapRequest,
): Promise<QuoteAnswer> {
  const { from, to, exactOut } = request
  const asked = readOfferOrReason(context, request)
  const [quoted, refused, fees] = await Promise.all([
    asked,
    judgeSwap(context, request),
    asked.then(({ offer }) => readFees(context, chains, request, offer)),
  ])
  const { offer, reason } = quoted
  const show = (asset: typeof from, units: bigint): string =>
    formatUnits(units, context.settings.assets.get(asset)?.decimals ?? 0)
  const quote = offer?.quote ?? null
  const sourceUnits = exactOut === undefined ? request.sourceUnits : (quote?.sourceUnits ?? 0n)
  const costBps = quote === null ? null : quoteCostBps(quote)
  const known = new Set(refused.map(({ code }) => code))
  const amount = show(from, sourceUnits)
  return {
    at: new Date(context.clock.now()).toISOString(),
    from,
    to,
    amount,
    receive: quote === null ? null : show(to, quote.destinationUnits),
    service: offer?.service ?? null,
    solver: quote?.solverId || null,
    sendsFiat: showFiat(quote?.sourceFiat),
    receivesFiat: showFiat(quote?.destinationFiat),
    costBps: costBps === null ? null : Number(costBps),
    estimatedSeconds: quote?.estimatedSeconds ?? null,
    fees,
    needsApproval: offer !== null && isForApproval(context, request, offer),
    refused: reason === null || known.has(reason.code) ? refused : [...refused, reason],
    worstCase: describeWorst(context, { ...request, quote }, `${amount} ${from}`, fees),
  }
}

type Quoted = { readonly offer: Offer | null; readonly reason: Reason | null }

async function readOfferOrReason(
  context: EngineContext,
  { from, to, sourceUnits, exactOut, way, destination = null }: SwapRequest,
): Promise<Quoted> {
  const { affiliateFees, policyFor, assets, destinationFor } = context.settings
  const destinationOwner = destinationFor(to, destination) ?? ""
  const exactly = exactOut === undefined ? {} : { exactOut }
  const configured = policyFor(from, to)
  if ((exactOut?.units ?? sourceUnits) <= 0n || !assets.has(from) || !assets.has(to))
    return { offer: null, reason: null }
  try {
    const offer = await readOffer(
      context,
      { from, to, sourceUnits, affiliateFees, destinationOwner, ...exactly },
      { ...configured, way: wayFor(way ?? configured.way, assets.get(from)) },
      (one) => judgeRoute(context, one, null),
    )
    return { offer, reason: offer === null ? NO_QUOTE : null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { offer: null, reason: reasonOf(error) }
  }
}

async function readFees(
  context: EngineContext,
  chains: readonly ChainConfig[],
  { from }: SwapRequest,
  offer: Offer | null,
): Promise<QuoteAnswer["fees"]> {
  const config = chains.find(({ chain }) => chain === chainOf(from))
  const port = context.chains.get(chainOf(from))
  if (config === undefined || port === undefined || !context.settings.assets.has(from)) return null
  try {
    const { depositUnits, refundUnits } = await port.estimateFees(from, offer?.quote.kind)
    const redeem = offer === null ? null : showRedeemFee(chains, offer.quote)
    return {
      deposit: showFee(depositUnits, config),
      refund: showFee(refundUnits, config),
      ...(redeem === null ? {} : { redeem }),
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return null
  }
}

export function showFee(units: bigint, { nativeCoin }: Pick<ChainConfig, "nativeCoin">): string {
  return `${formatUnits(units, nativeCoin.decimals)} ${nativeCoin.symbol}`
}

/** The highest fee of our own redemption; `null` where a service pays out. */
export function showRedeemFee(
  chains: readonly ChainConfig[],
  { to, redeemFeeUnits }: Pick<Quote, "to" | "redeemFeeUnits">,
): string | null {
  const config = chains.find(({ chain }) => chain === chainOf(to))
  return config === undefined || redeemFeeUnits === undefined
    ? null
    : showFee(redeemFeeUnits, config)
}

function isForApproval(context: EngineContext, request: SwapRequest, offer: Offer): boolean {
  return requiresApproval({
    policy: policyOf(context, request),
    request: withOffered(request, offer),
    value: valueOffer(context, offer),
    quote: offer.quote,
  })
}

function describeWorst(
  context: EngineContext,
  { from, to, quote }: SwapRequest & { readonly quote: Quote | null },
  amount: string,
  fees: QuoteAnswer["fees"],
): readonly string[] {
  const { settings } = context
  if (!settings.assets.has(from) || !settings.assets.has(to)) return []
  if (!abilitiesOf({ quote }).refund) return [describeIssuerSilence(amount)]
  const { max, secondsPerUnit } = settings.policyFor(from, to).timelocks.source
  const longest = formatSpan(Number(max) * secondsPerUnit * 1_000)
  const cost =
    fees === null ? "" : `; network fees are then at most ${fees.deposit} and ${fees.refund}`
  return [
    `No solver fills the order: ${amount} stay locked, for ${longest} at the longest, and ` +
      `come back by a refund${cost}.`,
    "Service and solver act together: they can take the deposit without a payout.",
  ]
}

/** The worst case of a deposit that its issuer alone pays out: `amount` with its asset. */
export function describeIssuerSilence(amount: string): string {
  return (
    `The issuer gives no evidence of the deposit: ${amount} stay with it until it does. ` +
    "Nothing else pays them out, and nothing returns them."
  )
}

function showFiat(fiat: bigint | null | undefined): string | null {
  return fiat == null ? null : formatUnits(fiat, FIAT_DECIMALS)
}
