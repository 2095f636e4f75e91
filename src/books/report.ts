import { basisPoints } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import type { Swap } from "./read-swap.ts"

/** The totals of a set of swaps. Fiat in millionths; `null` without prices. `unpriced` counts the swaps without a price. */
export type ReportLine = {
  readonly group: string
  readonly counts: { readonly [outcome: string]: number }
  /** Completed swaps among those that a service had and no operator abandoned, in basis points; `null` without any. */
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
  /** The received value compared with the reference prices at the time of the quote; only swaps with both prices count. */
  readonly againstReferenceBps: bigint | null
  /** Units sent and received, by asset. */
  readonly sent: ReadonlyMap<AssetId, bigint>
  readonly received: ReadonlyMap<AssetId, bigint>
  /** Median and longest time in ms, from the request to the deposit and from the deposit to the payout. */
  readonly toDepositMs: Duration
  readonly toPayoutMs: Duration
}

export type Duration = { readonly median: number; readonly longest: number } | null

/** One line for each group, sorted by name. */
export function makeReport(
  swaps: readonly Swap[],
  groupOf: (swap: Swap) => string,
  decimalsOf: (asset: AssetId) => number,
): readonly ReportLine[] {
  const groups = new Map<string, Swap[]>()
  for (const swap of swaps) groups.set(groupOf(swap), [...(groups.get(groupOf(swap)) ?? []), swap])
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, members]) => ({ group, ...summarize(members, decimalsOf) }))
}

export function summarize(swaps: readonly Swap[], decimalsOf: (asset: AssetId) => number): Omit<ReportLine, "group"> {
  const paid = swaps.filter(({ received }) => received.units > 0n)
  const priced = paid.filter(({ sent, swapCost, received }) =>
    [sent, swapCost, received].every(({ fiat }) => fiat !== null),
  )
  const sumOf = (
    of: readonly Swap[],
    part: "sent" | "swapCost" | "affiliateCost" | "payoutCost" | "networkFee",
  ): bigint => of.reduce((sum, swap) => sum + (swap[part].fiat ?? 0n), 0n)
  const volumeFiat = sumOf(priced, "sent")
  const costs = {
    swapCostFiat: sumOf(priced, "swapCost"),
    affiliateCostFiat: sumOf(priced, "affiliateCost"),
    payoutCostFiat: sumOf(priced, "payoutCost"),
    networkFeeFiat: sumOf(swaps, "networkFee"),
  }
  const costFiat = Object.values(costs).reduce((sum, part) => sum + part, 0n)
  return {
    counts: countOutcomes(swaps),
    successBps: successOf(swaps),
    volumeFiat,
    ...costs,
    costBps: volumeFiat === 0n ? null : basisPoints(costFiat, volumeFiat),
    unpriced: {
      swaps: paid.length - priced.length,
      fees: swaps.filter(({ networkFee }) => networkFee.units !== 0n && networkFee.fiat === null).length,
    },
    againstQuoteBps: againstQuote(priced),
    againstReferenceBps: againstReference(paid, decimalsOf),
    sent: sumUnits(paid.map(({ sent }) => sent)),
    received: sumUnits(paid.map(({ received }) => received)),
    toDepositMs: spread(paid.map(({ askedAtMs, depositedAtMs }) => spanOf(askedAtMs, depositedAtMs))),
    toPayoutMs: spread(paid.map(({ depositedAtMs, paidAtMs }) => spanOf(depositedAtMs, paidAtMs))),
  }
}

function countOutcomes(swaps: readonly Swap[]): { [outcome: string]: number } {
  const counts: { [outcome: string]: number } = {}
  for (const { outcome, state } of swaps) {
    const name = outcome ?? (state === "held" ? "held" : "open")
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

/** Orders that ended before a service had them, or that an operator abandoned, say nothing about service and solver. */
function successOf(swaps: readonly Swap[]): bigint | null {
  const ended = swaps.filter(
    ({ outcome, serviceOrderId }) => outcome !== null && outcome !== "abandoned" && serviceOrderId !== null,
  )
  const completed = ended.filter(({ outcome }) => outcome === "completed").length
  return ended.length === 0 ? null : BigInt(Math.round((completed * 10_000) / ended.length))
}

/** The quote's destination value is the received value plus the payout cost. */
function againstQuote(priced: readonly Swap[]): bigint | null {
  const received = priced.reduce((sum, swap) => sum + (swap.received.fiat ?? 0n), 0n)
  const quoted = priced.reduce((sum, swap) => sum + (swap.payoutCost.fiat ?? 0n), received)
  return quoted === 0n ? null : -basisPoints(quoted - received, quoted)
}

function againstReference(paid: readonly Swap[], decimalsOf: (asset: AssetId) => number): bigint | null {
  let [sentFiat, receivedFiat] = [0n, 0n]
  for (const { sent, received, prices } of paid) {
    if (prices.from === null || prices.to === null) continue
    sentFiat += (sent.units * prices.from) / 10n ** BigInt(decimalsOf(sent.asset))
    receivedFiat += (received.units * prices.to) / 10n ** BigInt(decimalsOf(received.asset))
  }
  return sentFiat === 0n ? null : -basisPoints(sentFiat - receivedFiat, sentFiat)
}

function sumUnits(sums: readonly { readonly asset: AssetId; readonly units: bigint }[]): ReadonlyMap<AssetId, bigint> {
  const total = new Map<AssetId, bigint>()
  for (const { asset, units } of sums) total.set(asset, (total.get(asset) ?? 0n) + units)
  return total
}

function spanOf(fromMs: number | null, toMs: number | null): number | null {
  return fromMs === null || toMs === null ? null : Math.max(0, toMs - fromMs)
}

function spread(spans: readonly (number | null)[]): Duration {
  const sorted = spans.filter((span) => span !== null).sort((a, b) => a - b)
  const [median, longest] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted.at(-1)]
  return median === undefined || longest === undefined ? null : { median, longest }
}
