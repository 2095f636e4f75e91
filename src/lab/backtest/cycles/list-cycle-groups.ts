import type { AssetId } from "#domain/asset.ts"
import type { SoldLimit } from "#domain/sold-limit.ts"
import { ruleKindOf, scheduleOf, type TimedRule } from "#policy/rules/registry.ts"
import type { Rule, RulePair } from "#policy/rules/rule-kind.ts"

/**
 * The sets of rules that a search for circles must backtest: the standing rules alone, and all
 * rules together. A set that can make no circle is left out, because a search takes the processor
 * for most of a second.
 */
export function listCycleGroups(
  all: readonly TimedRule[],
  maxOrder: SoldLimit | null,
): readonly (readonly TimedRule[])[] {
  const enabled = all.filter((rule) => rule.enabled !== false)
  const standing = enabled.filter((rule) => scheduleOf(rule) === null)
  const groups = standing.length < enabled.length ? [standing, enabled] : [standing]
  return groups.filter((rules) => rules.length > 1 && canCycle(rules, maxOrder))
}

/**
 * Whether the orders of these rules can sell money round in a circle again and again. `false` is a
 * proof; `true` only means that a backtest must try.
 *
 * A rule that sells an asset only above its own upper bound does so once, unless another rule buys
 * the asset: its own orders never lift the balance above that bound. A scheduled rule does nothing
 * if `maxOrder` refuses its every order.
 */
export function canCycle(rules: readonly Rule[], maxOrder: SoldLimit | null): boolean {
  const owned: OwnedPair[] = []
  for (const rule of rules) {
    const pairs = pairsOf(rule, maxOrder)
    if (pairs === null) return true
    owned.push(...pairs.map((pair) => ({ ...pair, rule: rule.id })))
  }
  const repeated = owned.filter(
    ({ rule, from, whenAbove }) =>
      !whenAbove || owned.some((other) => other.rule !== rule && other.to === from),
  )
  return hasCircle(repeated)
}

type OwnedPair = RulePair & { readonly rule: string }

/** `null` where the kind does not say. */
function pairsOf(rule: Rule, maxOrder: SoldLimit | null): readonly RulePair[] | null {
  const kind = ruleKindOf(rule)
  if (kind.wake === "every") return kind.pairsOf?.(rule) ?? null
  const pair = kind.pairOf(rule)
  const mostUnits = maxOrder?.kind === "units" ? (maxOrder.byAsset[pair.from] ?? null) : null
  const amount = kind.fixedAmountOf?.(rule) ?? null
  const isRefused = mostUnits !== null && amount?.kind === "units" && amount.units > mostUnits
  return isRefused ? [] : [{ ...pair, whenAbove: false }]
}

/**
 * Takes away the assets that nothing is sold into, until none is left or each that is left is
 * bought.
 */
function hasCircle(pairs: readonly RulePair[]): boolean {
  let left = pairs
  for (;;) {
    const bought = new Set<AssetId>(left.map(({ to }) => to))
    const inner = left.filter(({ from }) => bought.has(from))
    if (inner.length === left.length) return left.length > 0
    left = inner
  }
}
