import { basisPoints } from "#domain/amount.ts"
import { networkFeesOf, type Swap } from "./read-swap.ts"
import { spanWithin } from "./span-within.ts"

/**
 * The figures of a group of swaps, as the journal's `sumBooks` counts them, with the time from the
 * request to the end of the completed ones. Fiat in millionths.
 */
export type SwapSums = {
  readonly orders: number
  readonly completed: number
  readonly volumeFiat: bigint
  readonly swapCostFiat: bigint
  readonly networkFeeFiat: bigint
  readonly costBps: number | null
  readonly unpriced: number
  readonly medianMs: number | null
  readonly p95Ms: number | null
}

type SwapGroups = {
  readonly add: (name: string, swap: Swap) => void
  readonly sums: () => ReadonlyMap<string, SwapSums>
}

/** Sums swaps by name while they are read, so that no list of them is kept. */
export function groupSwaps(): SwapGroups {
  const groups = new Map<string, Group>()
  return {
    add: (name, swap) => {
      const group = groups.get(name) ?? emptyGroup()
      groups.set(name, group)
      addTo(group, swap)
    },
    sums: () => new Map([...groups].map(([name, group]) => [name, sumOf(group)])),
  }
}

/** The figures of no swap. */
export const NO_SWAPS: SwapSums = sumOf(emptyGroup())

type Group = {
  orders: number
  volume: bigint
  swapCost: bigint
  networkFee: bigint
  unpriced: number
  readonly spans: number[]
}

function emptyGroup(): Group {
  return { orders: 0, volume: 0n, swapCost: 0n, networkFee: 0n, unpriced: 0, spans: [] }
}

function addTo(group: Group, swap: Swap): void {
  const { sent, received, swapCost, affiliateCost, payoutCost } = swap
  const isPaid = received.units > 0n
  const isPriced = sent.fiat !== null && swapCost.fiat !== null && received.fiat !== null
  group.orders++
  const fees = networkFeesOf(swap)
  group.networkFee += fees.fiat
  if (isPaid && isPriced) {
    group.volume += sent.fiat
    group.swapCost += swapCost.fiat + (affiliateCost.fiat ?? 0n) + (payoutCost.fiat ?? 0n)
  }
  if (isPaid && !isPriced) group.unpriced++
  group.unpriced += fees.unpriced
  if (swap.outcome === "completed" && swap.endedAtMs !== null)
    group.spans.push(swap.endedAtMs - swap.askedAtMs)
}

function sumOf({ orders, volume, swapCost, networkFee, unpriced, spans }: Group): SwapSums {
  const sorted = Float64Array.from(spans).sort()
  return {
    orders,
    completed: spans.length,
    volumeFiat: volume,
    swapCostFiat: swapCost,
    networkFeeFiat: networkFee,
    costBps: volume === 0n ? null : Number(basisPoints(swapCost + networkFee, volume)),
    unpriced,
    medianMs: spanWithin(sorted, 0.5),
    p95Ms: spanWithin(sorted, 0.95),
  }
}
