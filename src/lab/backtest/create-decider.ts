import type { Asset, AssetId } from "#domain/asset.ts"
import { type KnownFees, readWaitsUntil, type TimedEntry } from "#engine/rules/decide/fee-waits.ts"
import type { JudgePort } from "#engine/rules/decide/judge.ts"
import { type PlanPort, type PolicyAnswer, planTick } from "#engine/rules/decide/plan-tick.ts"
import { runAtOnce } from "#engine/rules/decide/steps.ts"
import type { ViewPort } from "#engine/rules/decide/view-due-rules.ts"
import { limitsOf } from "#engine/rules/tick/plan-limits.ts"
import { CORRECTIONS_MS } from "#policy/corrections.ts"
import { searchAlone } from "#policy/planner/flow/search-here.ts"
import { hourlyFees } from "#policy/schedule/fee-timing.ts"
import {
  type AssetView,
  type BalanceView,
  findAsset,
  type TreasuryView,
} from "#policy/treasury-view.ts"
import { type FeeUse, measureFeeUse } from "#policy/values/fee-use.ts"
import { dayOf, startOfDay, sumDays } from "#policy/values/forecast-flow.ts"
import type { KnownHoldings } from "#policy/values/hold-values.ts"
import { OURS } from "./ours.ts"
import { createLimitReader } from "./read-limits.ts"
import { coinOf, depositFeeAt, feeBudgetOf, type RunContext } from "./run-context.ts"
import { kindsOf } from "./simulated-routes.ts"
import { type ActiveFaults, findFaults } from "./world/active-faults.ts"
import { createQuoteMemory, type QuoteMemory, quotePair } from "./world/quote-pair.ts"
import { chainIn, viewTreasury } from "./world/treasury.ts"

export type Decider = {
  readonly plan: (due: readonly TimedEntry[]) => PolicyAnswer
  /** A refusal stated the bounds of the pair. */
  readonly learnBounds: (from: AssetId, to: AssetId) => void
  readonly view: () => TreasuryView
}

/**
 * Plans as the daemon does (`engine/rules/decide/plan-tick.ts`), and caches the answer until the
 * treasury or what is left of a limit changes: policy is pure, so the answer still holds.
 */
export function createDecider(context: RunContext, port: JudgePort): Decider {
  const { subject, treasury, orders } = context
  const rules = subject.settings.rules.filter((rule) => rule.enabled !== false)
  const nowMs = port.clock.now
  const readLimits = createLimitReader(context, port)
  const memory = createQuoteMemory(context, nowMs)
  let version = -1
  let view: TreasuryView = { assets: [], pairs: [] }
  const holdings: KnownHoldings = new Map()
  const answers = new Map<
    string,
    { readonly answer: PolicyAnswer; readonly holds: () => boolean }
  >()

  function readView(): TreasuryView {
    if (version === treasury.version()) return view
    view = buildView(context, findFaults(context.scenario, nowMs()))
    version = treasury.version()
    answers.clear()
    return view
  }

  function plan(due: readonly TimedEntry[]): PolicyAnswer {
    const all = readView()
    const key = due.map(({ rule, occurrence }) => `${rule} ${occurrence ?? ""}`).join("\n")
    const known = answers.get(key)
    if (known?.holds()) return known.answer
    let limitsHold = (): boolean => true
    const reads: PlanPort = {
      ...viewPortOf(context, memory, all, nowMs),
      holdings,
      rules,
      general: limitsOf({ journal: orders, settings: subject.settings }, subject.maxCost),
      readLimits: (general, pairs) => {
        const { limits, holds } = readLimits(general, pairs)
        limitsHold = holds
        return limits
      },
      solve: subject.solve ?? searchAlone,
    }
    const answer = runAtOnce(planTick(reads, due))
    const boundsKnown = memory.countBounds()
    const correctionsChangeMs =
      answer.inputs.view.corrections === undefined
        ? Number.POSITIVE_INFINITY
        : orders.nextCorrectionLeavesMs(CORRECTIONS_MS, nowMs())
    const isOfToday = answer.inputs.view.assets.some(
      ({ holding, feeUse }) => holding !== undefined || feeUse !== undefined,
    )
    const holdingsChangeMs = isOfToday ? startOfDay(dayOf(nowMs()) + 1) : Number.POSITIVE_INFINITY
    const feesChangeMs = answer.inputs.view.fees === undefined ? Number.POSITIVE_INFINITY : 0
    const changesMs = Math.min(correctionsChangeMs, holdingsChangeMs, feesChangeMs)
    const holds = (): boolean =>
      limitsHold() && nowMs() < changesMs && memory.countBounds() === boundsKnown
    answers.set(key, { answer, holds })
    return answer
  }

  return { plan, learnBounds: memory.learnBounds, view: readView }
}

/**
 * Balances and prices are in the view of everything. As in the daemon, only the asked ones count.
 */
function viewPortOf(
  context: RunContext,
  memory: QuoteMemory,
  all: TreasuryView,
  now: () => number,
): Omit<ViewPort, "holdings"> {
  const faults = findFaults(context.scenario, now())
  return {
    addAssets: (so, ids) => {
      const missing = [...new Set(ids)].filter((id) => findAsset(so, id) === null)
      const added = missing.flatMap((id): AssetView[] => {
        const found = findAsset(all, id)
        if (found === null) return []
        return [{ id, decimals: found.decimals, balance: found.balance, priceFiat: null }]
      })
      return { ...so, assets: [...so.assets, ...added] }
    },
    addPrices: (so, ids) => ({
      ...so,
      assets: so.assets.map((asset) =>
        ids.includes(asset.id) ? { ...asset, ...findAsset(all, asset.id) } : asset,
      ),
    }),
    addPairs: (so, pairs, limits) => {
      const ask = { limits, memory }
      const added = pairs.flatMap((wanted) =>
        [undefined, ...kindsOf(context, wanted.from, wanted.to)].map((kind) =>
          quotePair(context, faults, so, { ...ask, wanted, kind, nowMs: now() }),
        ),
      )
      return { ...so, pairs: [...so.pairs, ...added] }
    },
    sumCorrections: context.orders.sumCorrections,
    readFees: (id) => readFees(context, id, now()),
    readFeeUse: (coin, today) => readFeeUse(context, coin, today),
    waitsUntilMs: (rule) => readWaitsUntil(context.orders, rule),
    readFlows: (id, today) => context.treasury.flows(id).filter(({ day }) => day < today),
    now,
  }
}

function readFeeUse(
  { scenario, treasury }: RunContext,
  coin: AssetId,
  today: number,
): FeeUse | null {
  if (coinOf({ scenario }, coin) !== coin) return null
  const { depositUnits, refundUnits } = feeBudgetOf(scenario, coin)
  const paid = treasury.fees(coin).map(({ day, units }) => ({ atMs: startOfDay(day), units }))
  return measureFeeUse(sumDays(paid, today), depositUnits + refundUnits)
}

function readFees({ scenario }: RunContext, id: AssetId, nowMs: number): KnownFees | null {
  const lately = hourlyFees(chainIn(scenario, id).fees ?? [], nowMs)
  if (lately.length === 0) return null
  const fee = depositFeeAt(scenario, id, nowMs)
  return { fee, lately: [...lately, fee] }
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
  return depositUnits + refundUnits + orders.sumReservedFees(chain, null) + minNative
}
