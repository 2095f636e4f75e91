import type { Asset, AssetId } from "#domain/asset.ts"
import { assert } from "#lib/assert.ts"
import { type DueRule, type Evaluation, evaluate } from "#policy/evaluate.ts"
import type { BalanceView, TreasuryView } from "#policy/treasury-view.ts"
import { fiatOfValue, valueOfUnits } from "#policy/value.ts"
import { type BookCheck, createBookCheck } from "./book-check.ts"
import { createJudge } from "./create-judge.ts"
import { createTimes } from "./create-times.ts"
import { createWorld } from "./draw-world.ts"
import { coinOf, configuredCoin, type Desk } from "./judge-proposal.ts"
import type { Calendar } from "./list-due.ts"
import { createMeasure, type SeedResult } from "./measure.ts"
import { createOrderBook } from "./order-book.ts"
import { createOrderDesk } from "./order-desk.ts"
import { OURS } from "./order-life.ts"
import type { Scenario } from "./scenario.ts"
import type { Subject } from "./subject.ts"
import { chainIn, createTreasury, type Treasury, viewTreasury } from "./treasury.ts"

/**
 * One policy in one random world, from the first instant to the last.
 *
 * At each instant: first what becomes of orders under way, then flows, prices and quotes, then the rules that are due: view → evaluate → guards → order.
 * Throws `bug.assertion` when wallets and books disagree at the end.
 */
export function runSeed(subject: Subject, scenario: Scenario, calendar: Calendar, seed: number): SeedResult {
  const world = createWorld(scenario, seed)
  const treasury = createTreasury(scenario)
  const orders = createOrderBook()
  const books = createBookCheck(subject.assets, scenario)
  const desk = { subject, scenario, treasury, orders }
  const decider = createDecider(desk)
  const measure = createMeasure(desk, decider.view)
  const lives = createOrderDesk({ ...desk, world, books, measure })
  const judge = createJudge(desk)
  const clock = createTimes(scenario, calendar)
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
    const evaluation = decider.decide(due)
    measure.declined(evaluation.declined, nowMs)
    const placed: string[] = []
    for (const proposal of evaluation.proposals) {
      const judged = judge(proposal, nowMs)
      measure.judged(proposal, judged.reasons, nowMs)
      if (judged.reasons.length > 0) continue
      lives.open(proposal, judged, nowMs)
      if (proposal.occurrence !== null) placed.push(proposal.occurrence)
    }
    return placed
  }

  measure.look(nowMs)
  for (;;) {
    const nextMs = Math.min(clock.nextMs(), lives.nextMs())
    if (nextMs > clock.endMs) break
    measure.pass(nextMs)
    nowMs = nextMs
    lives.advance(nowMs)
    const turn = clock.take(nowMs)
    if (turn.step) {
      for (const [asset, units] of world.drawFlows()) flow(asset, units)
      treasury.setPrices(world.drawPrices())
    }
    for (const { asset, units } of turn.flows) flow(asset, units)
    for (const quote of turn.quotes) treasury.recordQuote(quote)
    if (turn.due.length > 0) clock.settle(tick(turn.due))
    measure.look(nowMs)
  }
  measure.pass(clock.endMs)
  expectTrueBooks(scenario, treasury, books, served)
  return measure.conclude(seed, books.entries())
}

/** Evaluates, and remembers the answer for as long as nothing has changed: policy is pure, so the answer still holds. */
function createDecider(desk: Room): Decider {
  const { subject, treasury, orders } = desk
  const { limits, rules } = subject.settings
  const enabled = rules.filter((rule) => rule.enabled !== false)
  let version = -1
  let view: TreasuryView = { assets: [], pairs: [] }
  const answers = new Map<string, Evaluation>()

  function lookAgain(): TreasuryView {
    if (version === treasury.version()) return view
    view = lookAt(desk)
    version = treasury.version()
    answers.clear()
    return view
  }

  function decide(due: readonly DueRule[]): Evaluation {
    const now = lookAgain()
    const key = due.map(({ rule, occurrence }) => `${rule} ${occurrence ?? ""}`).join("\n")
    const known = answers.get(key)
    if (known) return known
    const maxOrders = Math.max(0, limits.maxInFlight - orders.countInFlight())
    const bounds = { maxOrders, maxOrder: limits.maxOrder, split: true, maxCost: subject.maxCost }
    const answer = evaluate(now, enabled, bounds, due)
    answers.set(key, answer)
    return answer
  }

  return { decide, view: lookAgain }
}

type Room = Omit<Desk, "nowMs">
type Decider = { readonly decide: (due: readonly DueRule[]) => Evaluation; readonly view: () => TreasuryView }

function lookAt(desk: Room): TreasuryView {
  const { subject, scenario, treasury } = desk
  return viewTreasury(treasury, subject.assets, {
    balance: (asset) => balanceOf(desk, asset),
    networkFeeFiat: (from, to) => {
      const coin = configuredCoin({ subject, scenario }, from)
      const { way } = subject.settings.policyFor(from, to)
      if (coin === null || way !== "onchain") return 0n
      const priceFiat = treasury.priceFiat(coin.id)
      const asset = { id: coin.id, decimals: coin.decimals, priceFiat, balance: UNREAD }
      return fiatOfValue(valueOfUnits(asset, priceFiat, worstDeposit(scenario, from)), "up")
    },
  })
}

const UNREAD = {
  readable: false,
  cause: { code: "policy.asset_unknown", message: "Only its price is asked for" },
} as const

function worstDeposit(scenario: Scenario, from: AssetId): bigint {
  const { depositFeeUnits, worstFactor } = chainIn(scenario, from)
  return depositFeeUnits * worstFactor
}

/** As `engine/tick/read-balance.ts` and `in-flight.ts` see it. */
function balanceOf({ subject, scenario, treasury, orders }: Room, asset: Asset): BalanceView {
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

function floorOf({ subject, scenario, orders }: Pick<Room, "subject" | "scenario" | "orders">, { id, chain }: Asset) {
  const { depositFeeUnits, refundFeeUnits, worstFactor } = chainIn(scenario, id)
  const minNative = subject.settings.minNative.get(chain) ?? 0n
  return (depositFeeUnits + refundFeeUnits) * worstFactor + orders.sumReservedFees(id) + minNative
}

/** To the unit: what the wallets held at first, what flowed, and what the books say that orders did. */
function expectTrueBooks(
  scenario: Scenario,
  treasury: Treasury,
  books: BookCheck,
  served: ReadonlyMap<AssetId, bigint>,
): void {
  for (const { id, startUnits } of scenario.assets) {
    const booked = startUnits + (served.get(id) ?? 0n) + (books.walletUnits().get(id) ?? 0n)
    assert(booked === treasury.units(id), "the books say what the wallets hold", {
      asset: id,
      booked,
      units: treasury.units(id),
    })
  }
}
