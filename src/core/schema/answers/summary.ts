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
  slowest: z.object({ order: text, ms: number }).nullable(),
})

const valued = z.object({
  asset: assetId,
  /** `null`: none of the last day is known. */
  price: amountOrNull,
  /** When it was last known; without a price the time since which there is none. */
  priceAt: timeOrNull,
  fiat: amountOrNull,
  /** The change of the wallet since then, in the asset's own unit. */
  change: amountOrNull,
  /** Payouts that deposits of ours have earned and that have not arrived. */
  incoming: amount,
  /** Deposits of ours in HTLCs. */
  outgoing: amount,
  /** What the wallet holds more than the books, below zero for a loss that is not explained yet. */
  unbookedFiat: amountOrNull,
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
  /** `total`: the value of the treasury, in the reference currency. */
  asset: text,
  from: time,
  to: time,
  points: z.array(z.object({ at: time, amount: amountOrNull })),
  /** Each band from its time on, oldest first; `null` while there was none. */
  bands: z.array(
    z.object({
      from: time,
      bound: z.object({ min: amount, target: amount, max: amountOrNull }).nullable(),
    }),
  ),
  /** Of `total`: the assets that no point counts, for they have no price or no reading now. */
  without: z.array(assetId),
  /**
   * Of `total`: the first reading of an asset, from which on it counts, or its first price, at
   * which its earlier readings count too.
   */
  joined: z.array(z.object({ at: time, asset: assetId, by: z.enum(["reading", "price"]) })),
})

const swapLine = z.object({
  orders: count,
  completed: count,
  volumeFiat: amount,
  /** The cost of the swaps and the network fees; `feesFiat` is the second part. */
  costFiat: amount,
  feesFiat: amount,
  costBps: number.nullable(),
  unpriced: count,
  medianMs: number.nullable(),
  p95Ms: number.nullable(),
})
const namedLine = swapLine.extend({ name: text })

/**
 * What happened to a balance: an order's deposit or payout, outside money, an alarm, or another
 * configuration in force.
 */
const mark = z.object({
  at: time,
  kind: z.enum(["in", "out", "outside", "alarm", "configuration"]),
  /** `null`: about no single asset. */
  asset: assetId.nullable(),
  /** In the asset's own unit; `null` where nothing moved. */
  amount: amountOrNull,
  order: text.nullable(),
})

/** The swaps that were requested since a time, at most 31 days ago, and money from outside. */
export const flows = z.object({
  at: time,
  from: time,
  total: swapLine,
  /** The limit of one swap's cost; `null` where it is an amount of money. */
  maxCostBps: number.nullable(),
  /** Hours of a time of up to two days, else days; each by its start (UTC). */
  steps: z.array(swapLine.extend({ from: time, to: time })),
  rules: z.array(namedLine),
  services: z.array(namedLine),
  /** By the assets, and by their chains. */
  pairs: z.array(swapLine.extend({ from: assetId, to: assetId })),
  chains: z.array(swapLine.extend({ from: text, to: text })),
  /** What people and others paid in and took out; fiat by the price of that time. */
  outside: z.array(
    z.object({
      asset: assetId,
      in: amount,
      out: amount,
      inFiat: amountOrNull,
      outFiat: amountOrNull,
    }),
  ),
  /** The newest ones, oldest first. */
  marks: z.array(mark),
})
