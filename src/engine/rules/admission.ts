import { type AssetId, chainOf } from "#domain/asset.ts"
import { isNativeAsset } from "#domain/native-coin.ts"
import type { FeeBudget } from "#domain/order.ts"
import type { Reason } from "#domain/reason.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import { AGENT_DAY_MS, admitAgent } from "#guards/admit-agent.ts"
import { judgeAffiliateFees } from "#guards/affiliate.ts"
import { admitValue } from "#guards/limits.ts"
import { findMissingReference } from "#guards/price.ts"
import { AppError } from "#lib/app-error.ts"
import { nearestName } from "#lib/nearest-name.ts"
import type { OrderInput } from "#order/data.ts"
import type { ChainGas } from "#policy/planner/limits.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { NewDecision, Occurrence } from "#ports/journal/decisions.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { OrderSums } from "#ports/journal/order-sums.ts"
import type { RequestKey } from "#ports/journal/request-keys.ts"
import type { Reservations } from "#ports/journal/reservations.ts"
import {
  accountPrefix,
  type Clocked,
  type Configured,
  type HasChains,
  type HasJournal,
  type HasServices,
  type Logged,
  type Naming,
  nativeAssetOf,
  type OfferContext,
  type Remembering,
  type Stoppable,
} from "../context.ts"
import { reasonOf } from "../orders/observe/job.ts"
import { readRedeemReserve } from "../orders/pay/redeem-reserve.ts"
import { acceptOrder, applyEvent } from "../orders/stepper.ts"
import { findMissingSpace } from "../watches/journal-space.ts"
import { findStops } from "../watches/pause.ts"
import {
  type CommitPort,
  type JudgedRequest,
  type JudgePort,
  judge,
  type PricedOffer,
  policyOf,
  type Refusal,
  type RequestRead,
  readForRequest,
  readUnblocked,
  toGas,
  type WalletRead,
  withOffered,
} from "./decide/judge.ts"
import { runSteps } from "./decide/steps.ts"
import { readLimitTime } from "./limit-clock.ts"
import {
  acceptOffer,
  countWith,
  judgeRoute,
  NO_QUOTE,
  type Offer,
  readOffer,
  readOfferPrices,
  valueOffer,
} from "./offer.ts"
import { readUsage } from "./usage.ts"

