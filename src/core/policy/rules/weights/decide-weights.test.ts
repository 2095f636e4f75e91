import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { AssetView } from "#policy/treasury-view.ts"
import { decideWeights } from "./decide-weights.ts"

test("a share below zero has one sign", () => {
  const a = parseAssetId("a:usd")
  const b = parseAssetId("b:usd")
  const holding = (id: typeof a, spendableUnits: bigint, inFlightOutUnits: bigint): AssetView => ({
    id,
    decimals: 0,
    priceFiat: 1_000_000n,
    balance: {
      readable: true,
      spendableUnits,
      inFlightInUnits: 0n,
      inFlightOutUnits,
      floorUnits: 0n,
    },
  })
  const rule = {
    id: "mix",
    kind: "weights" as const,
    toleranceBps: 500n,
    weights: [
      { asset: a, bps: 5_000n },
      { asset: b, bps: 5_000n },
    ],
  }
  // More of `a` is promised to orders than the wallet holds: -3 081 of 10 000 units.
  const answer = decideWeights(rule, {
    assets: [holding(a, 0n, 3_081n), holding(b, 13_081n, 0n)],
    pairs: [],
  })
  const texts = answer.ok ? answer.needs.map(({ why }) => why.message) : []
  expect(texts[0]).toContain("a:usd has -30.81% of the total instead of 50%")
})
