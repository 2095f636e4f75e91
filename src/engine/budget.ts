import { fiatOfUnits } from "#guards/order-value.ts"
import { quoteFeeFiat } from "#guards/price.ts"
import type { OrderData, TransactionTrack } from "#order/data.ts"
import { isFinal } from "#order/states.ts"

/** What an order takes of the limits, derived from what it knows: nothing is counted twice, and nothing has to be given back by hand. */
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

/** A swap that was not made cost nothing but network fees; one that is under way counts with the most that those may still become. */
function feeFiat(state: string, data: OrderData): bigint | null {
  const { quote, value, networkFeeUnits } = data
  const price = value?.nativePrice ?? null
  const networkUnits = isFinal(state) ? networkFeeUnits : networkFeeUnits + remainingFeeUnits(data)
  const networkFiat = price === null ? 0n : fiatOfUnits(networkUnits, price)
  if (isFinal(state) && state !== "completed") return networkFiat
  const swapFiat = value?.feesFiat ?? (quote === null ? null : quoteFeeFiat(quote))
  return swapFiat === null ? null : swapFiat + networkFiat
}

/** The estimate when the order was accepted, or what was planned since, whichever is more. Of what is mined nothing more can come. */
function remainingFeeUnits({ feeBudget, transactions, seen }: OrderData): bigint {
  const planned = Object.values(transactions).reduce((sum, track) => sum + openFeeUnits(track), 0n)
  const refund = feeBudget?.refundUnits ?? 0n
  if (seen.sourceInitiated !== null) return planned > refund ? planned : refund
  const estimated = refund + (feeBudget?.depositUnits ?? 0n)
  return planned + refund > estimated ? planned + refund : estimated
}

/** Attempts exclude each other, so at most the dearest of them is paid. */
function openFeeUnits({ plan, signed, mined }: TransactionTrack): bigint {
  if (mined?.final) return 0n
  const fees = [...signed.map((transaction) => transaction.plan), ...(plan === null ? [] : [plan])].map(
    ({ maxFeeUnits }) => maxFeeUnits,
  )
  return fees.reduce((most, units) => (units > most ? units : most), 0n)
}

/** What was sold counts from when it left, not from when it was decided: an order may rest for long before its deposit. */
function countedAt({ createdAt, gasless, transactions, seen }: OrderData): number {
  const left = [seen.sourceInitiated?.at, transactions.deposit.sentAt, gasless?.signedAt].filter((at) => at != null)
  return Math.max(createdAt, ...left)
}
