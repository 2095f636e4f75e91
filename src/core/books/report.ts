import { basisPoints } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import { networkFeesOf, type Swap } from "./read-swap.ts"

/**
 * The totals of a set of swaps. Fiat in millionths; `null` without prices. `unpriced` counts the
 * swaps without a price.
 */
export type ReportLine = {
  readonly group: string
  readonly counts: { readonly [outcome: string]: number }
  /**
   * Completed swaps among those that a service had and no operator abandoned, in basis points;
   * `null` without any.
   */
  readonly successBps: bigint | null
  /** The value sent in swaps that were paid out. */
  readonly volumeFiat: bigint
  readonly swapCostFiat: bigint
  readonly affiliateCostFiat: bigint
  readonly payoutCostFiat: bigint
  /** The fees of all swaps, refunded and rejected ones included. */
  readonly networkFeeFiat: bigint
  /** All costs together, relative to the volume. */
  readonly costBps: bigint | null
  /** Swaps and network fees without a price, which no sum includes. */
  readonly unpriced: { readonly swaps: number; readonly fees: number }
  /** The received value compared with the quote, in basis points; negative when it was less. */
  readonly againstQuoteBps: bigint | null
  /**
   * The received value compared with the reference prices at the time of the quote; only swaps with
   * both prices count.
   */
  readonly againstReferenceBps: bigint | null
  /** Units sent and received, by asset. */
  readonly sent: ReadonlyMap<AssetId, bigint>
  readonly received: ReadonlyMap<AssetId, bigint>
  /**
   * Median and longest time in ms, from the request to the deposit and from the deposit to the
   * payout.
   */
  readonly toDepositMs: Duration
  readonly toPayoutMs: Duration
}

type Duration = { readonly median: number; readonly longest: number } | null

/**
 * One line for each group, sorted by name, and one for all swaps. Takes each swap once, so that a
 * year of them need not be in memory.
 */
export function makeReport(
  swaps: Iterable<Swap>,
  groupOf: (swap: Swap) => string,
  decimalsOf: (asset: AssetId) => number,
): { readonly lines: readonly ReportLine[]; readonly total: ReportLine } {
  const groups = new Map<string, Totals>()
  const total = createTotals()
  for (const swap of swaps) {
    const group = groupOf(swap)
    const totals = groups.get(group) ?? createTotals()
    groups.set(group, totals)
    for (const one of [totals, total]) addSwap(one, swap, decimalsOf)
  }
  const lines = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, totals]) => ({ group, ...toLine(totals) }))
  return { lines, total: { group: "total", ...toLine(total) } }
}

/** The sums so far. Changes in place. */
type Totals = {
  readonly counts: { [outcome: string]: number }
  /**
   * Orders that a service had and no operator abandoned: the others say nothing about service and
   * solver.
   */
  ended: number
  completed: number
  readonly fiat: { [part in Priced | "networkFee"]: bigint }
  readonly unpriced: { swaps: number; fees: number }
  /** The values of sent and received units at the reference prices. */
  readonly reference: { sent: bigint; received: bigint }
  readonly sent: Map<AssetId, bigint>
  readonly received: Map<AssetId, bigint>
  readonly toDepositMs: number[]
  readonly toPayoutMs: number[]
}
/** The parts that count only for swaps that were paid out and have all prices. */
type Priced = (typeof PRICED)[number]
const PRICED = ["sent", "swapCost", "affiliateCost", "payoutCost", "received"] as const

function createTotals(): Totals {
  return {
    counts: {},
    ended: 0,
    completed: 0,
    fiat: {
      sent: 0n,
      swapCost: 0n,
      affiliateCost: 0n,
      payoutCost: 0n,
      networkFee: 0n,
      received: 0n,
    },
    unpriced: { swaps: 0, fees: 0 },
    reference: { sent: 0n, received: 0n },
    sent: new Map(),
    received: new Map(),
    toDepositMs: [],
    toPayoutMs: [],
  }
}

function addSwap(totals: Totals, swap: Swap, decimalsOf: (asset: AssetId) => number): void {
  const { outcome, state, serviceOrderId } = swap
  const name = outcome ?? (state === "held" ? "held" : "open")
  totals.counts[name] = (totals.counts[name] ?? 0) + 1
  if (outcome !== null && outcome !== "abandoned" && serviceOrderId !== null) {
    totals.ended += 1
    if (outcome === "completed") totals.completed += 1
  }
  const fees = networkFeesOf(swap)
  totals.fiat.networkFee += fees.fiat
  totals.unpriced.fees += fees.unpriced
  if (swap.received.units > 0n) addPaid(totals, swap, decimalsOf)
}

function addPaid(
  { fiat, unpriced, ...totals }: Totals,
  swap: Swap,
  decimalsOf: (asset: AssetId) => number,
): void {
  const { sent, swapCost, received, prices } = swap
  if ([sent, swapCost, received].some((sum) => sum.fiat === null)) unpriced.swaps += 1
  else for (const part of PRICED) fiat[part] += swap[part].fiat ?? 0n
  if (prices.from !== null && prices.to !== null) {
    totals.reference.sent += (sent.units * prices.from) / 10n ** BigInt(decimalsOf(sent.asset))
    totals.reference.received +=
      (received.units * prices.to) / 10n ** BigInt(decimalsOf(received.asset))
  }
  addUnits(totals.sent, sent)
  addUnits(totals.received, received)
  addSpan(totals.toDepositMs, swap.askedAtMs, swap.depositedAtMs)
  addSpan(totals.toPayoutMs, swap.depositedAtMs, swap.paidAtMs)
}

function addUnits(sums: Map<AssetId, bigint>, { asset, units }: Swap["sent"]): void {
  sums.set(asset, (sums.get(asset) ?? 0n) + units)
}

function addSpan(spans: number[], fromMs: number | null, toMs: number | null): void {
  if (fromMs !== null && toMs !== null) spans.push(Math.max(0, toMs - fromMs))
}

function toLine({
  counts,
  ended,
  completed,
  fiat,
  reference,
  ...totals
}: Totals): Omit<ReportLine, "group"> {
  const { sent: volumeFiat, swapCost, affiliateCost, payoutCost, networkFee, received } = fiat
  const costFiat = swapCost + affiliateCost + payoutCost + networkFee
  return {
    counts,
    successBps: ended === 0 ? null : BigInt(Math.round((completed * 10_000) / ended)),
    volumeFiat,
    swapCostFiat: swapCost,
    affiliateCostFiat: affiliateCost,
    payoutCostFiat: payoutCost,
    networkFeeFiat: networkFee,
    costBps: volumeFiat === 0n ? null : basisPoints(costFiat, volumeFiat),
    unpriced: totals.unpriced,
    // The quote's destination value is the received value plus the payout cost.
    againstQuoteBps: compare(received + payoutCost, received),
    againstReferenceBps: compare(reference.sent, reference.received),
    sent: totals.sent,
    received: totals.received,
    toDepositMs: spread(totals.toDepositMs),
    toPayoutMs: spread(totals.toPayoutMs),
  }
}

/** The difference of the value to the expected one, in basis points; negative when it was less. */
function compare(expected: bigint, value: bigint): bigint | null {
  return expected === 0n ? null : -basisPoints(expected - value, expected)
}

function spread(spans: readonly number[]): Duration {
  const sorted = spans.toSorted((a, b) => a - b)
  const median = sorted[Math.floor((sorted.length - 1) / 2)]
  const longest = sorted.at(-1)
  return median === undefined || longest === undefined ? null : { median, longest }
}
