import type { Asset, AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import type { WantedPair } from "#engine/tick/build-view.ts"
import { delayOf } from "#engine/tick/conclude.ts"
import { limitsOf } from "#engine/tick/plan-limits.ts"
import { assert } from "#lib/assert.ts"
import { type DueRule, type Evaluation, evaluate } from "#policy/evaluate.ts"
import type { BalanceView, PairView, TreasuryView } from "#policy/treasury-view.ts"
import { type ActiveFaults, findFaults } from "./active-faults.ts"
import { type BookCheck, createBookCheck } from "./book-check.ts"
import { createJudge } from "./create-judge.ts"
import { createTimeline, type Timeline } from "./create-timeline.ts"
import { type BacktestContext, coinOf } from "./judge-in-backtest.ts"
import type { Calendar } from "./list-due.ts"
import { createMeasure, type SeedResult } from "./measure.ts"
import { OURS } from "./order-transitions.ts"
import { createOrderProcessor } from "./process-orders.ts"
import { quotePair } from "./quote-pair.ts"
import { createMarket } from "./sample-market.ts"
import type { Scenario } from "./scenario.ts"
import { scopeView } from "./scope-view.ts"
import { createSimulatedJournal } from "./simulated-journal.ts"
import type { Subject } from "./subject.ts"
import { chainIn, createTreasury, type Treasury, viewTreasury } from "./treasury.ts"
import { type RunWatch, watchMeasure } from "./watch-run.ts"

/**
 * Runs one policy in one random market, from the first instant to the last.
 *
 * At each instant the orders in flight advance first, then flows, prices and quotes change, and then the due rules run: view → evaluate → guards →
 * order.
 * Throws `bug.assertion` when wallets and books disagree at the end.
 */
export function runSeed(
  subject: Subject,
  scenario: Scenario,
  calendar: Calendar,
  seed: number,
  watch: RunWatch | null = null,
): SeedResult {
  const market = createMarket(scenario, seed)
  const treasury = createTreasury(scenario)
  const orders = createSimulatedJournal()
  const books = createBookCheck(subject.assets, scenario)
  const context = { subject, scenario, treasury, orders }
  const decider = createDecider(context, () => nowMs)
  const measure = watchMeasure(createMeasure(context, decider.view), watch, treasury, () => nowMs)
  const processor = createOrderProcessor({ ...context, market, books, measure })
  const judge = createJudge(context)
  const clock = createTimeline(scenario, calendar)
  const served = new Map<AssetId, bigint>()
  let nowMs = scenario.startMs

  function flow(asset: AssetId, units: bigint): void {
    const have = treasury.units(asset)
    const paid = units < 0n && have + units < 0n ? -have : units
    if (paid !== units) measure.unserved(asset, paid - units)
    treasury.add(asset, paid)
    served.set(asset, (served.get(asset) ?? 0n) + paid)
  }

  function tick(due: readonly DueRule[]): readonly string[] {
    const { proposals, declined } = decider.decide(due)
    const reasons = reasonsOf(due, declined)
    measure.declined(declined, nowMs)
    const placed: string[] = []
    for (const proposal of proposals) {
      const judged = judge(proposal, nowMs)
      measure.judged(proposal, judged.reasons, nowMs)
      for (const rule of proposal.rules) reasons.get(rule)?.push(...judged.reasons)
      if (judged.reasons.length > 0) continue
      processor.open(proposal, judged, nowMs)
      if (proposal.occurrence !== null) placed.push(proposal.occurrence)
    }
    putOffRules(clock, calendar, reasons)
    return placed
  }

  const { underWay = [] } = scenario
  for (const order of underWay) flow(order.from, order.units)
  for (const order of underWay) processor.resume(order, nowMs)
  measure.observe(nowMs)
  for (;;) {
    const nextMs = Math.min(clock.nextMs(), processor.nextMs())
    if (nextMs > clock.endMs) break
    measure.pass(nextMs)
    nowMs = nextMs
    processor.advance(nowMs)
    const turn = clock.take(nowMs)
    if (turn.step) {
      for (const [asset, units] of market.sampleFlows()) flow(asset, units)
      treasury.setPrices(market.samplePrices())
    }
    for (const { asset, units } of turn.flows) flow(asset, units)
    for (const quote of turn.quotes) treasury.recordQuote(quote)
    if (turn.faults) treasury.touch()
    if (turn.due.length > 0) clock.settle(tick(turn.due))
    measure.observe(nowMs)
  }
  measure.pass(clock.endMs)
  assertBooksMatch(scenario, treasury, books, served)
  return measure.conclude(seed, books.entries())
}

/** The reasons against each due rule, to which the guards add theirs. */
function reasonsOf(due: readonly DueRule[], declined: Evaluation["declined"]): Map<string, Reason[]> {
  const reasons = new Map(due.map(({ rule }): [string, Reason[]] => [rule, []]))
  for (const { rule, reasons: own } of declined) reasons.get(rule)?.push(...own)
  return reasons
}

function putOffRules(clock: Timeline, { standing }: Calendar, reasons: ReadonlyMap<string, readonly Reason[]>): void {
  for (const { rule, everyMs } of standing) {
    const own = reasons.get(rule)
    if (own !== undefined) clock.putOff(rule, delayOf(everyMs, own))
  }
}

/** Evaluates the policy and caches the answer until the treasury changes: policy is pure, so the answer still holds. */
function createDecider(context: RunContext, nowMs: () => number): Decider {
  const { subject, treasury, orders } = context
  const { rules } = subject.settings
  const enabled = rules.filter((rule) => rule.enabled !== false)
  let version = -1
  let view: TreasuryView = { assets: [], pairs: [] }
  const answers = new Map<string, Evaluation>()

  function readView(): TreasuryView {
    if (version === treasury.version()) return view
    view = buildView(context, findFaults(context.scenario, nowMs()))
    version = treasury.version()
    answers.clear()
    return view
  }

  function decide(due: readonly DueRule[]): Evaluation {
    const now = readView()
    const key = due.map(({ rule, occurrence }) => `${rule} ${occurrence ?? ""}`).join("\n")
    const known = answers.get(key)
    if (known) return known
    const limits = limitsOf({ journal: orders, settings: subject.settings }, subject.maxCost)
    const faults = findFaults(context.scenario, nowMs())
    const quote = (so: TreasuryView, wanted: WantedPair): PairView => quotePair(context, faults, so, { wanted, limits })
    const answer = evaluate(scopeView(now, { rules: enabled, due, limits, quote }), enabled, limits, due)
    answers.set(key, answer)
    return answer
  }

  return { decide, view: readView }
}

type RunContext = Omit<BacktestContext, "nowMs">
type Decider = { readonly decide: (due: readonly DueRule[]) => Evaluation; readonly view: () => TreasuryView }

function buildView(context: RunContext, faults: ActiveFaults): TreasuryView {
  const { subject, treasury } = context
  return viewTreasury(treasury, subject.assets, {
    balance: (asset) => {
      const cause = faults.unreadable(asset.id)
      return cause === null ? balanceOf(context, asset) : { readable: false, cause }
    },
    unpriced: faults.unpriced,
  })
}

/** The balance as `engine/tick/read-balance.ts` and `in-flight.ts` compute it. */
function balanceOf({ subject, scenario, treasury, orders }: RunContext, asset: Asset): BalanceView {
  let [inFlightInUnits, inFlightOutUnits] = [0n, 0n]
  for (const { data, deposited, returning } of orders.open()) {
    const { from, to, sourceUnits, destinationOwner } = data.request
    if (from === asset.id && !deposited) inFlightOutUnits += sourceUnits
    if (from === asset.id && deposited && returning) inFlightInUnits += sourceUnits
    if (to === asset.id && !returning && destinationOwner === OURS)
      inFlightInUnits += data.quote?.destinationUnits ?? 0n
  }
  const floorUnits = asset.id === coinOf({ scenario }, asset.id) ? floorOf({ subject, scenario, orders }, asset) : 0n
  return { readable: true, spendableUnits: treasury.units(asset.id), inFlightInUnits, inFlightOutUnits, floorUnits }
}

function floorOf(
  { subject, scenario, orders }: Pick<RunContext, "subject" | "scenario" | "orders">,
  { id, chain }: Asset,
) {
  const { depositFeeUnits, refundFeeUnits, worstFactor } = chainIn(scenario, id)
  const minNative = subject.settings.minNative.get(chain) ?? 0n
  return (depositFeeUnits + refundFeeUnits) * worstFactor + orders.sumReservedFees(id) + minNative
}

/** Checks to the smallest unit that start balances, flows and booked orders add up to the wallets. */
function assertBooksMatch(
  scenario: Scenario,
  treasury: Treasury,
  books: BookCheck,
  served: ReadonlyMap<AssetId, bigint>,
): void {
  for (const { id, startUnits } of scenario.assets) {
    const booked = startUnits + (served.get(id) ?? 0n) + (books.walletUnits().get(id) ?? 0n)
    assert(booked === treasury.units(id), "the books match the wallets", {
      asset: id,
      booked,
      units: treasury.units(id),
    })
  }
}
