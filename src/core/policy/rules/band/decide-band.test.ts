import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { Corrections, TreasuryView } from "../../treasury-view.ts"
import type { BandRule } from "./band-rule.ts"
import { decideBand } from "./decide-band.ts"

const ETH = parseAssetId("base_sepolia:eth")
const BTC = parseAssetId("bitcoin_testnet:btc")
// CAST: the decision reads only these fields of a rule.
const RULE = {
  id: "band",
  kind: "band",
  asset: ETH,
  minUnits: 100n,
  targetUnits: 200n,
  maxUnits: 300n,
  sources: [BTC],
  sinks: [BTC],
} as unknown as BandRule

function needAt(
  haveUnits: bigint,
  rule: Partial<BandRule> = {},
  corrections: readonly Corrections[] = [],
) {
  const balance = {
    readable: true,
    spendableUnits: haveUnits + 40n,
    inFlightInUnits: 10n,
    inFlightOutUnits: 50n,
    floorUnits: 0n,
  } as const
  const view: TreasuryView = {
    assets: [{ id: ETH, decimals: 0, balance, priceFiat: 1_000_000n }],
    pairs: [],
    corrections,
  }
  const answer = decideBand({ ...RULE, ...rule }, view)
  return answer.ok ? answer.needs : []
}

describe("a band", () => {
  test("drains to its target or its bound, and never below its minimum", () => {
    expect(needAt(301n)).toMatchObject([{ kind: "lose", wantUnits: 101n, mostUnits: 201n }])
    expect(needAt(301n, { move: "edge" })).toMatchObject([
      { kind: "lose", wantUnits: 1n, mostUnits: 201n },
    ])
    expect(needAt(1_000n)).toMatchObject([{ kind: "lose", wantUnits: 800n, mostUnits: 900n }])
  })

  test("is refilled to its target or its bound, and never above its maximum", () => {
    expect(needAt(99n)).toMatchObject([{ kind: "gain", wantUnits: 101n, mostUnits: 201n }])
    expect(needAt(99n, { move: "edge" })).toMatchObject([
      { kind: "gain", wantUnits: 1n, mostUnits: 201n },
    ])
  })

  test("needs nothing from its minimum to its maximum, both included", () => {
    for (const haveUnits of [100n, 200n, 300n]) expect(needAt(haveUnits)).toEqual([])
  })

  test("says how one-sided its balance moved, from two corrections on", () => {
    const rule = { move: "edge", everyMs: 1_000 } as const
    const sums = { rule: "band", asset: ETH, overMs: 10_000 }
    const seenAt = (haveUnits: bigint, orders: number, inFiat: bigint, outFiat: bigint) =>
      needAt(haveUnits, rule, [{ ...sums, orders, inFiat, outFiat }])[0]?.oneSidedBps
    expect(seenAt(99n, 1, 900n, 0n)).toBe(0n)
    expect(seenAt(99n, 2, 900n, 0n)).toBe(10_000n)
    expect(seenAt(99n, 3, 750n, 250n)).toBe(5_000n)
    // A drain needs no further step when the balance only ever fell, and the reverse.
    expect(seenAt(301n, 2, 900n, 0n)).toBe(0n)
    expect(seenAt(301n, 2, 0n, 900n)).toBe(10_000n)
    expect(needAt(99n, rule)[0]?.oneSidedBps).toBe(0n)
  })

  test("pays as much for a refill as at the balance that it will have at the next look", () => {
    const costs = {
      maxCost: { kind: "share", bps: 100n },
      maxCostWhenEmpty: { kind: "share", bps: 300n },
      everyMs: 2_000,
    } as const
    expect(needAt(50n, costs)).toMatchObject([{ maxCost: { bps: 200n } }])
    // 100 units of value were brought in ten seconds, so 20 leave until the next look.
    const drained = {
      rule: "band",
      asset: ETH,
      orders: 2,
      inFiat: 100_000_000n,
      outFiat: 0n,
      overMs: 10_000,
    }
    expect(needAt(50n, costs, [drained])).toMatchObject([{ maxCost: { bps: 240n } }])
    expect(needAt(10n, costs, [drained])).toMatchObject([{ maxCost: { bps: 300n } }])
    expect(needAt(50n, costs, [{ ...drained, outFiat: 100_000_000n }])).toMatchObject([
      { maxCost: { bps: 200n } },
    ])
  })

  test("passes on its cost limit and its smallest order, both ways", () => {
    const maxCost = { kind: "share", bps: 30n } as const
    for (const haveUnits of [99n, 301n]) {
      expect(needAt(haveUnits, { maxCost, leastUnits: 7n })).toMatchObject([
        { maxCost, leastUnits: 7n },
      ])
      expect(needAt(haveUnits)).toMatchObject([{ maxCost: null, leastUnits: 1n }])
    }
  })
})
