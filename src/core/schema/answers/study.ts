import { z } from "zod"
import {
  amount,
  amountOrNull,
  assetId,
  count,
  number,
  reason,
  text,
  textOrNull,
  time,
  timeOrNull,
  units,
  unitsOrNull,
} from "./leaves.ts"
import { call, considered } from "./order.ts"
import { decision } from "./policy.ts"
import { service } from "./state.ts"

/* Answers about a span of time or about many decisions. */

const duration = z.object({ median: number, longest: number }).nullable()

export const reportLine = z.object({
  group: text,
  /** The orders by outcome, and `open` and `held`. */
  counts: z.record(text, count),
  successBps: number.nullable(),
  volumeFiat: amount,
  swapCostFiat: amount,
  affiliateCostFiat: amount,
  payoutCostFiat: amount,
  networkFeeFiat: amount,
  costBps: number.nullable(),
  /** Compared with the quotes, and with the reference prices; negative when we got less. */
  againstQuoteBps: number.nullable(),
  againstReferenceBps: number.nullable(),
  /** Swaps and fees without a known price, which no sum includes. */
  unpriced: z.object({ swaps: count, fees: count }),
  /** By asset, in its own unit. */
  sent: z.record(text, amount),
  received: z.record(text, amount),
  toDepositMs: duration,
  toPayoutMs: duration,
})

const period = z.object({ from: timeOrNull, to: timeOrNull })

/** The orders requested in the period. */
export const report = z.object({
  period,
  by: z.enum(["rule", "pair", "period", "kind", "service", "solver"]),
  lines: z.array(reportLine),
  total: reportLine,
  services: z.array(service),
  outOfBand: z.array(z.object({ rule: text, outOfBandMs: count, knownMs: count })),
})

/** What affiliates earned, by the service's own records, in the week of each payout. */
export const affiliateReport = z.object({
  weeks: z.array(
    z.object({
      week: text,
      asset: assetId,
      address: text,
      /** `null`: the decimals of an asset that is not configured are unknown. */
      amount: amountOrNull,
      amountUnits: units,
      orders: count,
      /** Orders without an amount, which add nothing. */
      unknownOrders: count,
    }),
  ),
})

/**
 * What the services state of our affiliate earnings, beside the sums of our own orders. A claim
 * stays a person's act.
 */
export const earnings = z.object({
  assets: z.array(
    z.object({
      asset: assetId,
      own: amountOrNull,
      ownUnits: units,
      stated: amountOrNull,
      statedUnits: units,
      differenceUnits: units,
      verdict: z.enum(["same", "service_less", "service_more", "paid_unknown", "incomplete"]),
    }),
  ),
  services: z.array(
    z.object({
      service: text,
      error: reason.nullable(),
      owed: z.array(
        z.object({
          asset: assetId,
          owed: amountOrNull,
          owedUnits: units,
          paidUnits: unitsOrNull,
          contract: textOrNull,
        }),
      ),
    }),
  ),
})

export const why = z.object({
  rule: text,
  next: timeOrNull,
  /** The newest first, each with the changes that would lead to another decision. */
  decisions: z.array(decision.extend({ changes: z.array(text) })),
  /** By order: the quotes that it was chosen from; none where one service is configured. */
  quotes: z.record(text, z.object({ to: assetId, considered: z.array(considered) })),
  calls: z.array(call),
})

const numbers = z.object({ p5: number, p50: number, p95: number })
/** In millionths of the reference currency. */
const sums = z.object({ p5: units, p50: units, p95: units })
const figures = z.looseObject({
  moves: numbers,
  completed: numbers,
  refunded: numbers,
  volumeFiat: sums,
  swapFeesFiat: sums,
  networkFeesFiat: sums,
  feesFiat: sums,
  feesHundredthBps: sums,
  assets: z.array(
    z.object({
      asset: assetId,
      lowestUnits: sums,
      finalUnits: sums,
      /** The value of the wallet, on average over the days. */
      meanFiat: sums,
      unservedUnits: sums,
      unservedSeeds: count,
    }),
  ),
  rules: z.array(
    z.looseObject({ rule: text, outsideBps: numbers, belowBps: numbers, aboveBps: numbers }),
  ),
})

/** Medians of the runs; amounts in the reference currency. */
const medians = z.object({
  moves: number,
  volumeFiat: amount,
  feesFiat: amount,
  outsideBps: number.nullable(),
})

/** A change of a rule that an agent proposes. Only a person applies it, in the file. */
export const proposal = z.object({
  id: text,
  agent: text,
  at: time,
  expires: time,
  rule: text,
  /** `applied` and `stale` by the file in force. */
  state: z.enum(["open", "applied", "stale", "dismissed", "expired"]),
  dismissedBy: textOrNull,
  changes: z.array(z.object({ key: text, from: textOrNull, to: text })),
  simulation: z.object({ days: count, runs: count, now: medians, changed: medians }),
})
export const proposals = z.object({ proposals: z.array(proposal) })

/** `null` where the runs do not agree. */
const better = z.enum(["first", "second"]).nullable()

const adviceFigures = z.object({
  usdPerMonth: amount,
  ordersPerWeek: number,
  /** Of the time, averaged over the rules that keep bounds. */
  outsideBps: number,
  /** Withdrawals that the wallets could not pay. */
  unserved: count,
})

/** Changes of the configuration, in a backtest over the flows in the books. */
export const advice = z.object({
  period: z.object({ from: time, to: time }),
  /** `false`: the books say too little, and there is no advice. */
  enough: z.boolean(),
  say: text,
  /** Of the configuration as it is. */
  own: adviceFigures.nullable(),
  advice: z.array(z.object({ change: text, sentence: text, with: adviceFigures })),
  /** The seed and the market: the same ones give the same numbers. */
  calculation: z.object({ seed: count, scenario: z.looseObject({ days: count }) }).nullable(),
})

/** The keys inside are those of `ballast simulate --json`, without the single runs. */
export const simulation = z.object({
  seeds: z.object({ first: count, count }),
  scenario: z.looseObject({ days: count }),
  subjects: z.array(
    z.object({
      name: text,
      summary: figures,
      /** Of each run, the lowest first, in millionths of the reference currency. */
      costs: z.array(units),
      /** When the middle run would swap, in days from the start. */
      swapDays: z.array(number),
    }),
  ),
  comparison: z.looseObject({ cheaper: better, steadier: better }).nullable(),
  /** The balances of the changed rule; none without a change. */
  plots: z.array(
    z.object({
      asset: assetId,
      /** At equal distances over the days, in the asset's own unit: one list for each subject. */
      subjects: z.array(
        z.object({
          points: z.array(numbers.extend({ p25: number, p75: number })),
          bound: z.object({ min: amount, target: amount, max: amountOrNull }).nullable(),
        }),
      ),
    }),
  ),
})