export type SwapRequest = JudgedRequest & {
  readonly occurrence: Occurrence | null
  /** The decisions that the order follows from. The journal writes them together with the order. */
  readonly decisions?: (orderId: string) => readonly NewDecision[]
  /** The key of a request from outside. The journal writes it together with the order. */
  readonly requestKey?: RequestKey | null
  /** The caller of a request from outside. */
  readonly askedBy?: string
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
export async function admitSwap(
  context: HasJournal & Stoppable & Naming & Remembering & OfferContext,
  request: SwapRequest,
): Promise<Admission> {
  const port = judgePortOf(context)
  const read = await runSteps(readUnblocked(port, request))
  if (!read.ok) return read
  const offered = withOffered(request, read.offer)
  const reasons = [
    ...judge(port, offered, read),
    ...judgeAgent(context, offered, read.offer),
    ...findMissingSpace(context),
  ]
  return reasons.length > 0 ? { ok: false, reasons } : open(context, offered, read)
}

/**
 * The reasons with which `admitSwap` would refuse now, observe mode and pauses included. Writes
 * nothing.
 */
export async function judgeSwap(
  context: HasJournal<FlagStore & OrderSums & Reservations> &
    Stoppable &
    Remembering &
    OfferContext,
  request: SwapRequest,
): Promise<readonly Reason[]> {
  const port = judgePortOf(context)
  const read = await runSteps(readForRequest(port, request))
  if (read.ok) {
    const offered = withOffered(request, read.offer)
    return [...judge(port, offered, read), ...judgeAgent(context, offered, read.offer)]
  }
  return [...findBlocks(context, request), ...read.reasons]
}

/** Counting is synchronous with the write of the order, as in `judge`. */
function judgeAgent(
  context: HasJournal<FlagStore & OrderSums> & OfferContext,
  { agent, rule, from, to }: SwapRequest,
  offer: Offer | null,
): Reason[] {
  if (agent === undefined) return []
  const sinceMs = readLimitTime(context.journal, context.clock.now()) - AGENT_DAY_MS
  const fiat = offer === null ? null : valueOffer(context, offer).sourceFiat
  return admitAgent({ from, to, fiat }, context.journal.sumRule(rule, sinceMs), agent)
}

/** The judgement's reads, from the journal, the nodes and the services. */
function judgePortOf(
  context: HasJournal<FlagStore & OrderSums & Reservations> &
    Stoppable &
    Remembering &
    OfferContext,
): JudgePort {
  const { journal, clock, memory } = context
  return {
    ...commitPortOf(context),
    journal,
    clock,
    memory,
    // A reload may replace them while the reads wait.
    get settings() {
      return context.settings
    },
    findBlocks: (request) => findBlocks(context, request),
    paysUs: (request) => {
      const wallet = context.chains.get(chainOf(request.to))
      return wallet?.sameAddress(owners(context, request).destinationOwner, wallet.account) === true
    },
    countWith: (service) => countWith(context, service),
    judgeRoute: (offer) => judgeRoute(context, offer, null),
    readOffer: (request) => readOfferInTime(context, request),
    readWallet: (from, kind) => readWallet(context, from, kind),
  }
}

function commitPortOf(
  context: HasJournal<FlagStore & OrderSums> & HasChains & Configured,
): CommitPort {
  return {
    journal: context.journal,
    coinOf: (chain) => nativeAssetOf(context, chain),
    isNative: (id) => {
      const asset = context.settings.assets.get(id)
      const chain = context.chains.get(chainOf(id))
      return (
        asset !== undefined && chain !== undefined && isNativeAsset(asset, chain.traits.nativeCoin)
      )
    },
  }
}

function open(
  context: HasJournal &
    HasServices &
    HasChains &
    Configured &
    Clocked &
    Logged &
    Naming &
    Remembering,
  request: SwapRequest,
  { offer, funds }: RequestRead,
): Admission {
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
  context: HasJournal<OrderSums> & HasChains & Configured & Clocked & Naming,
  request: SwapRequest,
  feeBudget: FeeBudget | null,
): OrderInput {
  const { from, to, sourceUnits, exactOut, rule, secondRule = null } = request
  const exactly = exactOut === undefined ? {} : { exactOut }
  return {
    id: context.newOrderId(),
    rule,
    ...(secondRule === null ? {} : { secondRule }),
    occurrence: request.occurrence?.id ?? null,
    ...(request.askedBy === undefined ? {} : { askedBy: request.askedBy }),
    request: { from, to, sourceUnits, ...exactly, ...owners(context, request) },
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
export function findRefusals(
  context: HasJournal<FlagStore> & HasChains & Configured & Clocked & Logged & Stoppable,
  request: JudgedRequest,
): Reason[] {
  return findBlocks(context, request).filter(({ code }) => code !== "mode.observe")
}

function findBlocks(
  context: HasJournal<FlagStore> & HasChains & Configured & Clocked & Logged & Stoppable,
  { rule, from, to, destination = null }: JudgedRequest,
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
  if (chains.get(chainOf(from))?.isWatchOnly === true)
    reasons.push({
      code: "wallet.watch_only",
      message: `Ballast has no key of the wallet on ${chainOf(from)}, so it sells nothing there`,
      asset: from,
    })
  if (reasons.length === 0 && settings.destinationFor(to, destination) === null) {
    const found = destination ?? "our own wallet"
    const message = `guards.destinations does not let ${to} be paid to ${found}`
    reasons.push({ code: "request.destination", message, asset: to, found })
  }
  const scope = { rules: [rule], chain: chainOf(from) }
  return [...reasons, ...findStops(context, scope, "new orders are refused")]
}

/**
 * The longest wait for the service's quote. After it the order is accepted without a quote, and
 * asks for one by itself.
 */
const QUOTE_WAIT_MS = 8_000

async function readOfferInTime(
  context: HasJournal<FlagStore & OrderSums> & Remembering & OfferContext,
  request: JudgedRequest,
): ReturnType<typeof readPricedOffer> {
  const answered = new AbortController()
  const late = context.clock
    .sleep(QUOTE_WAIT_MS, answered.signal)
    .then(() => ({ ok: true, offer: null }) as const)
  try {
    return await Promise.race([readPricedOffer(context, request), late])
  } finally {
    answered.abort("answered")
  }
}

/**
 * Reads the offer with its prices. Without a quote or a reference price a request by hand is
 * refused immediately; a rule's order is accepted (`offer: null`) and asks again for a while.
 */
async function readPricedOffer(
  context: HasJournal<FlagStore & OrderSums> & Remembering & OfferContext,
  request: JudgedRequest,
): Promise<{ ok: true; offer: PricedOffer | null } | Refusal> {
  const { rule, from, to, sourceUnits, exactOut } = request
  const exactly = exactOut === undefined ? {} : { exactOut }
  if ((exactOut?.units ?? sourceUnits) <= 0n) return { ok: true, offer: null }
  const { affiliateFees } = context.settings
  const { destinationOwner } = owners(context, request)
  // The network fees are not known yet; the decision itself counts them.
  const judgeValue = (offer: Offer): Reason[] => {
    const usage = readUsage(context, { from, to, rule, exceptOrder: null })
    return [
      ...judgeRoute(context, offer, null),
      ...admitValue(valueOffer(context, offer), usage, context.settings.limits),
    ]
  }
  const refuseOrWait = (reasons: readonly Reason[]): { ok: true; offer: null } | Refusal =>
    rule === "manual" ? { ok: false, reasons } : { ok: true, offer: null }
  try {
    const offer = await readOffer(
      context,
      { from, to, sourceUnits, affiliateFees, destinationOwner, ...exactly },
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

async function readWallet(
  context: HasJournal<OrderSums & Reservations> & HasChains & Configured,
  from: AssetId,
  kind?: RouteKind,
): Promise<WalletRead | Refusal> {
  const chain = context.chains.get(chainOf(from))
  const asset = context.settings.assets.get(from)
  if (!chain || !asset) return { ok: false, reasons: [] }
  const reserved = context.journal.listReserved(accountPrefix(chain))
  const coin = nativeAssetOf(context, asset.chain)?.id ?? null
  const isNative = isNativeAsset(asset, chain.traits.nativeCoin)
  try {
    // They begin together, so they are one request.
    const [{ units }, budget, keptUnits, nativeUnits] = await Promise.all([
      chain.fetchBalance(from, reserved),
      chain.estimateFees(from, kind),
      readKept(context, chain),
      isNative ? null : readNative(context, chain, coin, reserved),
    ])
    return { ok: true, units, budget, keptUnits, nativeUnits }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return {
      ok: false,
      reasons: [{ ...reasonOf(error), code: "funds.unreadable", cause: error.code }],
    }
  }
}

/**
 * The fees of one order from the asset's chain, and the coins that are left for them; `null`
 * without a readable coin.
 */
export async function readGas(
  context: HasJournal<FlagStore & OrderSums & Reservations> & HasChains & Configured,
  from: AssetId,
): Promise<ChainGas | null> {
  const chain = context.chains.get(chainOf(from))
  const asset = context.settings.assets.get(from)
  if (!chain || !asset) return null
  const port = commitPortOf(context)
  const budget = await chain.estimateFees(from)
  if (port.isNative(from)) return toGas(port, from, { budget, keptUnits: 0n, nativeUnits: null })
  const coin = nativeAssetOf(context, asset.chain)?.id ?? null
  const [nativeUnits, keptUnits] = await Promise.all([
    readNative(context, chain, coin, context.journal.listReserved(accountPrefix(chain))),
    readKept(context, chain),
  ])
  return toGas(port, from, { budget, keptUnits, nativeUnits })
}

/**
 * The coin that stays on the chain beside the fees of deposits and refunds: the configured minimum,
 * and the fees of redemptions.
 */
async function readKept(
  context: HasJournal<OrderSums> & Configured,
  chain: ChainPort,
): Promise<bigint> {
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
  { settings }: Configured,
  chain: ChainPort,
  native: AssetId | null,
  reserved: ReadonlySet<string>,
): Promise<bigint | null> {
  if (native !== null) return (await chain.fetchBalance(native, reserved)).spendableUnits
  if (!settings.minNative.has(chain.chain)) return null
  if (chain.native) return chain.native.fetchNativeBalance()
  const message = `The native balance on ${chain.chain} cannot be read; make it a configured asset`
  throw new AppError({ code: "funds.unreadable", disposition: "hold", message })
}

function owners(
  context: HasChains & Configured,
  { from, to, destination = null }: JudgedRequest,
): { sourceOwner: string; destinationOwner: string } {
  return {
    sourceOwner: context.chains.get(chainOf(from))?.account ?? "",
    destinationOwner: context.settings.destinationFor(to, destination) ?? "",
  }
}
