import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { evaluate } from "../evaluate.ts"
import { holdingTiers } from "../planner/holding-tiers.ts"
import type { BandRule } from "../rules/band/band-rule.ts"
import type { AssetView, PairView } from "../treasury-view.ts"
import { type DayFlow, dayOf, forecastFlow, startOfDay, sumDays } from "./forecast-flow.ts"
import { addHoldings, type KnownHoldings } from "./hold-values.ts"
import { holdingCosts } from "./holding-costs.ts"

const USD = 1_000_000n
const BAND = {
  minUnits: 10_000n * USD,
  maxUnits: 30_000n * USD,
  refill: { fixedFiat: 1_000_000, fiatPerUnit: 0.003 },
  drain: { fixedFiat: 1_000_000, fiatPerUnit: 0.003 },
}
const HOT = parseAssetId("chain:hot")
const RESERVE = parseAssetId("chain:reserve")
const OTHER = parseAssetId("chain:other")
const LIMITS = { maxOrders: 9, maxOrder: null, split: false, maxCost: null }

test("a weekday that differs keeps its mean, and one that chance explains has the common mean", () => {
  const weekly = forecastFlow(
    flows(28, (day) => (day % 7 === 3 ? 7_000 : 0) + wobble(day)),
    27,
  )
  expect(weekly?.means[3]).toBeGreaterThan(6_000e6)
  expect(Math.abs(weekly?.means[4] ?? 1e12)).toBeLessThan(1_000e6)
  const noise = forecastFlow(
    flows(28, (day) => wobble(day) * 10),
    27,
  )
  for (const mean of noise?.means ?? [1e12]) expect(Math.abs(mean)).toBeLessThan(500e6)
})

test("thirteen days, or days without any flow, make no forecast", () => {
  expect(forecastFlow(flows(13, wobble), 12)).toBeNull()
  expect(forecastFlow(flows(14, wobble), 13)).not.toBeNull()
  expect(
    forecastFlow(
      flows(28, () => 0),
      27,
    ),
  ).toBeNull()
})

test("days without a change count from the first change on, and today does not", () => {
  const dayMs = 86_400_000
  const changes = [
    { atMs: 4 * dayMs, units: 5n },
    { atMs: 4 * dayMs + 9, units: -2n },
    { atMs: 6 * dayMs, units: 1n },
    { atMs: 7 * dayMs, units: 9n },
  ]
  expect(sumDays(changes, 7)).toEqual([
    { day: 4, units: 3n, changes: 2 },
    { day: 5, units: 0n, changes: 0 },
    { day: 6, units: 1n, changes: 1 },
  ])
})

test("a day begins at midnight in UTC, and only the last eight weeks count", () => {
  const today = Date.UTC(2026, 2, 3) / 86_400_000
  expect([dayOf(Date.UTC(2026, 2, 3)), startOfDay(today)]).toEqual([today, Date.UTC(2026, 2, 3)])
  expect([-1, 86_399_999].map((ms) => dayOf(startOfDay(today) + ms))).toEqual([today - 1, today])
  const old = sumDays([{ atMs: 0, units: 5n }], today)
  expect([old.length, old[0]?.day, old.at(-1)?.day]).toEqual([56, today - 56, today - 1])
  const edge = (day: number) =>
    forecastFlow(
      flows(14, () => 5).map((one) => ({ ...one, day: day + one.day })),
      100,
    )
  // Fourteen days from the 45th on are known; of those from the 44th on, one is too old.
  expect([edge(45), edge(44)].map((one) => one === null)).toEqual([false, true])
  expect([edge(87), edge(88)].map((one) => one === null)).toEqual([false, true])
})

test("a balance that only drains costs least at the top of its band", () => {
  const points = holdingCosts(
    BAND,
    { means: new Array(7).fill(-3_000e6), residuals: [0], changes: 1 },
    0,
  )
  const costs = points.map(({ costFiat }) => costFiat)
  expect(points.at(-1)?.units).toBe(BAND.maxUnits)
  expect(costs.at(-1)).toBe(costs.reduce((a, b) => (b < a ? b : a)))
  expect(costs[0]).toBeGreaterThan(50_000_000n)
})

