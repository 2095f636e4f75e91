import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { TreasuryView } from "../../treasury-view.ts"
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

function needAt(haveUnits: bigint, rule: Partial<BandRule> = {}) {
  const balance = {
    readable: true,
    spendableUnits: haveUnits + 40n,
    inFlightInUnits: 10n,
    inFlightOutUnits: 50n,
    floorUnits: 0n,
  } as const
  const view: TreasuryView = { assets: [{ id: ETH, decimals: 0, balance, priceFiat: null }], pairs: [] }
  const answer = decideBand({ ...RULE, ...rule }, view)
  return answer.ok ? answer.needs : []
}

describe("a band", () => {
  test("drains to its target or its bound, and never below its minimum", () => {
    expect(needAt(301n)).toMatchObject([{ kind: "lose", wantUnits: 101n, mostUnits: 201n }])
    expect(needAt(301n, { move: "edge" })).toMatchObject([{ kind: "lose", wantUnits: 1n, mostUnits: 201n }])
    expect(needAt(1_000n)).toMatchObject([{ kind: "lose", wantUnits: 800n, mostUnits: 900n }])
  })

  test("is refilled to its target or its bound, and never above its maximum", () => {
    expect(needAt(99n)).toMatchObject([{ kind: "gain", wantUnits: 101n, mostUnits: 201n }])
    expect(needAt(99n, { move: "edge" })).toMatchObject([{ kind: "gain", wantUnits: 1n, mostUnits: 201n }])
  })

  test("needs nothing from its minimum to its maximum, both included", () => {
    for (const haveUnits of [100n, 200n, 300n]) expect(needAt(haveUnits)).toEqual([])
  })

  test("passes on its cost limit and its smallest order, both ways", () => {
    const maxCost = { kind: "share", bps: 30n } as const
    for (const haveUnits of [99n, 301n]) {
      expect(needAt(haveUnits, { maxCost, leastUnits: 7n })).toMatchObject([{ maxCost, leastUnits: 7n }])
      expect(needAt(haveUnits)).toMatchObject([{ maxCost: null, leastUnits: 1n }])
    }
  })
})
