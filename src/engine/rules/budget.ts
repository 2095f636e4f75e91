import { fiatOfUnits } from "#guards/order-value.ts"
import { quoteFeeFiat } from "#guards/price.ts"
import type { OrderData, TransactionTrack } from "#order/data.ts"
import { isFinal } from "#order/states.ts"

/**
 * The part of the limits that an order uses, derived from its data: nothing counts twice, and no
 * step has to release anything.
 */
export type Budget = {
  readonly sourceFiat: bigint | null
  readonly feeFiat: bigint | null
  readonly feeUnits: bigint
  readonly countedAtMs: number
}

export function budgetOf(state: string, data: OrderData): Budget {
  return {
    sourceFiat: data.value?.sourceFiat ?? data.quote?.sourceFiat ?? null,
    feeFiat: feeFiat(state, data),
    feeUnits: isFinal(state) ? 0n : remainingFeeUnits(data),
    countedAtMs: countedAt(data),
  }
}

/**
 * An order that ended without a swap cost only network fees. An order in flight counts with the
 * highest fees that it may still pay.
 */
function feeFiat(state: string, data: OrderData): bigint | null {
  const { quote, value, networkFeeUnits } = data
  const price = value?.nativePrice ?? null
  const networkUnits = isFinal(state) ? networkFeeUnits : networkFeeUnits + remainingFeeUnits(data)
  const networkFiat = price === null ? 0n : fiatOfUnits(networkUnits, price)
  if (isFinal(state) && state !== "completed") return networkFiat
  const swapFiat = value?.feesFiat ?? (quote === null ? null : quoteFeeFiat(quote))
  return swapFiat === null ? null : swapFiat + networkFiat
}

/**
 * The larger of the estimate at admission and the plans since then. A final transaction costs
 * nothing more.
 */
function remainingFeeUnits({ feeBudget, transactions, seen }: OrderData): bigint {
  // The fee of a redemption is in another chain's coin.
  const { redeem: _, ...onSource } = transactions
  const planned = Object.values(onSource).reduce((sum, track) => sum + openFeeUnits(track), 0n)
  const refund = feeBudget?.refundUnits ?? 0n
  if (seen.sourceInitiated !== null) return planned > refund ? planned : refund
  const estimated = refund + (feeBudget?.depositUnits ?? 0n)
  return planned + refund > estimated ? planned + refund : estimated
}

/** Attempts exclude each other, so at most the most expensive one is paid. */
function openFeeUnits({ plan, signed, mined }: TransactionTrack): bigint {
  if (mined?.final) return 0n
  const fees = [
    ...signed.map((transaction) => transaction.plan),
    ...(plan === null ? [] : [plan]),
  ].map(({ maxFeeUnits }) => maxFeeUnits)
  return fees.reduce((most, units) => (units > most ? units : most), 0n)
}

/**
 * A sale counts from the moment of its deposit, not of its decision: an order may wait for long
 * before it deposits.
 */
function countedAt({ createdAt, gasless, transactions, seen }: OrderData): number {
  const left = [seen.sourceInitiated?.at, transactions.deposit.sentAt, gasless?.signedAt].filter(
    (at) => at != null,
  )
  return Math.max(createdAt, ...left)
}