test("a refill goes as far as the flows make it pay, and to the bound where they come back", () => {
  const drained = refillOf((day) => -3_000 + wobble(day))
  const returning = refillOf((day) => (day % 2 === 0 ? -4_000 : 4_000))
  expect(drained).toBeGreaterThan(15_000)
  expect(returning).toBeLessThan(6_000)
})

test("a partner with holding costs gives only what it needs less than the asset that it helps", () => {
  const place = {
    asset: { ...holding(HOT, 20_000n), holding: DRAINING },
    priceFiat: USD,
  }
  const given = holdingTiers(place, "out")
  const taken = holdingTiers(place, "in")
  expect(given.length).toBeGreaterThan(0)
  expect(given.length).toBeLessThanOrEqual(4)
  for (const { reward } of given) expect(reward).toBeLessThan(0n)
  for (const { reward } of taken) expect(reward).toBeGreaterThan(0n)
  expect(rising(given.map(({ want }) => want))).toBe(true)
  expect(rising(given.map(({ reward }) => -reward))).toBe(true)
})

test("holding costs are computed once a day, and again for another band, direction or cost", () => {
  const known: KnownHoldings = new Map()
  let computed = 0
  const held = ({ today = 28, pairs = [IN], maxUnits = BAND.maxUnits }) => {
    const view = { assets: [holding(HOT, 9_000n), holding(RESERVE, 400_000n)], pairs }
    const flowsOf = () => {
      computed += 1
      return flows(28, wobble)
    }
    return addHoldings(view, [{ ...RULE, maxUnits }], today, { flowsOf, known }).assets[0]?.holding
  }
  const first = held({})
  expect(first).toBeDefined()
  const near = { ...IN, quote: { ...IN.quote, fixedFeeFiat: (USD * 104n) / 100n, bps: 31n } }
  expect(held({ pairs: [near] })).toBe(first)
  expect(computed).toBe(1)
  const dearer = { ...IN, quote: { ...IN.quote, fixedFeeFiat: 9n * USD } }
  expect(held({ pairs: [dearer] })).not.toBe(first)
  expect(computed).toBe(2)
  const out = { ...dearer, from: HOT, to: RESERVE }
  expect(held({ pairs: [out] })?.at(-1)?.costFiat).toBeGreaterThan(first?.at(-1)?.costFiat ?? 0n)
  held({ pairs: [dearer, out] })
  expect(computed).toBe(3)
  held({ maxUnits: 40_000n * USD })
  expect(computed).toBe(4)
  held({ maxUnits: 40_000n * USD, today: 29 })
  expect(computed).toBe(5)
})

test("an asset without enough days is refilled as with move: edge", () => {
  const few = refillOf((day) => -3_000 + wobble(day), { days: 13 })
  expect(few).toBe(refillOf(() => 0, { move: "edge" }))
})

test("an order goes as far as a unit earns a little more than its pair costs", () => {
  // Of noise alone, with a fixed cost that is small beside the shares: a narrow margin.
  const costs = { fixedFiat: 1_700_000, fiatPerUnit: 0.003 }
  const forecast = { means: new Array(7).fill(0), residuals: [-5_000e6, 0, 5_000e6], changes: 24 }
  const points = holdingCosts({ ...BAND, refill: costs, drain: costs }, forecast, 0)
  const place = { asset: { ...holding(HOT, 9_000n), holding: points }, priceFiat: USD }
  const slope = 3_000_000_000n
  const sizeOf = (slopes: readonly bigint[]) =>
    holdingTiers(place, "in", BAND.minUnits, slopes).findLast(({ reward }) => reward > slope)?.want
  expect(sizeOf([])).toBeUndefined()
  expect(sizeOf([slope])).toBeGreaterThan(USD * 1_000n)
})

test("where the day's cheapest pair is not to be had, the next orders cost as much as this one", () => {
  const dear = { ...IN, quote: { ...IN.quote, bps: 60n, fixedFeeFiat: 20n * USD } }
  const cheap = { ...IN, from: OTHER, quote: { ...IN.quote, bps: 10n } }
  const known: KnownHoldings = new Map()
  const sizeOf = (pairs: readonly PairView[]) => {
    const assets = [holding(HOT, 9_000n), holding(RESERVE, 400_000n), holding(OTHER, 400_000n)]
    const flowsOf = () => flows(28, (day) => wobble(day) * 20)
    const held = addHoldings({ assets, pairs }, [RULE], 28, { flowsOf, known })
    return evaluate(held, [RULE], LIMITS).proposals[0]?.units ?? 0n
  }
  const alone = sizeOf([dear])
  known.clear()
  sizeOf([cheap, dear])
  expect(sizeOf([dear])).toBe(alone)
  expect(alone).toBeGreaterThan(1_500n * USD)
})

