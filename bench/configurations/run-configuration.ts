import { listDue } from "#backtest/list-due.ts"
import { runSeed } from "#backtest/run-seed.ts"
import { quoteOf } from "#backtest/simulated-service.ts"
import type { RunWatch } from "#backtest/watch-run.ts"
import { deriveScenario } from "#backtest/world/derive-scenario.ts"
import { boundsOf, pricedAsset, type Treasury, valueOfWallets } from "#backtest/world/treasury.ts"
import type { CostLimit } from "#domain/order.ts"
import { outcomeOf, type RuleDecision } from "#engine/rules/decide/decide-tick.ts"
import { quoteFeeFiat } from "#guards/price.ts"
import { measureCirculation } from "#policy/circulation.ts"
import { findNeeds, type Proposal } from "#policy/evaluate.ts"
import type { Trade } from "#policy/find-churn.ts"
import type { Need } from "#policy/need.ts"
import type { FlowProblem } from "#policy/planner/flow/flow-problem.ts"
import type { OrderAnswer } from "#policy/planner/flow/settle-flow.ts"
import type { Configuration } from "./draw-configuration.ts"

/** What went wrong in a run: a sentence for each fault, by kind. */
export type Faults = {
  readonly seed: number
  readonly orders: number
  /** Orders of a plan that admission refused, for a reason that the plan could know. */
  readonly refused: readonly string[]
  /** A circle that burnt more than a two hundredth of the treasury before any alarm. */
  readonly circle: string | null
  /** Needs without an order in three days, although an affordable one would have passed. */
  readonly starved: readonly string[]
}

/** Runs the configuration in its market, and looks for faults. */
export function runConfiguration(
  { seed, subject, traits, choices, isStill }: Configuration,
  days: number,
  solve: (problem: FlowProblem) => OrderAnswer,
): Faults {
  const scenario = deriveScenario([subject], traits, days, choices)
  const refused = new Map<string, string>()
  const taught = new Set<string>()
  const trades: Trade[] = []
  const starving = createStarving()
  let alarms = 0
  let circle: string | null = null
  let treasury: Treasury | null = null
  const watch: RunWatch = {
    ...SILENT,
    judged: (proposal, reasons) => {
      for (const { code, message } of reasons) {
        // The service states its bounds when it refuses an amount, so one refusal teaches them.
        const pair = `${proposal.from}>${proposal.to}`
        const isFirst = code === "service.amount_bounds" && !taught.has(pair)
        if (isFirst) taught.add(pair)
        else if (!refused.has(code)) refused.set(code, `${describe(proposal)}: ${code}: ${message}`)
      }
    },
    completed: ({ data }) => {
      const { quote, rule, secondRule = null } = data
      if (quote === null) return
      const { from, to, sourceFiat } = quote
      trades.push({ rule, secondRule, from, to, sourceFiat, feeFiat: quoteFeeFiat(quote) })
      if (!isStill || alarms > 0 || circle !== null || treasury === null) return
      const { feesFiat, assets } = measureCirculation(trades)
      const treasuryFiat = valueOfWallets(treasury)
      if (feesFiat * 200n > treasuryFiat)
        circle = `${assets.join(" > ")} burnt ${feesFiat} of ${treasuryFiat} without an alarm`
    },
    alarmed: () => {
      alarms += 1
    },
    decided: (decision, nowMs) => {
      if (treasury !== null) starving.note(decision, treasury, nowMs)
    },
    observed: (now) => {
      treasury = now
    },
  }
  const run = runSeed({ ...subject, solve }, scenario, listDue(subject, scenario), seed, watch)
  return {
    seed,
    orders: run.moves,
    refused: [...refused.values()],
    circle,
    starved: starving.list(),
  }
}

const SILENT = {
  declined: () => undefined,
  judged: () => undefined,
  opened: () => undefined,
  deposited: () => undefined,
  completed: () => undefined,
  refunded: () => undefined,
  rejected: () => undefined,
  paidNetwork: () => undefined,
  observed: () => undefined,
}

