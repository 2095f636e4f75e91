import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { Reason } from "#domain/reason.ts"
import type { Need } from "../need.ts"
import { type AssetView, type PairCosts, showUnits } from "../treasury-view.ts"
import { fiatOfValue } from "../value.ts"
import { fixedTotalOf, SLOPE } from "./route.ts"

/** The value of the largest order that pays in the long run, and what a unit of it costs. */
type Growth = { readonly want: bigint; readonly reward: bigint }

/**
 * The size at which a correction to the bound costs least in the long run; `null` where no larger
 * order is cheaper.
 *
 * A balance that returns only to its bound leaves it again with the next payment, and each order
 * pays the fixed cost again. A balance that goes further also pays the share for an amount that
 * might have come back by itself. For a balance that rises and falls evenly, the cost in the long
 * run is in proportion to (fixed + share · step) / (step · (2 · way − step)), where `way` leads
 * from the bound to the target. It is least at step = √(k² + 2 · k · way) − k, with k = fixed /
 * share. So no order grows beyond the target, and without a fixed cost none grows.
 *
 * The more one-sided the balance moved in the last days, the less of the amount comes back by
 * itself, and the less of its share counts as wasted. A balance that only drains is refilled to the
 * target.
 *
 * A unit beyond the need earns what it would cost in a later order of that size. So orders grow on
 * the pairs that are cheapest in the long run, and a dear pair corrects the balance to the bound
 * and no further.
 */
export function growOrder(
  { kind, oneSidedBps = 0n }: Pick<Need, "kind" | "oneSidedBps">,
  quotes: readonly PairCosts[],
  { plain, way }: { readonly plain: bigint; readonly way: bigint },
): Growth | null {
  const sizes = quotes.map((quote): Growth => {
    const fixed = fixedTotalOf(quote)
    const want = plain + stepOf(fixed, (quote.bps * (10_000n - oneSidedBps)) / 10_000n, way)
    const kept = kind === "gain" ? 10_000n - quote.bps : 10_000n
    return {
      want,
      reward: want === 0n ? 0n : (quote.bps * SLOPE + (fixed * 10_000n * SLOPE) / want) / kept,
    }
  })
  const [first, ...others] = sizes
  if (first === undefined) return null
  const best = others.reduce((a, b) => (b.reward < a.reward ? b : a), first)
  return best.want > plain ? best : null
}

/** The step beyond the bound. */
function stepOf(fixed: bigint, bps: bigint, way: bigint): bigint {
  if (fixed === 0n || way <= 0n) return 0n
  if (bps === 0n) return way
  const even = (fixed * 10_000n) / bps
  const step = rootOf(even * even + 2n * even * way) - even
  return step < way ? step : way
}

/** The whole part of a square root, by Newton's method from above. */
function rootOf(square: bigint): bigint {
  let root = 1n << BigInt((square.toString(2).length + 1) >> 1)
  for (let next = (root + square / root) / 2n; next < root; next = (root + square / root) / 2n)
    root = next
  return root
}

/**
 * The reason for an order that goes further than the bound. `coveredUnits`: of the need's asset, by
 * all orders of the plan.
 */
export function explainGrowth(
  need: Need,
  asset: AssetView,
  quote: PairCosts,
  coveredUnits: bigint,
): Reason | null {
  if (need.to === "target" || need.way === undefined || coveredUnits <= need.wantUnits) return null
  const want = showUnits(asset, need.wantUnits)
  const moved = showUnits(asset, coveredUnits)
  const fixed = formatUnits(fiatOfValue(fixedTotalOf(quote), "up"), FIAT_DECIMALS)
  const byValues = need.to === "values" && asset.holding !== undefined
  const message =
    `${want} ${asset.id} would reach the bound; ${moved} move` +
    (byValues
      ? `, because the flows of the last weeks make the next orders cheapest so`
      : ` toward the target, because each order has a fixed cost of ${fixed}`)
  return { code: "policy.grown", message, asset: asset.id, want, moved, fixed }
}
