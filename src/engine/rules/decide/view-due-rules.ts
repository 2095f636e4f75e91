import type { AssetId } from "#domain/asset.ts"
import { CORRECTIONS_MS } from "#policy/corrections.ts"
import { findNeeds } from "#policy/evaluate.ts"
import type { Need } from "#policy/need.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import { findPairs } from "#policy/planner/route.ts"
import { type PolicyRule, ruleKindOf } from "#policy/rules/registry.ts"
import type { AssetView, CorrectionSums, Corrections, TreasuryView } from "#policy/treasury-view.ts"
import type { FeeUse } from "#policy/values/fee-use.ts"
import { type DayFlow, dayOf } from "#policy/values/forecast-flow.ts"
import { addHoldings, type KnownHoldings } from "#policy/values/hold-values.ts"
import {
  addFeeWaits,
  type FeePort,
  salesOfNeeds,
  salesOfOccurrences,
  type TimedEntry,
} from "./fee-waits.ts"
import { type Answer, type Steps, wait } from "./steps.ts"

/** The reads of a view. Each returns the view with what it adds. */
export type ViewPort = FeePort & {
  /** Adds the balances of the assets that the view lacks. */
  readonly addAssets: (view: TreasuryView, ids: readonly AssetId[]) => Answer<TreasuryView>
  /**
   * Adds the prices that the assets lack. With `mayAsk` a quote may be asked for the price alone.
   */
  readonly addPrices: (
    view: TreasuryView,
    ids: readonly AssetId[],
    mayAsk: boolean,
  ) => Answer<TreasuryView>
  readonly addPairs: (
    view: TreasuryView,
    pairs: readonly WantedPair[],
    limits: PlanLimits,
  ) => Answer<TreasuryView>
  readonly sumCorrections: (of: { rule: string; asset: AssetId; sinceMs: number }) => CorrectionSums
  /** What came to the asset and left it on the whole days before today, without our orders. */
  readonly readFlows: (asset: AssetId, today: number) => readonly DayFlow[]
  /** The network fees that the coin paid; `null` where it pays none, or they are unreadable. */
  readonly readFeeUse: (coin: AssetId, today: number) => Answer<FeeUse | null>
  /** The holding costs of the day, for the ticks after the first that needs them. */
  readonly holdings: KnownHoldings
}

/** The input of the policy beside the view. */
type Question = {
  readonly rules: readonly PolicyRule[]
  readonly due: readonly TimedEntry[]
  readonly limits: PlanLimits
}

export type WantedPair = {
  readonly from: AssetId
  readonly to: AssetId
  readonly need: Need | null
  /** What the due occurrences sell, each as a whole; empty for a need. */
  readonly amounts: readonly bigint[]
}

/**
 * Reads everything that the due rules need, and nothing else. The order: the balances that they
 * watch; the prices without which a rule cannot size its needs; the quotes of due occurrences for
 * their very amounts; and, only for needs, the balances and prices of their partners and the quotes
 * of those pairs. A rule without needs causes no request to the service.
 */
export function* viewDueRules(port: ViewPort, question: Question): Steps<TreasuryView> {
  const { rules, due, limits } = question
  const asked = rules.filter(({ id }) => due.some(({ rule }) => rule === id))
  const read = yield* wait(port.addAssets(NOTHING, asked.flatMap(watchedBy)))
  const first = yield* addFeeUse(port, read, asked)
  const priced = yield* wait(port.addPrices(first, asked.flatMap(pricedFor), true))
  const ranked = yield* addFeeWaits(port, priced, salesOfOccurrences(rules, due))
  const timed = asked.flatMap((rule) => pairOfOccurrence(rule, ranked))
  const quoted = yield* addQuoted(port, ranked, timed, limits)
  const wanted = findNeeds(quoted, rules, limits, due)
  const withTimed = yield* addFeeWaits(port, quoted, salesOfNeeds(port, rules, wanted))
  const needs = findNeeds(withTimed, rules, limits, due)
  const corrected = addCorrections(port, withTimed, needs)
  const complete = yield* addQuoted(port, corrected, pairsOf(needs), limits)
  const today = dayOf(port.now())
  if (needs.length === 0) return complete
  const flowsOf = (asset: AssetId) => port.readFlows(asset, today)
  return addHoldings(complete, rules, today, { flowsOf, known: port.holdings })
}