function describe({ rules, from, to, units }: Proposal): string {
  return `${rules.join("+")} ${units} ${from} > ${to}`
}

const STARVED_MS = 3 * 86_400_000
/** The planner's word that the costs or the bounds leave no order. */
const COST_CODES = ["policy.too_dear", "policy.no_order_fits", "policy.below_minimum"]

/** Follows the rules that get no order because of costs, and tries orders of its own. */
function createStarving() {
  const since = new Map<string, number>()
  const found = new Map<string, string>()
  return {
    note: (decision: RuleDecision, treasury: Treasury, nowMs: number): void => {
      const { entry, round } = decision
      const { reasons, isOrdered } = outcomeOf(decision)
      const isHungry =
        entry.occurrence === null &&
        !isOrdered &&
        reasons.length > 0 &&
        reasons.every(({ code, maxCause }) => COST_CODES.includes(code) && maxCause !== "fees")
      if (!isHungry) return void since.delete(entry.rule)
      const sinceMs = since.get(entry.rule) ?? nowMs
      since.set(entry.rule, sinceMs)
      if (nowMs - sinceMs < STARVED_MS || found.has(entry.rule)) return
      const { view, rules, limits, due } = round.answer.inputs
      const needs = findNeeds(view, rules, limits, due).filter(({ rule }) => rule === entry.rule)
      const maxOrder = limits.maxOrder?.kind === "fiat" ? limits.maxOrder.fiat : null
      for (const need of needs) {
        const order = findAffordable(need, treasury, { maxCost: limits.maxCost, maxOrder })
        const why = reasons.map(({ message }) => message).join("; ")
        if (order !== null) found.set(entry.rule, `${order}, and the plan says: ${why}`)
      }
    },
    list: (): string[] => [...found].map(([rule, what]) => `${rule}: ${what}`),
  }
}

/** An order of at most the need that costs at most nine tenths of each ceiling. */
function findAffordable(
  need: Need,
  treasury: Treasury,
  limits: { readonly maxCost: CostLimit | null; readonly maxOrder: bigint | null },
): string | null {
  const ceilings = [limits.maxCost, need.maxCost].filter((limit) => limit !== null)
  for (const { asset, destination } of need.partners) {
    const [from, to] = need.kind === "lose" ? [need.asset, asset] : [asset, need.asset]
    const pair = treasury.pair(from, to)
    if (!pair.available || destination !== null) continue
    const { minUnits, maxUnits } = boundsOf(pair, pricedAsset(treasury, from))
    const have = need.kind === "lose" ? need.wantUnits : treasury.units(from) / 4n
    for (let part = 1n; part <= 40n; part += 1n) {
      const units = (have * part) / 40n
      if (units === 0n || units < minUnits || (maxUnits !== null && units > maxUnits)) continue
      const quote = quoteOf(treasury, { from, to, units })
      const { sourceFiat, destinationFiat, destinationUnits } = quote
      if (sourceFiat === null || destinationFiat === null) continue
      if (need.kind === "gain" && destinationUnits > need.wantUnits) continue
      const isWithin = limits.maxOrder === null || sourceFiat <= limits.maxOrder
      const cost = sourceFiat - destinationFiat
      if (
        isWithin &&
        isWorth(need, units, destinationUnits) &&
        ceilings.every(isBelow(cost, sourceFiat))
      )
        return `${units} ${from} > ${to} costs ${cost} of ${sourceFiat}`
    }
  }
  return null
}

function isWorth(need: Need, units: bigint, payout: bigint): boolean {
  return payout > 0n && (need.kind === "lose" ? units : payout) >= need.leastUnits
}

function isBelow(cost: bigint, soldFiat: bigint): (limit: CostLimit) => boolean {
  return (limit) =>
    limit.kind === "fiat"
      ? cost * 10n <= limit.fiat * 9n
      : cost * 100_000n <= soldFiat * limit.bps * 9n
}
