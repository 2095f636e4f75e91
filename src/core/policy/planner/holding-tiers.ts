import { positionUnits } from "../treasury-view.ts"
import { VALUE_PER_FIAT } from "../value.ts"
import { type Place, SLOPE, valueIn } from "./route.ts"

/** Up to `want` of value in all, each unit beyond the tier before saves `reward`. */
export type Tier = { readonly want: bigint; readonly reward: bigint }

/** More tiers make plans no better and the search longer. */
const MOST_TIERS = 4

/**
 * What taking in, or giving away, is worth by the holding costs of an asset, as tiers with falling
 * rewards: the lower convex hull of the costs from `startUnits` on. A reward below zero is a cost.
 *
 * `slopes`: the costs of a unit by the pairs. An order goes as far as a unit earns more than it
 * costs, often by a hundredth of its cost only, so no tier joins units that earn more and less than
 * a slope: their mean would end each order at the bound.
 */
export function holdingTiers(
  place: Place,
  direction: "in" | "out",
  startUnits: bigint = positionOf(place),
  slopes: readonly bigint[] = [],
): Tier[] {
  const isIn = direction === "in"
  const points = (place.asset.holding ?? []).map(({ units, costFiat }) => ({
    value: valueIn(place, isIn ? units - startUnits : startUnits - units),
    cost: costFiat * VALUE_PER_FIAT,
  }))
  const ordered = isIn ? points : points.toReversed()
  const first = ordered.findIndex(({ value }) => value > 0n)
  const after = ordered[first]
  const before = ordered[first - 1]
  if (after === undefined) return []
  const start = before === undefined ? { ...after, value: 0n } : between(before, after)
  return mergeTiers(hullOf([start, ...ordered.slice(first)]), slopes)
}

type Point = { readonly value: bigint; readonly cost: bigint }

function positionOf({ asset: { balance } }: Place): bigint {
  return balance.readable ? positionUnits(balance) : 0n
}

/** The point at the value 0. */
function between(before: Point, after: Point): Point {
  const cost =
    before.cost + ((after.cost - before.cost) * -before.value) / (after.value - before.value)
  return { value: 0n, cost }
}

function hullOf(points: readonly Point[]): Tier[] {
  const hull: Point[] = []
  for (const point of points) {
    for (;;) {
      const [a, b] = hull.slice(-2)
      if (a === undefined || b === undefined) break
      if ((b.cost - a.cost) * (point.value - b.value) < (point.cost - b.cost) * (b.value - a.value))
        break
      hull.pop()
    }
    if (hull.at(-1)?.value !== point.value) hull.push(point)
  }
  return hull.slice(1).map((point, index): Tier => {
    const from = hull[index] ?? point
    return {
      want: point.value,
      reward: ((from.cost - point.cost) * SLOPE) / (point.value - from.value),
    }
  })
}

/** Joins the neighbours that differ least, and last those on two sides of a slope. */
function mergeTiers(tiers: readonly Tier[], slopes: readonly bigint[]): Tier[] {
  if (tiers.length <= MOST_TIERS) return [...tiers]
  const gaps = tiers.slice(1).map(({ reward }, index) => {
    const before = tiers[index]?.reward ?? 0n
    const crosses = slopes.some((slope) => reward <= slope && slope < before)
    return before - reward + (crosses ? SLOPE : 0n)
  })
  const at = gaps.indexOf(gaps.reduce((a, b) => (b < a ? b : a)))
  const start = tiers[at - 1]?.want ?? 0n
  const a = tiers[at]
  const b = tiers[at + 1]
  if (a === undefined || b === undefined) return [...tiers]
  const saved = a.reward * (a.want - start) + b.reward * (b.want - a.want)
  const joined = { want: b.want, reward: saved / (b.want - start) }
  return mergeTiers([...tiers.slice(0, at), joined, ...tiers.slice(at + 2)], slopes)
}
