import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import { formatRatio } from "./format-ratio.ts"
import type { Sum, Swap } from "./read-swap.ts"

/**
 * The columns of an export, in this order. New columns are added at the end only. docs/BOOKS.md
 * explains each column.
 */
export const SWAP_COLUMNS = [
  "order_id",
  "service_order_id",
  "rule",
  "outcome",
  "asked_at",
  "deposited_at",
  "paid_at",
  "ended_at",
  "sent_asset",
  "sent_amount",
  "sent_fiat",
  "received_asset",
  "received_amount",
  "received_fiat",
  "refunded_amount",
  "network_fee_asset",
  "network_fee_amount",
  "network_fee_fiat",
  "swap_cost_amount",
  "swap_cost_fiat",
  "affiliate_cost_amount",
  "affiliate_cost_fiat",
  "payout_cost_amount",
  "payout_cost_fiat",
  "rate",
  "quoted_rate",
  "reference_rate",
  "deposit_tx",
  "payout_tx",
  "refund_tx",
  "fee_txs",
  "service",
  "solver",
  "route_kind",
  "redeem_fee_asset",
  "redeem_fee_amount",
  "redeem_fee_fiat",
] as const

export type SwapRow = { readonly [column in (typeof SWAP_COLUMNS)[number]]: string }

/**
 * One swap as text: amounts are exact decimals in the asset's own unit; an unknown value is empty.
 */
export function toSwapRow(swap: Swap, decimalsOf: (asset: AssetId) => number): SwapRow {
  const amount = ({ asset, units }: Sum): string => formatUnits(units, decimalsOf(asset))
  const fiat = (sum: Sum): string => (sum.fiat === null ? "" : formatUnits(sum.fiat, FIAT_DECIMALS))
  const { sent, received, redeemFee, quoted, prices } = swap
  const from = decimalsOf(sent.asset)
  const to = decimalsOf(received.asset)
  return {
    order_id: swap.id,
    service_order_id: swap.serviceOrderId ?? "",
    rule: swap.rule,
    outcome: swap.outcome ?? "",
    asked_at: timeOf(swap.askedAtMs),
    deposited_at: timeOf(swap.depositedAtMs),
    paid_at: timeOf(swap.paidAtMs),
    ended_at: timeOf(swap.endedAtMs),
    sent_asset: sent.asset,
    sent_amount: amount(sent),
    sent_fiat: fiat(sent),
    received_asset: received.asset,
    received_amount: amount(received),
    received_fiat: fiat(received),
    refunded_amount: amount(swap.refunded),
    network_fee_asset: swap.networkFee.asset,
    network_fee_amount: amount(swap.networkFee),
    network_fee_fiat: fiat(swap.networkFee),
    swap_cost_amount: amount(swap.swapCost),
    swap_cost_fiat: fiat(swap.swapCost),
    affiliate_cost_amount: amount(swap.affiliateCost),
    affiliate_cost_fiat: fiat(swap.affiliateCost),
    payout_cost_amount: amount(swap.payoutCost),
    payout_cost_fiat: fiat(swap.payoutCost),
    rate: received.units === 0n ? "" : formatRatio(received.units, to, sent.units, from),
    quoted_rate:
      quoted === null ? "" : formatRatio(quoted.destinationUnits, to, quoted.sourceUnits, from),
    reference_rate:
      prices.from === null || prices.to === null ? "" : formatRatio(prices.from, 0, prices.to, 0),
    deposit_tx: swap.depositTx ?? "",
    payout_tx: swap.payoutTx ?? "",
    refund_tx: swap.refundTx ?? "",
    fee_txs: swap.feeTxs.join(" "),
    service: swap.service ?? "",
    solver: swap.solver ?? "",
    route_kind: swap.kind ?? "",
    redeem_fee_asset: redeemFee?.asset ?? "",
    redeem_fee_amount: redeemFee === null ? "" : amount(redeemFee),
    redeem_fee_fiat: redeemFee === null ? "" : fiat(redeemFee),
  }
}

function timeOf(ms: number | null): string {
  return ms === null ? "" : new Date(ms).toISOString()
}
