import type { Asset, AssetId } from "#domain/asset.ts"
import type { WantedPair } from "#engine/rules/tick/build-view.ts"
import { derivePlanLimits } from "#engine/rules/tick/derive-plan-limits.ts"
import type { PlanInputs } from "#engine/rules/tick/plan-again.ts"
import { limitsOf } from "#engine/rules/tick/plan-limits.ts"
import { CORRECTIONS_MS } from "#policy/corrections.ts"
import { type DueRule, type Evaluation, evaluate } from "#policy/evaluate.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import type { BalanceView, PairView, TreasuryView } from "#policy/treasury-view.ts"
import { type BacktestContext, coinOf, feeBudgetOf } from "./judge-in-backtest.ts"
import { OURS } from "./ours.ts"
import { createLimitReader } from "./read-limits.ts"
import { scopeView } from "./scope-view.ts"
import { type ActiveFaults, findFaults } from "./world/active-faults.ts"
import { createQuoteMemory, quotePair } from "./world/quote-pair.ts"
import { viewTreasury } from "./world/treasury.ts"

/** A plan and its inputs, from which the next plan of the same tick follows. */
export type BacktestAnswer = { readonly evaluation: Evaluation; readonly inputs: PlanInputs }

export type Decider = {
  readonly decide: (due: readonly DueRule[]) => BacktestAnswer
  /** A refusal stated the bounds of the pair. */
  readonly learnBounds: (from: AssetId, to: AssetId) => void
  readonly view: () => TreasuryView
}

type RunContext = Omit<BacktestContext, "nowMs">

/**
 * Evaluates the policy, and caches the answer until the treasury or what is left of a limit
 * changes: policy is pure, so the answer still holds.
 */
export function createDecider(context: RunContext, nowMs: () => number): Decider {
  const { subject, treasury, orders } = context
  const { rules } = subject.settings
  const enabled = rules.filter((rule) => rule.enabled !== false)
  const limitReader = createLimitReader(context, nowMs)
  const memory = createQuoteMemory(context, nowMs)
  let version = -1
  let view: TreasuryView = { assets: [], pairs: [] }
  const answers = new Map<string, BacktestAnswer & { readonly holds: () => boolean }>()

  function readView(): TreasuryView {
    if (version === treasury.version()) return view
    view = buildView(context, findFaults(context.scenario, nowMs()))
    version = treasury.version()
    answers.clear()
    return view
  }

  function decide(due: readonly DueRule[]): BacktestAnswer {
    const now = readView()
    const key = due.map(({ rule, occurrence }) => `${rule} ${occurrence ?? ""}`).join("\n")
    const known = answers.get(key)
    if (known?.holds()) return known
    const general = limitsOf({ journal: orders, settings: subject.settings }, subject.maxCost)
    const faults = findFaults(context.scenario, nowMs())
    const quote = (so: TreasuryView, wanted: WantedPair): PairView =>
      quotePair(context, faults, so, { wanted, limits: general, memory })
    const scoped = scopeView(now, {
      rules: enabled,
      due,
      limits: general,
      quote,
      sums: { journal: orders, nowMs: nowMs() },
    })
    const { limits, holds } = readLimits(scoped, due, general)
    const boundsKnown = memory.countBounds()
    const correctionsChangeMs =
      scoped.corrections === undefined
        ? Number.POSITIVE_INFINITY
        : orders.nextCorrectionLeavesMs(CORRECTIONS_MS, nowMs())
    const inputs = { view: scoped, rules: enabled, limits, due }
    const answer = {
      evaluation: evaluate(scoped, enabled, limits, due, subject.solve),
      inputs,
      holds: () => holds() && nowMs() < correctionsChangeMs && memory.countBounds() === boundsKnown,
    }
    answers.set(key, answer)
    return answer
  }

  function readLimits(scoped: TreasuryView, due: readonly DueRule[], general: PlanLimits) {
    const steps = derivePlanLimits(scoped, enabled, due)
    let step = steps.next()
    let holds = () => true
    while (!step.done) {
      const read = limitReader(general, step.value)
      holds = read.holds
      step = steps.next(read.limits)
    }
    return { limits: step.value, holds }
  }

  return { decide, learnBounds: memory.learnBounds, view: readView }
}

function buildView(context: RunContext, faults: ActiveFaults): TreasuryView {
  const { subject, treasury } = context
  return viewTreasury(treasury, subject.assets, {
    balance: (asset) => {
      const cause = faults.unreadable(asset.id)
      return cause === null ? balanceOf(context, asset) : { readable: false, cause }
    },
    unpriced: faults.unpriced,
    isReference: (id) => subject.priced.has(id),
  })
}

/** The balance as `engine/rules/tick/read-balance.ts` and `in-flight.ts` compute it. */
function balanceOf({ subject, scenario, treasury, orders }: RunContext, asset: Asset): BalanceView {
  let inFlightInUnits = 0n
  let inFlightOutUnits = 0n
  for (const { data, deposited, returning } of orders.open()) {
    const { from, to, sourceUnits, destinationOwner } = data.request
    if (from === asset.id && !deposited) inFlightOutUnits += sourceUnits
    if (from === asset.id && deposited && returning) inFlightInUnits += sourceUnits
    if (to === asset.id && !returning && destinationOwner === OURS)
      inFlightInUnits += data.quote?.destinationUnits ?? 0n
  }
  const floorUnits =
    asset.id === coinOf({ scenario }, asset.id) ? floorOf({ subject, scenario, orders }, asset) : 0n
  return {
    readable: true,
    spendableUnits: treasury.units(asset.id),
    inFlightInUnits,
    inFlightOutUnits,
    floorUnits,
  }
}

function floorOf(
  { subject, scenario, orders }: Pick<RunContext, "subject" | "scenario" | "orders">,
  { id, chain }: Asset,
) {
  const { depositUnits, refundUnits } = feeBudgetOf(scenario, id)
  const minNative = subject.settings.minNative.get(chain) ?? 0n
  return depositUnits + refundUnits + orders.sumReservedFees(id) + minNative
}
