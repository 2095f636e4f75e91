import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { evaluate } from "./evaluate.ts"
import { explainProposal, explainWindows } from "./explain-proposal.ts"
import type { PlanLimits } from "./planner/limits.ts"
import type { BandRule } from "./rules/band/band-rule.ts"
import type { PairView, TreasuryView } from "./treasury-view.ts"

const USD = 1_000_000n
const HOT = parseAssetId("one:hot")
const NEAR = parseAssetId("two:near")
const FAR = parseAssetId("three:far")
const LIMITS: PlanLimits = {
  maxOrders: 20,
  maxOrder: null,
  split: true,
  maxCost: { kind: "share", bps: 100n },
}

const BAND: BandRule = {
  id: "refill",
  kind: "band",
  asset: HOT,
  minUnits: 1_000n * USD,
  targetUnits: 2_000n * USD,
  maxUnits: 3_000n * USD,
  sources: [NEAR, FAR],
  sinks: [],
}

test("says the cost beside the next best source, and whose ceiling binds", () => {
  expect(explain(viewOf({ near: 5_000n, far: 5_000n }))).toEqual([
    "It costs 4.01 usd, 20 bps of the sold value: 6.01 usd less than from three:far, the next " +
      "best way.",
    "The ceiling is 20.04 usd, 100 bps: guards.max_cost.",
  ])
  const own = { ...BAND, maxCost: { kind: "fiat", fiat: 8n * USD } } as const
  expect(explain(viewOf({ near: 5_000n, far: 5_000n }), own)[1]).toBe(
    "The ceiling is 8.00 usd: max_cost of refill.",
  )
})

test("a source that holds too little is no other way", () => {
  expect(explain(viewOf({ near: 5_000n, far: 500n }))[0]).toBe(
    "It costs 4.01 usd, 20 bps of the sold value; no other way that the rule lists has a quote " +
      "and enough to sell.",
  )
  expect(
    explain(viewOf({ near: 5_000n, far: 5_000n }), { ...BAND, sources: [NEAR] }, [NEAR])[0],
  ).toBe("It costs 4.01 usd, 20 bps of the sold value; no rule lists another way.")
})

test("a dearer way than one alone says so", () => {
  const blocked = [{ from: NEAR, to: HOT, rule: null, reasons: [{ code: "paused", message: "p" }] }]
  const view = viewOf({ near: 5_000n, far: 5_000n })
  expect(explain(view, BAND, [NEAR, FAR], { ...LIMITS, blocked })[0]).toBe(
    "It costs 10.05 usd, 50 bps of the sold value: 6.03 usd more than from two:near alone, which " +
      "the plan for all rules together or its limits leave out.",
  )
})

test.each([
  ["is unavailable", { available: false }, "; no other way that the rule lists has a quote"],
  ["costs as much", { bps: 20n }, ": 0.00 usd less than from three:far, the next best way."],
  ["costs less", { bps: 19n }, ": 0.20 usd more than from three:far alone, which the plan"],
  ["has a fixed fee", { fixedFeeFiat: USD }, ": 7.01 usd less than from three:far"],
])("another way that %s is told so", (_what, over, told) => {
  const view = viewOf({ near: 5_000n, far: 5_000n })
  const [proposal] = evaluate(view, [BAND], LIMITS).proposals
  const pairs = view.pairs.map((pair) =>
    pair.from === FAR && pair.quote.readable
      ? { ...pair, quote: { ...pair.quote, ...over } }
      : pair,
  )
  if (proposal === undefined) throw new Error("a proposal")
  const source = { view: { ...view, pairs }, limits: LIMITS, rules: [BAND] }
  expect(explainProposal(proposal, source)[0]).toContain(`of the sold value${told}`)
})

test("of several ways the cheapest is the next best one", () => {
  const { assets, pairs } = viewOf({ near: 5_000n, far: 5_000n })
  const ends = [30n, 25n, 40n].map((bps, at) => ({ id: parseAssetId(`more:${at}`), bps }))
  const [asset] = assets.slice(1)
  const [pair] = pairs
  if (asset === undefined || pair?.quote.readable !== true) throw new Error("an asset and its pair")
  const { quote } = pair
  const view = {
    assets: [...assets, ...ends.map(({ id }) => ({ ...asset, id }))],
    pairs: [
      ...pairs,
      ...ends.map(({ id, bps }) => ({ ...pair, from: id, quote: { ...quote, bps } })),
    ],
  }
  expect(explain(view, BAND, [NEAR, FAR, ...ends.map(({ id }) => id)])[0]).toContain("from more:1,")
})

