import type { AssetId } from "#domain/asset.ts"

/** One order of a rule between two of our own wallets. `feeFiat` is `null` when its cost is unknown. */
export type Trade = {
  readonly rule: string
  /** The other rule that the order serves. */
  readonly secondRule?: string | null
  readonly from: AssetId
  readonly to: AssetId
  readonly feeFiat: bigint | null
}

/** Assets that were sold round in a circle, the rules of these orders, and their fees in fiat millionths. */
export type Churn = {
  readonly assets: readonly AssetId[]
  readonly rules: readonly string[]
  readonly times: number
  readonly feesFiat: bigint
}

/** A circle of more assets is rare, and hard to tell from ordinary trade. */
const MOST_ASSETS = 4

/**
 * A circle of orders that was completed at least `times` times, one after the other: A→B→A, or A→B→C→A. Several orders that only split one amount
 * complete it once. `trades` are in order of time; `null` when no circle costs anything.
 */
export function findChurn(trades: readonly Trade[], times: number): Churn | null {
  const circles = listCircles(trades)
    .map((assets) => walkCircle(assets, trades))
    .filter((churn) => churn.times >= times && churn.feesFiat > 0n)
  return circles.reduce<Churn | null>((most, churn) => (most === null || churn.times > most.times ? churn : most), null)
}

/** Every circle of up to `MOST_ASSETS` assets, once for each asset at which it can begin: the walk through time depends on it. */
function listCircles(trades: readonly Trade[]): AssetId[][] {
  const next = new Map<AssetId, Set<AssetId>>()
  for (const { from, to } of trades) next.set(from, (next.get(from) ?? new Set()).add(to))
  const circles: AssetId[][] = []
  const extend = (path: readonly AssetId[]): void => {
    const end = path.at(-1)
    for (const to of (end === undefined ? undefined : next.get(end)) ?? []) {
      if (to === path[0]) circles.push([...path])
      else if (!path.includes(to) && path.length < MOST_ASSETS) extend([...path, to])
    }
  }
  for (const start of next.keys()) extend([start])
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
