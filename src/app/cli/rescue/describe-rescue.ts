import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import type { RedeemRecipe, RefundRecipe } from "#chains/family-definition.ts"
import type { Config } from "#config/config.ts"
import { txidFormsOf } from "#daemon/start/txid-forms-of.ts"
import { formatUnits } from "#domain/amount.ts"
import { type AssetId, chainOf } from "#domain/asset.ts"
import type { Payout } from "#domain/payout.ts"
import { readReportedTxids } from "#domain/route/reported-txids.ts"
import { kindOf } from "#domain/route/route-kind.ts"
import { payoutOf } from "#engine/orders/leg-queries.ts"
import type { OrderData, SeenOnChain } from "#order/data.ts"
import { abilitiesOf, wordsOf } from "#order/kinds/registry.ts"
import type { Order } from "#order/step.ts"
import { ROUTES } from "#routes/registry.ts"
import type { FoundSecret } from "./find-secret.ts"

/** The parts of a configuration that the answer uses. */
export type Known = Pick<Config, "chains" | "assets" | "routes"> & {
  readonly services: readonly Config["service"][]
}

export type Rescue = {
  readonly order: string
  readonly state: string
  readonly money: string
  readonly service: { readonly url: string; readonly orderId: string | null }
  readonly source: Readonly<Record<string, unknown>>
  readonly destination: Readonly<Record<string, unknown>>
  readonly refund: RefundRecipe | null
  /** `null` where the service chose the secret: then only the service redeems. */
  readonly redeem: Redemption | null
  readonly transactions: readonly Readonly<Record<string, unknown>>[]
  readonly gasless: OrderData["gasless"]
}

/** The address of the order's service, or its name where the configuration no longer has it. */
function serviceOf({ service, quote }: OrderData, config: Known): string {
  if (service === null) return "none yet"
  if (config.routes.some(({ kind }) => kind === kindOf(quote))) return `none: the route ${service}`
  return (
    config.services.find(({ name }) => name === service)?.url ??
    `${service} (not configured any more)`
  )
}

export type Redemption = {
  readonly secret: string | null
  /** Why the secret is missing. */
  readonly why: string | null
  /** `null` of a route, whose voucher names it. */
  readonly payout: Payout | null
  readonly recipe: RedeemRecipe | null
}

/** `secret` is given only where the journal has decided to tell it. */
export async function describeRescue(
  { state, data }: Order,
  config: Known,
  secret: FoundSecret,
): Promise<Rescue> {
  const { request, deposit } = data
  const chain = config.chains.find((candidate) => candidate.chain === chainOf(request.from))
  return {
    order: data.id,
    state,
    money: wordsOf(state, kindOf(data.quote)).money,
    service: {
      url: serviceOf(data, config),
      orderId: abilitiesOf(data).isReported ? (data.created?.orderId ?? null) : null,
    },
    source: describeSource(data, config, chain),
    destination: describeDestination(data, config),
    refund:
      deposit === null || !chain || !abilitiesOf(data).refund
        ? null
        : await familyOf(chain).describeRefund(deposit, chain, swapIdOf(data)),
    redeem:
      abilitiesOf(data).redeem === "voucher"
        ? await describePayout(data, config)
        : await describeRedemption(data, config, secret),
    transactions: Object.entries(data.transactions).flatMap(
      ([purpose, { signed, sentAt, mined }]) =>
        signed.map(({ plan, txid, raw }) => ({
          purpose,
          attempt: plan.attempt,
          tx: txid,
          sent: sentAt !== null,
          minedAtHeight: mined?.txid === txid ? mined.height : null,
          uses: plan.resources,
          raw,
        })),
    ),
    gasless: data.gasless,
  }
}

async function describeRedemption(
  data: OrderData,
  config: Known,
  found: FoundSecret,
): Promise<Redemption | null> {
  if (
    data.ownSecret == null ||
    data.serviceOrder === null ||
    data.terms === null ||
    data.deposit === null
  )
    return null
  const chain = config.chains.find((candidate) => candidate.chain === chainOf(data.request.to))
  const asset = config.assets.find(({ id }) => id === data.request.to)
  if (chain === undefined || asset === undefined) return null
  const payout = payoutOf(data, familyOf(chain).traits)
  return {
    ...found,
    payout,
    recipe: await familyOf(chain).describeRedeem(payout, asset, chain, found.secret),
  }
}

