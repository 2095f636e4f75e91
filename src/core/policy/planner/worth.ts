import type { CostLimit } from "#domain/order.ts"
import type { Need } from "../need.ts"
import { growOrder } from "./grow-order.ts"
import { holdingTiers, type Tier } from "./holding-tiers.ts"
import type { PlanLimits } from "./limits.ts"
import type { OrderRoute } from "./order-route.ts"
import { netOf, type Place, SLOPE, slopeOf, smallest, valueIn } from "./route.ts"

/** At equal cost the plan with more flow wins: each unit of flow earns a billionth of its value. */
const BONUS = SLOPE / 10n ** 9n

/**
 * The value that a need wants, and what each unit of it may cost. `tiers`: the same for larger
 * amounts that pay in the long run, with rising amounts and falling rewards.
 */
export type Worth = {
  readonly want: bigint
  readonly reward: bigint
  readonly tiers: readonly Tier[]
}

/**
 * The most that a unit of the need may cost is its ceiling. A ceiling is a share of the sold value;
 * for a gain it is restated as a share of the payout. A need without a ceiling in basis points is
 * worth its whole value. Costs by reference prices may pass the ceiling by the tolerance of these
 * prices, so the widest tolerance of its routes counts too; `boundOrder` holds each order to its
 * own.
 *
 * When the smallest order of every route is larger than a need that may grow, it grows to the
 * smallest of them, as far as `most`: a larger order spreads the fixed cost, and the balance stays
 * within its bounds. An order below the rule's own `least` stays undone. A need to the bound may
 * also grow: toward the target (`grow-order.ts`), or as the holding costs say.
 */
export function worthOf(
  need: Need,
  most: bigint,
  orderRoutes: readonly OrderRoute[],
  limits: PlanLimits,
): Worth {
  const listing = orderRoutes.filter(
    ({ route }) => (need.kind === "lose" ? route.loss : route.gain) === need,
  )
  const place = need.kind === "lose" ? listing[0]?.route.from : listing[0]?.route.to
  if (place === undefined) return { want: 0n, reward: 0n, tiers: [] }
  const plain = valueIn(place, need.wantUnits)
  const leasts = listing.map((orderRoute) => leastFlow(need, orderRoute))
  const least = leasts.reduce((a, b) => (b < a ? b : a))
  const grown = need.mayGrow && least > plain && least <= most ? least : plain
  const want = smallest(most, grown)
  const reward = rewardOf(need, listing, limits)
  const tiers = growthOf(need, place, listing)
    .filter((tier) => tier.want > want && tier.reward < reward)
    .map((tier) => ({ ...tier, want: smallest(most, tier.want) }))
  const reached = tiers.findIndex((tier) => tier.want === most)
  return {
    want,
    reward,
    tiers: most <= want ? [] : reached < 0 ? tiers : tiers.slice(0, reached + 1),
  }
}

function growthOf(need: Need, place: Place, listing: readonly OrderRoute[]): readonly Tier[] {
  if (need.to === "target" || need.way === undefined) return []
  const { toBoundUnits, toTargetUnits } = need.way
  const plain = valueIn(place, toBoundUnits)
  if (need.to === "values" && place.asset.holding !== undefined) {
    const slopes = listing.map(({ route }) => slopeOf(route))
    return tiersBeyond(need, place, plain, slopes)
  }
  const quotes = listing.map(({ route: { quote } }) => quote)
  const growth = growOrder(need, quotes, { plain, way: valueIn(place, toTargetUnits) - plain })
  return growth === null ? [] : [growth]
}

/** The tiers from the bound on that save something. */
function tiersBeyond(
  { kind }: Need,
  place: Place,
  plain: bigint,
  slopes: readonly bigint[],
): Tier[] {
  const points = place.asset.holding ?? []
  const bound = kind === "gain" ? points[0] : points.at(-1)
  return holdingTiers(place, kind === "gain" ? "in" : "out", bound?.units, slopes)
    .filter(({ reward }) => reward > 0n)
    .map((tier) => ({ ...tier, want: plain + tier.want }))
}

/**
 * The flow of a route's smallest order; the need itself when only the rule's own `least` asks for
 * more.
 */
function leastFlow(need: Need, { route, bounds: { lo } }: OrderRoute): bigint {
  if (lo.cause !== "cost" && lo.cause !== "minimum") return 0n
  const value = valueIn(route.from, lo.units)
  return need.kind === "lose" && route.gain === null ? value : netOf(route.quote, value, 1n)
}

function rewardOf(need: Need, listing: readonly OrderRoute[], limits: PlanLimits): bigint {
  const shares = [limits.maxCost, need.maxCost].map(shareOf).filter((bps) => bps !== null)
  const ceiling = shares.reduce((a, b) => (a < b ? a : b), 10_000n)
  const tolerance = listing
    .map(({ route }) => route.quote.toleranceBps ?? 0n)
    .reduce((a, b) => (a > b ? a : b), 0n)
  const bps = smallest(10_000n, ceiling + tolerance)
  const base = need.kind === "lose" || bps >= 10_000n ? 10_000n : 10_000n - bps
  return (bps * SLOPE) / base + BONUS
}

function shareOf(limit: CostLimit | null): bigint | null {
  return limit?.kind === "share" ? limit.bps : null
}
