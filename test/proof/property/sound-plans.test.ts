import fc from "fast-check"
import { expect, test } from "vitest"
import { canCycle } from "#backtest/cycles/list-cycle-groups.ts"
import type { Reason } from "#domain/reason.ts"
import { type RuleOrder, watchChurn } from "#engine/watches/churn-watch.ts"
import { evaluate, findNeeds, isStanding, type Proposal } from "#policy/evaluate.ts"
import type { BlockedPair, PlanLimits } from "#policy/planner/limits.ts"
import type { PolicyRule } from "#policy/rules/registry.ts"
import { findAsset, type TreasuryView } from "#policy/treasury-view.ts"
import { ciRuns } from "../../support/ci-sample.ts"
import { FIAT, share } from "../../unit/policy/sample-plan.ts"
import { PAIRS, variedRules, viewsOf } from "./random-rules.ts"

/**
 * Up to six random rules on a closed treasury: there are no payments from outside, prices stand
 * still, and each order arrives before the next tick. Every order costs something, so rules that
 * trade for ever lose money. They must come to rest by themselves, or be stopped by the alarm of
 * the daemon.
 *
 * `BALLAST_PLAN_RUNS=100000` runs more configurations, `BALLAST_PLAN_SEED=17` others.
 */
const RUNS = Number(process.env["BALLAST_PLAN_RUNS"] ?? ciRuns(10_000, 4))
const SEED = Number(process.env["BALLAST_PLAN_SEED"] ?? 16)
const TICK_MS = 5 * 60_000
/** Within a day, so that the alarm sees all orders. */
const TICKS = 240

test("no rules trade in a circle that the proof of `ballast check` excludes, or at a loss without " +
  "an alarm, and none of them starves", {
  timeout: 600_000,
}, () => {
  const seen = { alarms: 0, quiet: 0, proven: 0 }
  fc.assert(
    fc.property(worlds, (world) => {
      const run = runClosed(world)
      seen.alarms += run.alarms.length
      if (run.orders > 0 && run.alarms.length === 0) seen.quiet += 1
      expect(run.circle).toBeNull()
      const isProven = !canCycle(world.rules, null)
      if (isProven) expect(run.alarms).toEqual([])
      if (isProven && run.orders > 1 && world.rules.length > 1) seen.proven += 1
      expect(run.atRest ? findStarved(world.rules, run) : []).toEqual([])
    }),
    { numRuns: RUNS, seed: SEED },
  )
  // The properties mean something only where rules trade, and where some of them harm.
  expect(seen.quiet).toBeGreaterThan(RUNS / 10)
  expect(seen.alarms).toBeGreaterThan(0)
  expect(seen.proven).toBeGreaterThan(RUNS / 100)
})

type World = {
  readonly view: TreasuryView
  readonly rules: readonly PolicyRule[]
  readonly maxOrders: number
  readonly blocked: readonly BlockedPair[]
}

type Closed = {
  readonly atRest: boolean
  /** The pairs that the rules still sell round in a circle at the end; `null` for none. */
  readonly circle: readonly string[] | null
  readonly orders: number
  readonly alarms: readonly Reason[]
  readonly view: TreasuryView
  readonly limits: PlanLimits
}

function runClosed({ view: start, rules, maxOrders, blocked }: World): Closed {
  const alarms: Reason[] = []
  const placed: RuleOrder[] = []
  const flags = new Map<string, string | null>()
  const journal = {
    readFlag: (key: string) => flags.get(key) ?? null,
    writeFlag: (key: string, value: string | null) => void flags.set(key, value),
    raiseAlert: (_: number, reason: Reason) => void alarms.push(reason),
  }
  let view = start
  for (let tick = 1; ; tick += 1) {
    const nowMs = tick * TICK_MS
    const paused = rules.filter(({ id }) => journal.readFlag(`pause/rule/${id}`) !== null)
    const stopped = paused.flatMap(({ id: rule }) =>
      PAIRS.map((pair) => ({ ...pair, rule, reasons: [PAUSED] })),
    )
    const limits = { ...LIMITS, maxOrders, blocked: [...blocked, ...stopped] }
    const { proposals } = evaluate(view, rules, limits)
    const atRest = proposals.length === 0
    if (atRest || tick === TICKS) {
      const circle = atRest ? null : findCircle(placed, (TICKS * TICK_MS) / 2)
      return { atRest, circle, orders: placed.length, alarms, view, limits }
    }
    for (const { rules: served, from, to, costFiat } of proposals) {
      const [rule = ""] = served
      const order = {
        rule,
        from,
        to,
        feeFiat: costFiat,
        createdAtMs: nowMs,
        outcome: "completed",
        isOurs: () => true,
      }
      placed.push(order)
    }
    watchChurn(
      { journal, settings: {}, clock: { now: () => nowMs }, log: { error: () => undefined } },
      () => placed,
      () => null,
    )
    view = settle(view, proposals)
  }
}

