import type { AssetId } from "#domain/asset.ts"
import { addCorrections, type CorrectionsContext } from "#engine/rules/tick/add-corrections.ts"
import {
  pairOfOccurrence,
  pairsOf,
  type WantedPair,
  watchedBy,
} from "#engine/rules/tick/build-view.ts"
import { type DueRule, findNeeds, isStanding } from "#policy/evaluate.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import { findPair } from "#policy/planner/route.ts"
import type { PolicyRule } from "#policy/rules/registry.ts"
import { findAsset, type PairView, type TreasuryView } from "#policy/treasury-view.ts"

/**
 * The part of the treasury that the daemon reads for these rules, in the steps of
 * `engine/rules/tick/build-view.ts`: the planner's effort depends on the size of the view, and
 * rules that are not due must not get quotes.
 */
export function scopeView(
  all: TreasuryView,
  question: {
    readonly rules: readonly PolicyRule[]
    readonly due: readonly DueRule[]
    readonly limits: PlanLimits
    readonly quote: (view: TreasuryView, wanted: WantedPair) => PairView
    readonly sums: CorrectionsContext
  },
): TreasuryView {
  const { rules, due, limits, quote, sums } = question
  const asked = rules.filter(({ id }) => due.some(({ rule }) => rule === id))
  const first = withAssets({ assets: [], pairs: [] }, all, asked.flatMap(watchedBy))
  const watched = asked.filter(isStanding).flatMap(watchedBy)
  const timed = asked.flatMap(pairOfOccurrence).filter(({ to }) => watched.includes(to))
  const withTimed = withPairs(first, all, timed, quote)
  const needs = findNeeds(withTimed, rules, limits, due)
  return withPairs(addCorrections(withTimed, needs, sums), all, pairsOf(needs), quote)
}

function withAssets(view: TreasuryView, all: TreasuryView, ids: readonly AssetId[]): TreasuryView {
  const missing = [...new Set(ids)].filter((id) => findAsset(view, id) === null)
  const added = missing.flatMap((id) => findAsset(all, id) ?? [])
  return { ...view, assets: [...view.assets, ...added] }
}

function withPairs(
  view: TreasuryView,
  all: TreasuryView,
  pairs: readonly WantedPair[],
  quote: (view: TreasuryView, wanted: WantedPair) => PairView,
): TreasuryView {
  const fresh = pairs.filter(({ from, to }) => findPair(view.pairs, from, to) === null)
  const wanted = [...new Map(fresh.map((one) => [`${one.from}>${one.to}`, one])).values()]
  const ends = withAssets(
    view,
    all,
    wanted.flatMap(({ from, to }) => [from, to]),
  )
  return { ...ends, pairs: [...ends.pairs, ...wanted.map((one) => quote(ends, one))] }
}
