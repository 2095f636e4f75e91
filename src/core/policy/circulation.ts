import type { AssetId } from "#domain/asset.ts"
import type { Trade } from "./find-churn.ts"

/** The time over which circulation is measured. */
export const CIRCULATION_MS = 14 * 24 * 60 * 60_000

/** The share of the treasury that money on its way round may cost in that time. */
const MOST_BPS = 20n

/**
 * The value that went round in closed walks, and its part of the fees, in fiat millionths.
 * `assets`: those of the dearest circle; `rules`: those with an order on a circle.
 */
type Circulation = {
  readonly volumeFiat: bigint
  readonly feesFiat: bigint
  readonly assets: readonly AssetId[]
  readonly rules: readonly string[]
}

/** Whether the fees of circles pass the share of this treasury. */
export function isCirculationDear({ feesFiat }: Circulation, treasuryFiat: bigint): boolean {
  return feesFiat > 0n && feesFiat * 10_000n > treasuryFiat * MOST_BPS
}

/**
 * How much of the trade of all rules together only came back to where it was sold. The values of
 * each pair are summed, whatever their order in time, number and rule, so nothing that slows a
 * circle hides it. The rest has no circle: it changed the treasury.
 */
export function measureCirculation(trades: readonly Trade[]): Circulation {
  const flows = sumPairs(trades)
  const sums = { volumeFiat: 0n, feesFiat: 0n }
  const rules = new Set<string>()
  let dearest: { readonly assets: readonly AssetId[]; readonly feesFiat: bigint } | null = null
  for (const { path, value } of takeCircles(flows)) {
    let feesFiat = 0n
    for (const flow of path) {
      const fees = (flow.feesFiat * value) / flow.value
      flow.value -= value
      flow.feesFiat -= fees
      feesFiat += fees
      for (const rule of flow.rules) rules.add(rule)
    }
    sums.volumeFiat += value * BigInt(path.length)
    sums.feesFiat += feesFiat
    if (dearest === null || feesFiat > dearest.feesFiat)
      dearest = { assets: path.map(({ from }) => from), feesFiat }
  }
  return { ...sums, assets: dearest?.assets ?? [], rules: [...rules].sort() }
}

/** The trade of one pair. */
type Flow = {
  readonly from: AssetId
  readonly to: AssetId
  readonly rules: Set<string>
  value: bigint
  feesFiat: bigint
}

/** An order of unknown value is on no circle: what it moved cannot be compared. */
function sumPairs(trades: readonly Trade[]): readonly Flow[] {
  const flows = new Map<string, Flow>()
  for (const { rule, secondRule = null, from, to, sourceFiat, feeFiat } of trades) {
    if (sourceFiat == null || sourceFiat <= 0n) continue
    const key = `${from} ${to}`
    const flow = flows.get(key) ?? { from, to, rules: new Set(), value: 0n, feesFiat: 0n }
    flows.set(key, flow)
    flow.value += sourceFiat
    flow.feesFiat += feeFiat ?? 0n
    for (const one of [rule, secondRule]) if (one !== null) flow.rules.add(one)
  }
  const byPair = [...flows].sort(([a], [b]) => (a < b ? -1 : 1))
  return byPair.map(([, flow]) => flow)
}

/** Circles until none is left, through each pair the shortest first. The caller takes them away. */
function* takeCircles(
  flows: readonly Flow[],
): Generator<{ readonly path: readonly Flow[]; readonly value: bigint }> {
  for (const first of flows) {
    while (first.value > 0n) {
      const back = findWay(flows, first.to, first.from)
      if (back === null) break
      const path = [first, ...back]
      yield {
        path,
        value: path.reduce((least, { value }) => (value < least ? value : least), first.value),
      }
    }
  }
}

/** The shortest way by pairs that still have value; `null` for none. */
function findWay(flows: readonly Flow[], from: AssetId, to: AssetId): readonly Flow[] | null {
  const ways = new Map<AssetId, readonly Flow[]>([[from, []]])
  for (const [at, way] of ways) {
    if (at === to) return way
    for (const flow of flows) {
      if (flow.value > 0n && flow.from === at && !ways.has(flow.to))
        ways.set(flow.to, [...way, flow])
    }
  }
  return null
}
