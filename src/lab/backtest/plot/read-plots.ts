import { formatUnits } from "#domain/amount.ts"
import type { Asset } from "#domain/asset.ts"
import { ruleKindOf } from "#policy/rules/registry.ts"
import type { Backtest, BacktestedSubject } from "../backtest-policies.ts"
import { fanOf } from "../results/percentiles.ts"
import { feesOf } from "../results/summarise.ts"
import type { Subject } from "../subject.ts"

/** In the asset's own unit, at equal distances over the days. */
export type Plot = { readonly asset: string; readonly subjects: readonly Fan[] }
export type Fan = { readonly points: readonly ReturnType<typeof fanOf>[]; readonly bound: Bound }
type Bound = { readonly min: string; readonly target: string; readonly max: string | null } | null

/** The cost of each run in millionths, the lowest first, and the days of the middle run's swaps. */
export type Spent = { readonly costs: readonly string[]; readonly swapDays: readonly number[] }

const MOST_POINTS = 60

/** The balance of an asset over the days, and its bounds, for each subject. */
export function readPlot(
  asset: Pick<Asset, "id" | "decimals">,
  { subjects: done }: Backtest,
  subjects: readonly Subject[],
): Plot {
  return {
    asset: asset.id,
    subjects: done.map(({ runs }, index) => ({
      points: pointsOf(runs.map(({ samples }) => samples.balances[asset.id] ?? [])),
      bound: boundOf(asset, subjects[index]),
    })),
  }
}

export function readSpent({ runs }: BacktestedSubject): Spent {
  const sorted = runs.toSorted((a, b) => Number(feesOf(a) - feesOf(b)))
  return {
    costs: sorted.map((run) => String(feesOf(run))),
    swapDays: sorted[Math.ceil(sorted.length / 2) - 1]?.samples.swapDays ?? [],
  }
}

function pointsOf(curves: readonly (readonly number[])[]): Fan["points"] {
  const length = Math.min(...curves.map((curve) => curve.length))
  const count = Math.min(length, MOST_POINTS)
  return Array.from({ length: count }, (_, index) => {
    const at = Math.round((index * (length - 1)) / Math.max(1, count - 1))
    return fanOf(curves.map((curve) => curve[at] ?? 0))
  })
}

function boundOf(
  { id, decimals }: Pick<Asset, "id" | "decimals">,
  subject: Subject | undefined,
): Bound {
  const found = (subject?.settings.rules ?? [])
    .filter(({ enabled }) => enabled !== false)
    .flatMap((rule) => ruleKindOf(rule).balanceBounds(rule))
    .find(({ asset }) => asset === id)
  if (found === undefined) return null
  const { minUnits, targetUnits, maxUnits } = found
  return {
    min: formatUnits(minUnits, decimals),
    target: formatUnits(targetUnits, decimals),
    max: maxUnits === null ? null : formatUnits(maxUnits, decimals),
  }
}