test("what an order costs the partner's own band counts as a cost of the pair", () => {
  const partner = { ...RULE, id: "partner", asset: RESERVE, sources: [HOT], sinks: [HOT] }
  const highest = (partnerUsd: bigint): bigint => {
    const assets = [holding(HOT, 9_000n), holding(RESERVE, partnerUsd)]
    const back = { ...IN, from: HOT, to: RESERVE }
    const flowsOf = (id: AssetView["id"]) =>
      flows(28, (day) => (id === HOT ? wobble(day) * 20 : -2_000 + wobble(day)))
    const known: KnownHoldings = new Map()
    const rules = [partner, RULE]
    const first = { assets: assets.toReversed(), pairs: [back, IN] }
    const held = addHoldings(first, rules, 28, { flowsOf, known }).assets
    return held.find(({ id }) => id === HOT)?.holding?.[0]?.costFiat ?? 0n
  }
  // The partner drains, so what it gives comes back at a cost; above its band it costs nothing.
  expect(highest(20_000n)).toBeGreaterThan(highest(60_000n))
})

test("a day of many payments leaves the band more often than its sum tells", () => {
  const forecast = { means: new Array(7).fill(0), residuals: [-5_000e6, 5_000e6] }
  const worst = (changes: number) =>
    holdingCosts(BAND, { ...forecast, changes }, 0)[0]?.costFiat ?? 0n
  expect(worst(24)).toBeGreaterThan(worst(1))
  const counted = sumDays(
    [1, 2, 3].map((hour) => ({ atMs: hour * 3_600_000, units: 1n })),
    1,
  )
  expect(counted).toEqual([{ day: 0, units: 3n, changes: 3 }])
})

const DRAINING = holdingCosts(
  BAND,
  { means: new Array(7).fill(-3_000e6), residuals: [-900e6, 900e6], changes: 1 },
  0,
)

const RULE: BandRule = {
  id: "band",
  kind: "band",
  asset: HOT,
  minUnits: BAND.minUnits,
  targetUnits: 20_000n * USD,
  maxUnits: BAND.maxUnits,
  sources: [RESERVE],
  sinks: [RESERVE],
  move: "values",
}
const IN = {
  from: RESERVE,
  to: HOT,
  quote: {
    readable: true as const,
    available: true,
    fixedFeeFiat: USD,
    bps: 30n,
    minUnits: 1n,
    maxUnits: null,
  },
}

function rising(values: readonly bigint[]): boolean {
  return values.every((value, index) => index === 0 || value > (values[index - 1] ?? value))
}

/** The usd that an asset gets which is 1 000 below its band. */
function refillOf(
  flow: (day: number) => number,
  { days = 28, move = "values" }: { days?: number; move?: BandRule["move"] } = {},
): number {
  const rule = { ...RULE, move }
  const view = { assets: [holding(HOT, 9_000n), holding(RESERVE, 400_000n)], pairs: [IN] }
  const held = addHoldings(view, [rule], days - 1, {
    flowsOf: () => flows(days, flow),
    known: new Map(),
  })
  const { proposals } = evaluate(held, [rule], LIMITS)
  expect(proposals).toHaveLength(1)
  return Number((proposals[0]?.units ?? 0n) / USD)
}

function holding(id: AssetView["id"], usd: bigint): AssetView {
  const balance = {
    readable: true as const,
    spendableUnits: usd * USD,
    inFlightInUnits: 0n,
    inFlightOutUnits: 0n,
    floorUnits: 0n,
  }
  return { id, decimals: 6, balance, priceFiat: USD }
}

function flows(count: number, usdOf: (day: number) => number): DayFlow[] {
  return Array.from({ length: count }, (_, day) => ({
    day,
    units: BigInt(Math.round(usdOf(day) * 1e6)),
  }))
}

/** Up and down without a pattern of seven days. */
function wobble(day: number): number {
  return [130, -210, 90, 40, -160, 220, -70, 10, -50, 180, -180][day % 11] ?? 0
}