/** A payout that a voucher takes; the voucher is no secret. */
async function describePayout(data: OrderData, config: Known): Promise<Redemption | null> {
  const { deposit, voucher = null, transactions, quote, request } = data
  const chain = config.chains.find((candidate) => candidate.chain === chainOf(request.to))
  const route = ROUTES.find(({ kind }) => kind === kindOf(quote))
  const configured = config.routes.find(({ kind }) => kind === route?.kind)
  if (deposit === null || chain === undefined || route === undefined) return null
  const family = familyOf(chain)
  const depositTx = transactions.deposit.mined?.txid ?? transactions.deposit.signed.at(-1)?.txid
  const recipe = await family.routes?.recipes[route.kind]?.(
    { deposit, voucher, depositTx: depositTx ?? null },
    family.identityOf(chain),
    configured?.contracts[chain.chain],
  )
  const why =
    voucher === null ? "none is needed, but the voucher is not there yet" : "none is needed"
  return { secret: null, why, payout: null, recipe: recipe ?? null }
}

function describeSource(
  data: OrderData,
  config: Known,
  chain: ChainConfig | undefined,
): Rescue["source"] {
  const { request, deposit } = data
  const asset = config.assets.find(({ id }) => id === request.from)
  return {
    chain: chainOf(request.from),
    family: chain?.family ?? deposit?.family ?? null,
    asset: request.from,
    token: asset?.token ?? null,
    amount: asset ? formatUnits(request.sourceUnits, asset.decimals) : null,
    amountUnits: request.sourceUnits,
    ourAddress: request.sourceOwner,
    ...describeHtlc(deposit),
    ...describeSourceChain(data),
  }
}

function swapIdOf({ serviceOrder }: Pick<OrderData, "serviceOrder">): string | null {
  return serviceOrder?.source.swapId ?? null
}

function describeHtlc(deposit: OrderData["deposit"]): Rescue["source"] {
  return {
    htlc: deposit?.htlc ?? null,
    secretHash: deposit?.secretHash ?? null,
    redeemer: deposit?.redeemer ?? null,
    refundTo: deposit?.refundTo ?? null,
    timelock: deposit?.timelock ?? null,
  }
}

function describeSourceChain({ seen, serviceOrder }: OrderData): Rescue["source"] {
  return {
    serviceSwapId: swapIdOf({ serviceOrder }),
    initiateTx: txOf(seen.sourceInitiated),
    initiateHeight: seen.sourceInitiated?.height ?? null,
    refundableAtHeight: seen.refundableAtHeight,
    lastSeenHeight: seen.sourceHeight,
    redeemTx: txOf(seen.sourceRedeemed),
    refundTx: txOf(seen.sourceRefunded),
  }
}

function describeDestination(
  { request, terms, serviceOrder, seen }: OrderData,
  config: Known,
): Rescue["destination"] {
  const decimals = config.assets.find(({ id }) => id === request.to)?.decimals
  const units = terms?.destinationUnits ?? null
  return {
    chain: chainOf(request.to),
    asset: request.to,
    amount: units === null || decimals === undefined ? null : formatUnits(units, decimals),
    amountUnits: units,
    ourAddress: request.destinationOwner,
    serviceSwapId: serviceOrder?.destination.swapId ?? null,
    initiator: serviceOrder?.destination.initiator ?? null,
    timelock: serviceOrder?.destination.timelock ?? null,
    initiateTx: txOf(seen.destinationInitiated),
    redeemTx: txOf(seen.destinationRedeemed),
    reportedRedeemTx: reportedTx(serviceOrder?.destination.redeemTx, request.to, config),
  }
}

/** The service's hash as a node of the asset's chain writes it; commas separate several. */
function reportedTx(text: string | null | undefined, asset: AssetId, config: Known): string | null {
  return readReportedTxids(text ?? null, txidFormsOf(config)(asset)).join(",") || null
}

function txOf(seen: SeenOnChain | null): string | null {
  return seen?.txid ?? null
}
