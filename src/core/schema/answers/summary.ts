import { z } from "zod"
import { amount, amountOrNull, assetId, count, number, text, time, timeOrNull } from "./leaves.ts"

/* The money of a treasury. Each `…Fiat` is in the reference currency. */

const change = z.object({
  /** The start of the comparison: `since`, or the oldest reading after it. */
  from: time,
  totalFiat: amount,
  pricesFiat: amount,
  /** What people paid in, less what they took out. */
  outsideFiat: amount,
  /** The cost of swaps and network fees. */
  swapsFiat: amount,
})

const swaps = z.object({
  orders: count,
  /** The orders by outcome. */
  counts: z.record(text, count),
  volumeFiat: amount,
  costFiat: amount,
  costBps: number.nullable(),
  /** Swaps and fees without a known price, which no sum includes. */
  unpriced: count,
  /** From the request to the end, of the completed ones. */
  medianMs: number.nullable(),
  p90Ms: number.nullable(),
})

const valued = z.object({
  asset: assetId,
  /** `null`: no price is known. */
  price: amountOrNull,
  priceAt: timeOrNull,
  fiat: amountOrNull,
  /** The change of the wallet since then, in the asset's own unit. */
  change: amountOrNull,
  /** Payouts that deposits of ours have earned and that have not arrived. */
  incoming: amount,
  /** Deposits of ours in HTLCs. */
  outgoing: amount,
})

const alarm = z.object({ at: time, code: text, sentence: text, order: text.nullable() })

/** Counts what happened between `since` and `at`. */
export const summary = z.object({
  at: time,
  since: time,
  /** Wallets and deposits on their way, without the assets of `unpriced` and `unread`. */
  totalFiat: amount,
  inFlight: z.object({ orders: count, fiat: amount }),
  unpriced: z.array(assetId),
  unread: z.array(assetId),
  /** `null` without an old reading. */
  change: change.nullable(),
  /** The orders requested in this time. */
  swaps,
  assets: z.array(valued),
  /** The value of each open order, by its quote. */
  open: z.array(
    z.object({ order: text, fiat: amountOrNull, requestedAt: time, deposited: z.boolean() }),
  ),
  /** The newest alarms of this time, at most 20. */
  alarms: z.array(alarm),
  /** The scheduled runs of this time that came to no swap, by rule. */
  missed: z.array(z.object({ rule: text, runs: count })),
})

/**
 * The readings of one asset by our own nodes, in its own unit, at most 200. `null`: there was no
 * reading, and what follows a silence of more than two hours begins with one.
 */
export const series = z.object({
  asset: assetId,
  from: time,
  to: time,
  points: z.array(z.object({ at: time, amount: amountOrNull })),
})