/**
 * At rest the same plan comes back at every tick. A rule is feasible when it would get a real order
 * if it alone were due, so at rest no rule is. An order that grows beyond the need, to be cheap
 * enough, does not count: it does not grow where it would share its pair with another rule.
 */
function findStarved(rules: readonly PolicyRule[], { view, limits }: Closed): string[] {
  const ask = (ids: readonly string[]): readonly Proposal[] => {
    const due = ids.map((rule) => ({ rule, occurrence: null }))
    return evaluate(view, rules, limits, due).proposals
  }
  const mostNeeded = (rule: string): bigint => {
    const needs = findNeeds(view, rules, limits, [{ rule, occurrence: null }])
    return needs
      .map(({ wantUnits }) => (wantUnits * 11n) / 10n)
      .reduce((a, b) => (a > b ? a : b), 0n)
  }
  const standing = rules.filter(isStanding).map(({ id }) => id)
  const feasible = standing.filter((id) =>
    ask([id]).some(({ units }) => units >= LEAST && units <= mostNeeded(id)),
  )
  return feasible
}

function settle(view: TreasuryView, proposals: readonly Proposal[]): TreasuryView {
  const units = new Map(
    proposals.flatMap(({ from, to }) => [from, to]).map((id) => [id, held(view, id)]),
  )
  for (const { from, to, units: sold, receiveUnits } of proposals) {
    units.set(from, (units.get(from) ?? 0n) - sold)
    units.set(to, (units.get(to) ?? 0n) + (receiveUnits ?? 0n))
  }
  const assets = view.assets.map((asset) => {
    const spendableUnits = units.get(asset.id)
    if (spendableUnits === undefined || !asset.balance.readable) return asset
    return { ...asset, balance: { ...asset.balance, spendableUnits } }
  })
  return { ...view, assets }
}

function held(view: TreasuryView, id: Parameters<typeof findAsset>[1]): bigint {
  const balance = findAsset(view, id)?.balance
  return balance?.readable ? balance.spendableUnits : 0n
}

/**
 * The pairs of the orders since then, when they form a circle. An asset without a sale, or without
 * a purchase, is in none.
 */
function findCircle(orders: readonly RuleOrder[], sinceMs: number): string[] | null {
  let edges = orders.filter(({ createdAtMs }) => createdAtMs > sinceMs)
  for (let before = -1; before !== edges.length; ) {
    before = edges.length
    const sold = new Set(edges.map(({ from }) => from))
    const bought = new Set(edges.map(({ to }) => to))
    edges = edges.filter(({ from, to }) => bought.has(from) && sold.has(to))
  }
  return edges.length === 0
    ? null
    : [...new Set(edges.map(({ rule, from, to }) => `${rule}: ${from} → ${to}`))]
}

/** A smaller order than this may disappear in the rounding of units. */
const LEAST = 20n
const PAUSED: Reason = { code: "paused", message: "Paused" }
const LIMITS: PlanLimits = { maxOrders: 9, maxOrder: null, split: true, maxCost: share(200n) }

const worlds = fc.record({
  view: viewsOf(Number(FIAT / 100n)),
  rules: variedRules,
  maxOrders: fc.integer({ min: 1, max: 9 }),
  blocked: fc
    .subarray(PAIRS, { maxLength: 12 })
    .map((pairs) => pairs.map((pair): BlockedPair => ({ ...pair, rule: null, reasons: [PAUSED] }))),
})