test("without a cost, a price or an amount there is nothing to tell", () => {
  const view = viewOf({ near: 5_000n, far: 5_000n })
  const [proposal] = evaluate(view, [BAND], LIMITS).proposals
  if (proposal === undefined) throw new Error("a proposal")
  const source = { view, limits: LIMITS, rules: [BAND] }
  expect(explainProposal({ ...proposal, costFiat: null }, source)).toEqual([])
  expect(explainProposal({ ...proposal, units: 0n }, source)).toEqual([])
  const assets = view.assets.map((asset) => ({ ...asset, priceFiat: null }))
  expect(explainProposal(proposal, { ...source, view: { ...view, assets } })).toEqual([])
  const free = { ...source, limits: { ...LIMITS, maxCost: null } }
  expect(explainProposal(proposal, free)[1]).toBe("No ceiling limits its cost.")
})

test("other kinds of routes of the pair stand there with their cost, or with their refusal", () => {
  const view = viewOf({ near: 5_000n, far: 5_000n })
  const [proposal] = evaluate(view, [BAND], LIMITS).proposals
  const [pair, ...others] = view.pairs
  if (proposal === undefined || pair?.quote.readable !== true) throw new Error("a proposal")
  const causes = [{ code: "cctp.fast_pool_short", message: "This burn has too little left" }]
  const unquoted = [
    { kind: "cctp", causes },
    { kind: "toy", causes: [] },
  ]
  const dear: PairView = { ...pair, kind: "other", quote: { ...pair.quote, bps: 30n } }
  const pairs = [{ ...pair, unquoted }, dear, ...others]
  const source = { view: { ...view, pairs }, limits: LIMITS, rules: [BAND] }
  expect(explainProposal(proposal, source).slice(1, -1)).toEqual([
    "Over other it would cost 6.01 usd.",
    "cctp gives no quote: This burn has too little left [cctp.fast_pool_short].",
    "toy gives no quote.",
  ])
  expect(explainProposal({ ...proposal, kind: "other" }, source)[1]).toBe(
    "Over htlc it would cost 4.01 usd.",
  )
})

test("a window says what it left, in every unit that it counts", () => {
  const window = {
    per: "24h",
    leftFiat: 120n * USD,
    maxFiat: 10_000n * USD,
    leftUnits: { [NEAR]: 7n * USD },
    leftFeesFiat: 500_000n,
  }
  const view = viewOf({ near: 5_000n, far: 5_000n })
  expect(explainWindows({ view, limits: { ...LIMITS, windows: [window] } })).toEqual([
    { per: "24h", left: "120.00 usd of 10000.00 usd, 7 two:near, 0.50 usd of fees" },
  ])
})

function explain(
  view: TreasuryView,
  rule = BAND,
  sources = [NEAR, FAR],
  limits = LIMITS,
): readonly string[] {
  const pairs = view.pairs.filter(({ from }) => sources.includes(from))
  const source = { view: { ...view, pairs }, limits, rules: [rule] }
  const [proposal] = evaluate(source.view, [rule], limits).proposals
  return proposal === undefined ? [] : explainProposal(proposal, source)
}

function viewOf({ near, far }: { readonly near: bigint; readonly far: bigint }): TreasuryView {
  const held = (id: typeof HOT, usd: bigint): TreasuryView["assets"][number] => {
    const empty = { inFlightInUnits: 0n, inFlightOutUnits: 0n, floorUnits: 0n }
    const balance = { readable: true as const, spendableUnits: usd * USD, ...empty }
    return { id, decimals: 6, balance, priceFiat: USD }
  }
  const pair = (from: typeof HOT, bps: bigint): PairView => {
    const quote = { fixedFeeFiat: 0n, bps, minUnits: 1n, maxUnits: null }
    return { from, to: HOT, quote: { readable: true, available: true, ...quote } }
  }
  return {
    assets: [held(HOT, 0n), held(NEAR, near), held(FAR, far)],
    pairs: [pair(NEAR, 20n), pair(FAR, 50n)],
  }
}
