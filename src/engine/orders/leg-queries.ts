import type { ChainTraits } from "#domain/chain-traits.ts"
import type { Payout } from "#domain/payout.ts"
import { mustExist } from "#lib/assert.ts"
import { listEverSigned, type OrderData } from "#order/data.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import { shareText } from "./pay/share-text.ts"

/**
 * The query for our own source node: the verified deposit, with the service's hashes as hints only.
 */
export function sourceQuery(data: OrderData): LegQuery {
  const deposit = mustExist(data.deposit, "the verified deposit")
  return {
    side: "source",
    asset: shareText(data.request.from),
    htlc: deposit.htlc,
    secretHash: deposit.secretHash,
    units: deposit.units,
    owner: shareText(data.request.sourceOwner),
    initiator: shareText(data.request.sourceOwner),
    redeemer: shareText(deposit.redeemer),
    timelock: deposit.timelock,
    hints: {
      initiateTx: data.seen.sourceInitiated?.txid ?? data.serviceOrder?.source.initiateTx ?? null,
      redeemTx: data.serviceOrder?.source.redeemTx ?? null,
      refundTx: ownRefundTx(data) ?? data.serviceOrder?.source.refundTx ?? null,
    },
    fromHeight: data.fromHeights.source,
    stakeFiat: stakeOf(data),
    ...routeOf(data, "initiate"),
  }
}

/** The leg's part of a route of another kind than HTLCs. */
function routeOf(data: OrderData, action: "initiate" | "redeem"): Pick<LegQuery, "route"> {
  const { deposit, voucher = null } = data
  if (deposit?.kind === undefined) return {}
  const signed = listEverSigned(data).filter(({ plan }) => plan.action === action)
  return { route: { kind: deposit.kind, deposit, signed, voucher } }
}

/**
 * The refund of ours that is mined or may still be; `null` when another transaction excluded all of
 * them.
 */
function ownRefundTx({ transactions: { refund } }: OrderData): string | null {
  return (
    refund.mined?.txid ?? (refund.settled === true ? null : (refund.signed.at(-1)?.txid ?? null))
  )
}

/**
 * The value of the order, for chains whose finality depends on it; `null` when no source gave a
 * value.
 */
export function stakeOf({ value, quote }: Pick<OrderData, "value" | "quote">): bigint | null {
  return value?.sourceFiat ?? quote?.sourceFiat ?? null
}

/**
 * The query for our own destination node. Where each HTLC has its own address, the order's
 * `swap_id` is that address.
 */
export function destinationQuery(data: OrderData, { htlcPlace }: ChainTraits): LegQuery {
  const shared = {
    side: "destination",
    asset: shareText(data.request.to),
    secretHash: mustExist(data.deposit, "the verified deposit").secretHash,
    units: mustExist(data.terms, "the order's terms").destinationUnits,
    owner: shareText(data.request.destinationOwner),
    fromHeight: data.fromHeights.destination,
    stakeFiat: stakeOf(data),
  } as const
  const route = routeOf(data, "redeem")
  if (route.route !== undefined) return { ...shared, ...NO_LEG_TERMS, ...route }
  const leg = mustExist(data.serviceOrder, "the order read back").destination
  return {
    ...shared,
    htlc: htlcPlace === "address" ? leg.swapId : null,
    initiator: shareText(leg.initiator),
    redeemer: shareText(leg.redeemer),
    timelock: leg.timelock,
    hints: {
      // What our own node has shown comes first, so that no list that strangers can fill has to
      // name it again.
      initiateTx: joinHints(data.seen.destinationInitiated?.txid ?? null, leg.initiateTx),
      redeemTx: leg.redeemTx,
      refundTx: leg.refundTx,
    },
  }
}

/** Only the voucher of a route names its payout. */
const NO_LEG_TERMS = {
  htlc: null,
  initiator: null,
  redeemer: null,
  timelock: null,
  hints: { initiateTx: null, redeemTx: null, refundTx: null },
} as const

function joinHints(own: string | null, reported: string | null): string | null {
  return own === null || reported === null || own === reported
    ? (own ?? reported)
    : `${own},${reported}`
}

/** The payout by the terms that the verifier accepted, for a redemption of our own. */
export function payoutOf(data: OrderData, traits: ChainTraits): Payout {
  const { destination } = mustExist(data.serviceOrder, "the order read back")
  const { asset, htlc, secretHash, units, owner } = destinationQuery(data, traits)
  const { swapId, initiator, redeemer, delegate, timelock } = destination
  return { asset, htlc, swapId, secretHash, units, owner, initiator, redeemer, delegate, timelock }
}
