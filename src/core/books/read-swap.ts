import type { AssetId } from "#domain/asset.ts"
import { chainOf } from "#domain/asset.ts"
import type { BookedEntry } from "#domain/ledger.ts"
import type { AffiliateRecord } from "#domain/route/affiliate-fee.ts"
import { kindOf, type RouteKind } from "#domain/route/route-kind.ts"
import type { OrderData } from "#order/data.ts"
import { isFinal } from "#order/states.ts"
import type { Order } from "#order/step.ts"
import { ACCOUNTS, WALLET_PREFIX } from "./accounts.ts"
import type { Wallets } from "./entries-of.ts"

/**
 * An amount of one asset with its value at the time of the quote; `fiat` is `null` when any part
 * has no price.
 */
export type Sum = { readonly asset: AssetId; readonly units: bigint; readonly fiat: bigint | null }

/**
 * One order as the ledger shows it: sent, received and cost, net of all reversed entries. Times in
 * ms.
 */
export type Swap = {
  readonly id: string
  readonly serviceOrderId: string | null
  /** `null` before the first quote. */
  readonly service: string | null
  /** The kind of its route; `null` before the first quote. */
  readonly kind: RouteKind | null
  readonly solver: string | null
  readonly rule: string
  readonly outcome: string | null
  readonly state: string
  readonly askedAtMs: number
  readonly depositedAtMs: number | null
  readonly paidAtMs: number | null
  /** Our own node shows the redeem of the destination, to us or to another. */
  readonly redeemedAtMs: number | null
  readonly endedAtMs: number | null
  readonly sent: Sum
  readonly received: Sum
  readonly refunded: Sum
  readonly swapCost: Sum
  readonly affiliateCost: Sum
  readonly payoutCost: Sum
  /** In the coin of the source chain. */
  readonly networkFee: Sum
  /** Our own redemption, in the coin of the destination chain; `null` for none. */
  readonly redeemFee: Sum | null
  readonly quoted: { readonly sourceUnits: bigint; readonly destinationUnits: bigint } | null
  readonly prices: Pick<OrderData["prices"], "from" | "to">
  readonly depositTx: string | null
  readonly payoutTx: string | null
  readonly refundTx: string | null
  readonly feeTxs: readonly string[]
  /** The ledger has at least one entry of the order. */
  readonly isBooked: boolean
  /** The service's records of the affiliate fees that the order has earned us. */
  readonly earned: readonly AffiliateRecord[]
}

export function readSwap(
  order: Order,
  updatedAtMs: number,
  entries: readonly BookedEntry[],
  nativeOf: Wallets["nativeOf"],
): Swap {
  const { data, state } = order
  const { from, to } = data.request
  const native = nativeOf(chainOf(from))
  const payoutCoin = nativeOf(chainOf(to))
  const sum = (
    kinds: readonly string[],
    asset: AssetId,
    account: (name: string) => boolean,
    sign: 1n | -1n,
  ): Sum => {
    const postings = entries
      .filter(({ kind }) => kinds.includes(kind))
      .flatMap((entry) => entry.postings)
      .filter((posting) => posting.asset === asset && account(posting.account))
    const fiat = postings.some((posting) => posting.fiat === null)
      ? null
      : postings.reduce((total, posting) => total + (posting.fiat ?? 0n), 0n) * sign
    return { asset, units: postings.reduce((total, { units }) => total + units, 0n) * sign, fiat }
  }
  const is = (account: string) => (name: string) => name === account
  const network = (name: string): boolean => name.startsWith(ACCOUNTS.networkPrefix)
  const wallet = (name: string): boolean => name.startsWith(WALLET_PREFIX)
  const live = (kind: string): readonly BookedEntry[] => {
    const reversed = new Set(entries.map(({ reverses }) => reverses))
    return entries.filter(
      (entry) => entry.kind === kind && entry.reverses === null && !reversed.has(entry.id),
    )
  }
  const redeemFee = sum(["fee"], payoutCoin, network, 1n)
  return {
    id: data.id,
    serviceOrderId: data.created?.orderId ?? null,
    service: data.service,
    kind: data.quote === null ? null : kindOf(data.quote),
    solver: data.quote?.solverId || null,
    rule: data.rule,
    outcome: isFinal(state) ? state : null,
    state,
    ...timesOf(order, updatedAtMs),
    sent: sum(["deposit"], from, (name) => name.startsWith(ACCOUNTS.inTransit(data.id)), 1n),
    received: sum(["payout"], to, (name) => wallet(name) || name === ACCOUNTS.outside, 1n),
    refunded: sum(["refund"], from, wallet, 1n),
    swapCost: sum(["payout", "refund"], from, is(ACCOUNTS.swap), 1n),
    affiliateCost: sum(["payout"], from, is(ACCOUNTS.affiliate), 1n),
    payoutCost: sum(["payout"], to, is(ACCOUNTS.payout), 1n),
    networkFee: sum(["fee", "refund"], native, network, 1n),
    // Of one chain, both are in one coin.
    redeemFee: payoutCoin === native || redeemFee.units === 0n ? null : redeemFee,
    quoted:
      data.quote === null
        ? null
        : { sourceUnits: data.quote.sourceUnits, destinationUnits: data.quote.destinationUnits },
    prices: { from: data.prices.from, to: data.prices.to },
    depositTx: live("deposit")[0]?.tx ?? null,
    payoutTx: live("payout")[0]?.tx ?? null,
    refundTx: live("refund")[0]?.tx ?? null,
    feeTxs: live("fee").flatMap(({ tx }) => tx ?? []),
    isBooked: entries.length > 0,
    earned: listEarned(data),
  }
}

/** `fiat`: zero where a part has no price, as the journal's sums count it. */
export function networkFeesOf({ networkFee, redeemFee }: Pick<Swap, "networkFee" | "redeemFee">): {
  readonly fiat: bigint
  readonly unpriced: number
} {
  const fees = redeemFee === null ? [networkFee] : [networkFee, redeemFee]
  const isUnpriced = fees.some(({ fiat, units }) => fiat === null && units !== 0n)
  const fiat = fees.reduce((sum, fee) => sum + (fee.fiat ?? 0n), 0n)
  return isUnpriced ? { fiat: 0n, unpriced: 1 } : { fiat, unpriced: 0 }
}

function timesOf(
  { data, state }: Order,
  updatedAtMs: number,
): Pick<Swap, "askedAtMs" | "depositedAtMs" | "paidAtMs" | "redeemedAtMs" | "endedAtMs"> {
  const redeemedAtMs = data.seen.destinationRedeemed?.at ?? null
  return {
    askedAtMs: data.createdAt,
    depositedAtMs: data.seen.sourceInitiated?.at ?? null,
    paidAtMs: data.receipt === null ? null : redeemedAtMs,
    redeemedAtMs,
    endedAtMs: isFinal(state) ? updatedAtMs : null,
  }
}

/**
 * An order earns its fee once our own node shows the redeem of the destination as final. Fees that
 * the service recorded for others do not count.
 */
function listEarned({ serviceOrder, policy, seen }: OrderData): readonly AffiliateRecord[] {
  const requested = policy.affiliateFees ?? []
  if (serviceOrder === null || seen.destinationRedeemed?.final !== true || requested.length === 0)
    return []
  return serviceOrder.affiliateFees.filter(({ asset, address }) =>
    requested.some(
      (fee) => fee.asset === asset && fee.address.toLowerCase() === address.toLowerCase(),
    ),
  )
}
