import { usageError } from "./usage-error.ts"

export const EXACT_OUT_OPTIONS = {
  "to-amount": {
    type: "text",
    value: "AMOUNT",
    summary: "in place of AMOUNT: the payout, exactly, in the unit of TO",
  },
  "max-amount": {
    type: "text",
    value: "AMOUNT",
    summary: "with --to-amount: the most to sell, in the unit of FROM",
  },
} as const

/** A swap as its request names it: the amount to sell, or the exact payout. */
export type AskedSwap = {
  readonly from: string
  readonly to: string
  readonly amount?: string
  readonly toAmount?: string
  readonly maxAmount?: string
}

export function readAmounts(
  { from, to, amount }: { from: string; to: string; amount: string | null },
  options: { readonly "to-amount": string | null; readonly "max-amount": string | null },
): AskedSwap {
  const { "to-amount": toAmount, "max-amount": maxAmount } = options
  if (amount !== null && toAmount === null && maxAmount === null) return { from, to, amount }
  if (amount !== null || toAmount === null)
    throw usageError("expected either AMOUNT, or --to-amount with or without --max-amount")
  return { from, to, toAmount, ...(maxAmount === null ? {} : { maxAmount }) }
}
