import type { AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import type { RuleDecision } from "#engine/rules/decide/decide-tick.ts"
import { assert } from "#lib/assert.ts"
import { createDecider } from "./create-decider.ts"
import { createJudge } from "./create-judge.ts"
import { createJudgePort } from "./judge-port.ts"
import type { Calendar } from "./list-due.ts"
import { type BookCheck, createBookCheck } from "./results/book-check.ts"
import { createMeasure, type SeedResult } from "./results/measure.ts"
import { runTick } from "./run-tick.ts"
import { createSimulatedJournal } from "./simulated-journal.ts"
import type { Subject } from "./subject.ts"
import { type RunWatch, watchMeasure } from "./watch-run.ts"
import { createTimeline } from "./world/create-timeline.ts"
import { createOrderProcessor } from "./world/process-orders.ts"
import { createMarket } from "./world/sample-market.ts"
import type { Scenario } from "./world/scenario.ts"
import { createTreasury, type Treasury } from "./world/treasury.ts"

/**
 * Runs one policy in one random market, from the first instant to the last.
 *
 * At each instant the orders in flight advance first, then flows, prices and quotes change, and
 * then the due rules run: view → evaluate → guards → order. Throws `bug.assertion` when wallets and
 * books disagree at the end.
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
  const port = createJudgePort(context, () => nowMs)
  const decider = createDecider(context, port)
  const measure = watchMeasure(createMeasure(context, decider.view), watch, treasury, () => nowMs)
  const processor = createOrderProcessor({ ...context, market, books, measure })
  const judge = createJudge(context, port)
  const clock = createTimeline(scenario, calendar)
  const alarmed = (reason: Reason, atMs: number): void => {
    measure.alarmed(reason)
    watch?.alarmed?.(reason, atMs)
  }
  const decided = (decision: RuleDecision, atMs: number): void => watch?.decided?.(decision, atMs)
  const tick = { ...context, decider, judge, processor, measure, clock, alarmed, decided }
  const served = new Map<AssetId, bigint>()
  let nowMs = scenario.startMs

  function flow(asset: AssetId, units: bigint): void {
    const have = treasury.units(asset)
    const paid = units < 0n && have + units < 0n ? -have : units
    if (paid !== units) measure.unserved(asset, paid - units)
    treasury.flow(asset, paid, nowMs)
    served.set(asset, (served.get(asset) ?? 0n) + paid)
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
    if (turn.due.length > 0) runTick(tick, turn.due, nowMs)
    measure.observe(nowMs)
  }
  measure.pass(clock.endMs)
  assertBooksMatch(scenario, treasury, books, served)
  return measure.conclude(seed, books.entries())
}

/**
 * Checks to the smallest unit that start balances, flows and booked orders add up to the wallets.
 */
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
