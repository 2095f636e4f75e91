import type { AssetId } from "#domain/asset.ts"

/**
 * One order of a rule between two of our own wallets. `feeFiat` is `null` when its cost is unknown,
 * and `sourceFiat` when its value is.
 */
export type Trade = {
  readonly rule: string
  /** The other rule that the order serves. */
  readonly secondRule?: string | null
  readonly from: AssetId
  readonly to: AssetId
  readonly sourceFiat?: bigint | null
  readonly feeFiat: bigint | null
}

/**
 * Assets that were sold round in a circle, the rules of these orders, and their fees in fiat
 * millionths.
 */
type Churn = {
  readonly assets: readonly AssetId[]
  readonly rules: readonly string[]
  readonly times: number
  readonly feesFiat: bigint
}

/**
 * Longer circles are not followed, and a search ends after this many steps: enough for all pairs
 * among six assets, and for much larger treasuries with fewer pairs.
 */
const MOST_ASSETS = 8
const MOST_STEPS = 20_000

/**
 * A circle of orders that was completed at least `times` times, one after the other: A→B→A, or
 * A→B→C→A. Several orders that only split one amount complete it once. `trades` are in order of
 * time; `null` when no circle costs anything.
 */
export function findChurn(trades: readonly Trade[], times: number): Churn | null {
  const circles = listCircles(frequentPairs(trades, times))
    .map((assets) => walkCircle(assets, trades))
    .filter((churn) => churn.times >= times && churn.feesFiat > 0n)
  return circles.reduce<Churn | null>(
    (most, churn) => (most === null || churn.times > most.times ? churn : most),
    null,
  )
}

type Pair = Pick<Trade, "from" | "to">

/**
 * The pairs that can be part of a circle: traded often enough, and each with a pair before and
 * after it.
 */
function frequentPairs(trades: readonly Trade[], times: number): readonly Pair[] {
  const counts = new Map<string, { readonly pair: Pair; count: number }>()
  for (const { from, to } of trades) {
    const key = `${from} ${to}`
    const known = counts.get(key) ?? { pair: { from, to }, count: 0 }
    known.count += 1
    counts.set(key, known)
  }
  let pairs = [...counts.values()].filter(({ count }) => count >= times).map(({ pair }) => pair)
  let before: number
  do {
    before = pairs.length
    const sold = new Set(pairs.map(({ from }) => from))
    const bought = new Set(pairs.map(({ to }) => to))
    pairs = pairs.filter(({ from, to }) => bought.has(from) && sold.has(to))
  } while (before !== pairs.length)
  return pairs
}

/**
 * Every circle of up to `MOST_ASSETS` assets, once for each asset at which it can begin: the walk
 * through time depends on it. Shorter circles come first.
 */
function listCircles(pairs: readonly Pair[]): AssetId[][] {
  const next = new Map<AssetId, AssetId[]>()
  for (const { from, to } of pairs) next.set(from, [...(next.get(from) ?? []), to])
  const circles: AssetId[][] = []
  let steps = 0
  let paths: AssetId[][] = [...next.keys()].map((start) => [start])
  for (let length = 1; length <= MOST_ASSETS && paths.length > 0; length += 1) {
    const longer: AssetId[][] = []
    for (const path of paths) {
      const end = path.at(-1)
      for (const to of (end === undefined ? undefined : next.get(end)) ?? []) {
        steps += 1
        if (steps > MOST_STEPS) return circles
        if (to === path[0]) circles.push(path)
        else if (!path.includes(to)) longer.push([...path, to])
      }
    }
    paths = longer
  }
  return circles
}

function walkCircle(assets: readonly AssetId[], trades: readonly Trade[]): Churn {
  let steps = 0
  const rules = new Set<string>()
  let feesFiat = 0n
  for (const { rule, secondRule = null, from, to, feeFiat } of trades) {
    const at = assets.indexOf(from)
    if (at === -1 || assets[(at + 1) % assets.length] !== to) continue
    rules.add(rule)
    if (secondRule !== null) rules.add(secondRule)
    // An unknown cost counts as one: nothing is known to be free.
    feesFiat += feeFiat ?? 1n
    if (at === steps % assets.length) steps += 1
  }
  return { assets, rules: [...rules].sort(), times: Math.floor(steps / assets.length), feesFiat }
}
