import { expect, test } from "vitest"
import { createRandom } from "#backtest/world/random.ts"
import { type AssetId, parseAssetId } from "#domain/asset.ts"
import { evaluateNow } from "#engine/rules/decide/plan-tick.ts"
import { runSteps } from "#engine/rules/decide/steps.ts"
import { createDirectSolver } from "#engine/rules/solver/create-direct-solver.ts"
import { toDecision } from "#engine/rules/tick/decision.ts"
import { replayDecision } from "#engine/rules/tick/replay-decision.ts"
import { encodeJson } from "#lib/json.ts"
import { searchAlone } from "#policy/planner/flow/search-here.ts"
import type { BandRule } from "#policy/rules/band/band-rule.ts"
import type { PairView, TreasuryView } from "#policy/treasury-view.ts"
import type { DayFlow } from "#policy/values/forecast-flow.ts"
import { addHoldings } from "#policy/values/hold-values.ts"

const USD = 1_000_000n
const HOT = parseAssetId("chain:hot")
const RESERVE = parseAssetId("chain:reserve")
const TODAY = 28
const LIMITS = { maxOrders: 20, maxOrder: null, split: true, maxCost: null }

test("a decision replays from the holding costs that it was made with, and only from these", async () => {
  const { decision, inputs, units } = await decide(holding(SMALL, [BAND], () => drained(3_000)))
  expect(inputs).toContain('"holding"')
  expect(replayDecision(decision, inputs)).toMatchObject({ same: true })
  const other = holding(SMALL, [BAND], () => drained(300))
  const without = await decide(other)
  expect(without.units).not.toBe(units)
  expect(replayDecision(decision, without.inputs)).toMatchObject({ same: false })
})

test("a decision without holding costs replays as before, with the sizes of move: edge", async () => {
  const { decision, inputs, units } = await decide(SMALL)
  expect(inputs).not.toContain('"holding"')
  expect(replayDecision(decision, inputs)).toMatchObject({ same: true })
  const edge = await decide(SMALL, { ...BAND, move: "edge" })
  expect(units).toBe(edge.units)
})

test("a tick of 16 assets with holding costs takes less than a second", async () => {
  // The solver of the daemon without its clock, which would end a search on a busy machine.
  const solve = await createDirectSolver()
  // The first one compiles HiGHS.
  await tickOf16(solve, 3)
  for (const seed of [4, 9]) {
    const before = process.cpuUsage()
    const { proposals, plan } = await tickOf16(solve, seed)
    // The time of the processors, because other work may have them at the same time.
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(1_000)
    expect(proposals.length).toBeGreaterThan(0)
    expect(plan).toMatchObject({ exact: true })
  }
})

const BAND = bandOf(HOT, [RESERVE])
const SMALL: TreasuryView = {
  assets: [assetOf(HOT, 9_000n * USD), assetOf(RESERVE, 400_000n * USD)],
  pairs: [pairOf(RESERVE, HOT, { fixedFeeFiat: USD, bps: 30n })],
}

async function decide(view: TreasuryView, rule: BandRule = BAND) {
  const due = { rule: rule.id, occurrence: null }
  const asked = { view, rules: [rule], limits: LIMITS, due: [due] }
  const decided = await runSteps(evaluateNow({ solve: searchAlone }, asked))
  const { evaluation } = decided
  const inputs = encodeJson(decided.inputs)
  const of = { evaluation, resultOf: () => null, inputs, view, configHash: null, nowMs: 0 }
  return { decision: toDecision(due, of), inputs, units: evaluation.proposals[0]?.units }
}

async function tickOf16(solve: Awaited<ReturnType<typeof createDirectSolver>>, seed: number) {
  const random = createRandom(seed, "tick")
  const usd = (from: number, to: number): bigint =>
    BigInt(Math.round((from + random.next() * (to - from)) * 1e6))
  const ids = Array.from({ length: 16 }, (_, index) => parseAssetId(`chain${index}:usd`))
  const othersOf = (id: AssetId): AssetId[] => ids.filter((other) => other !== id)
  const view = {
    assets: ids.map((id) => assetOf(id, usd(0, 40_000))),
    pairs: ids.flatMap((from) =>
      othersOf(from).map((to) =>
        pairOf(from, to, { fixedFeeFiat: usd(0, 4), bps: BigInt(Math.floor(random.next() * 60)) }),
      ),
    ),
  }
  const rules = ids.map((id) => bandOf(id, othersOf(id)))
  const held = holding(view, rules, () =>
    Array.from({ length: 56 }, (_, day) => ({ day: day - TODAY, units: usd(-4_000, 4_000) })),
  )
  expect(held.assets.every((asset) => asset.holding !== undefined)).toBe(true)
  const due = rules.map(({ id }) => ({ rule: id, occurrence: null }))
  const asked = { view: held, rules, limits: LIMITS, due }
  return (await runSteps(evaluateNow({ solve }, asked))).evaluation
}

function holding(
  view: TreasuryView,
  rules: readonly BandRule[],
  flowsOf: () => readonly DayFlow[],
): TreasuryView {
  return addHoldings(view, rules, TODAY, { flowsOf, known: new Map() })
}

function drained(usd: number): DayFlow[] {
  return Array.from({ length: TODAY }, (_, day) => ({ day, units: -BigInt(usd) * USD }))
}

function bandOf(asset: AssetId, others: AssetId[]): BandRule {
  return {
    id: `band-${asset}`,
    kind: "band",
    asset,
    minUnits: 10_000n * USD,
    targetUnits: 20_000n * USD,
    maxUnits: 30_000n * USD,
    sources: others,
    sinks: others,
    move: "values",
  }
}

function assetOf(id: AssetId, spendableUnits: bigint): TreasuryView["assets"][number] {
  const empty = { inFlightInUnits: 0n, inFlightOutUnits: 0n, floorUnits: 0n }
  const balance = { readable: true as const, spendableUnits, ...empty }
  return { id, decimals: 6, balance, priceFiat: USD }
}

function pairOf(
  from: AssetId,
  to: AssetId,
  cost: { readonly fixedFeeFiat: bigint; readonly bps: bigint },
): PairView {
  const bounds = { minUnits: 1n, maxUnits: null }
  return { from, to, quote: { readable: true, available: true, ...cost, ...bounds } }
}