/** Adds the use of the coins of which rules keep a stock for network fees. */
function* addFeeUse(
  port: ViewPort,
  view: TreasuryView,
  rules: readonly PolicyRule[],
): Steps<TreasuryView> {
  const coins = rules.map((rule) => ruleKindOf(rule).feeCoinOf?.(rule) ?? null)
  const assets: AssetView[] = []
  for (const asset of view.assets) {
    const isCoin = asset.balance.readable && coins.includes(asset.id)
    const feeUse = isCoin ? yield* wait(port.readFeeUse(asset.id, dayOf(port.now()))) : null
    assets.push(feeUse === null ? asset : { ...asset, feeUse })
  }
  return { ...view, assets }
}

/** Adds the balances and prices of both ends of each pair, and its costs. */
function* addQuoted(
  port: ViewPort,
  view: TreasuryView,
  pairs: readonly WantedPair[],
  limits: PlanLimits,
): Steps<TreasuryView> {
  const fresh = pairs.filter(({ from, to }) => findPairs(view.pairs, from, to).length === 0)
  if (fresh.length === 0) return view
  const wanted = joinPairs(fresh)
  const ends = wanted.flatMap(({ from, to }) => [from, to])
  const withEnds = yield* wait(port.addAssets(view, ends))
  const priced = yield* wait(port.addPrices(withEnds, ends, false))
  return yield* wait(port.addPairs(priced, wanted, limits))
}

/** Adds what the rules of the needs had to correct in the last days. */
function addCorrections(port: ViewPort, view: TreasuryView, needs: readonly Need[]): TreasuryView {
  const sinceMs = port.now() - CORRECTIONS_MS
  const corrections = needs.flatMap(({ rule, asset }): Corrections[] => {
    const sums = port.sumCorrections({ rule, asset, sinceMs })
    return sums.orders === 0 ? [] : [{ rule, asset, ...sums, overMs: CORRECTIONS_MS }]
  })
  return corrections.length === 0 ? view : { ...view, corrections }
}

const NOTHING: TreasuryView = { assets: [], pairs: [] }

function watchedBy(rule: PolicyRule): readonly AssetId[] {
  return ruleKindOf(rule).watchedAssets(rule)
}

function pricedFor(rule: PolicyRule): readonly AssetId[] {
  return ruleKindOf(rule).pricedAssets(rule)
}

/**
 * The pairs of all needs. A partner may have the same need itself: its quote counts when its own
 * rule gets no order (`planner.ts`).
 */
function pairsOf(needs: readonly Need[]): WantedPair[] {
  return needs.flatMap((need) =>
    need.partners.map(({ asset }) =>
      need.kind === "lose" ? pair(need.asset, asset, need) : pair(asset, need.asset, need),
    ),
  )
}

function pairOfOccurrence(rule: PolicyRule, view: TreasuryView): WantedPair[] {
  const kind = ruleKindOf(rule)
  const sized = kind.wake === "schedule" ? kind.sizeOrder(rule, view) : null
  if (kind.wake !== "schedule" || !sized?.ok) return []
  return [{ ...kind.pairOf(rule), need: null, amounts: [sized.units] }]
}

function pair(from: AssetId, to: AssetId, need: Need): WantedPair {
  return { from, to, need, amounts: [] }
}

/** One entry for each pair, with the amounts of all its occurrences. */
function joinPairs(pairs: readonly WantedPair[]): WantedPair[] {
  const joined = new Map<string, WantedPair>()
  for (const one of pairs) {
    const key = `${one.from}>${one.to}`
    const amounts = [...(joined.get(key)?.amounts ?? []), ...one.amounts]
    joined.set(key, { ...one, amounts })
  }
  return [...joined.values()]
}
