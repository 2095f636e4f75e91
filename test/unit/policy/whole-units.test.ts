import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { evaluate } from "#policy/evaluate.ts"
import type { BandRule } from "#policy/rules/band/band-rule.ts"
import { findAsset, positionUnits, type TreasuryView } from "#policy/treasury-view.ts"
import { arrive } from "../../fixtures/policy/arrive.ts"
import { A, assetOf, B, bandOf, C, FIAT, type Id, LIMITS, pairOf } from "./sample-plan.ts"

/** One unit of A or C is worth seven units of B, so no order brings B exactly 20. */
const coarse = (id: Id, units: bigint) => ({ ...assetOf(id, units), priceFiat: 7n * FIAT })

function viewOf(units: Readonly<Partial<Record<Id, bigint>>>): TreasuryView {
  const assets = [coarse(A, units[A] ?? 0n), coarse(C, units[C] ?? 0n), assetOf(B, units[B] ?? 0n)]
  return { assets, pairs: [pairOf(A, B), pairOf(C, B)] }
}

function planTwice(view: TreasuryView, rules: readonly BandRule[]) {
  const { proposals, declined } = evaluate(view, rules, LIMITS)
  const after = arrive(view, proposals)
  const balance = findAsset(after, B)?.balance
  return {
    sold: proposals.map(({ from, units }) => [from, units]),
    held: balance?.readable ? positionUnits(balance) : null,
    codes: declined.map(({ rule, reasons }) => [rule, ...reasons.map(({ code }) => code)]),
    next: evaluate(after, rules, LIMITS).proposals,
  }
}

describe("an order in whole units of its source", () => {
  const drain = bandOf("a", A, [0n, 0n, 0n], { sinks: [B] })

  test("does not bring a partner above its max", () => {
    const plan = planTwice(viewOf({ [A]: 9n, [B]: 80n }), [drain, bandOf("b", B, [0n, 100n, 100n])])
    expect(plan.sold).toEqual([[A, 2n]])
    expect(plan.held).toBe(94n)
    expect(plan.codes).toEqual([
      ["b", "policy.target_satisfied"],
      ["a", "policy.partial", "policy.no_room"],
    ])
  })

  test("does not refill an asset above its max, and the rule says why a part is missing", () => {
    const refill = bandOf("b", B, [100n, 100n, 100n], { sources: [A] })
    const plan = planTwice(viewOf({ [A]: 9n, [B]: 80n }), [refill])
    expect(plan.sold).toEqual([[A, 2n]])
    expect(plan.held).toBe(94n)
    expect(plan.codes).toEqual([["b", "policy.partial", "policy.no_room"]])
    expect(plan.next).toEqual([])
  })

  test("rounds up where max has room, so that the need is met", () => {
    const refill = bandOf("b", B, [100n, 100n, 101n], { sources: [A] })
    const plan = planTwice(viewOf({ [A]: 9n, [B]: 80n }), [refill])
    expect(plan.sold).toEqual([[A, 3n]])
    expect(plan.held).toBe(101n)
    expect(plan.codes).toEqual([])
    expect(plan.next).toEqual([])
  })

  test("does not bring an asset above its max together with the orders of other sources", () => {
    const refill = bandOf("b", B, [100n, 100n, 100n], { sources: [A, C] })
    const both = [drain, bandOf("c", C, [0n, 0n, 0n], { sinks: [B] }), refill]
    const plan = planTwice(viewOf({ [A]: 2n, [B]: 80n, [C]: 2n }), both)
    expect(plan.held).toBe(94n)
    expect(plan.next).toEqual([])
  })
})

describe("of two orders in whole units that together pass a max", () => {
  const both = [
    bandOf("a", A, [0n, 0n, 0n], { sinks: [B] }),
    bandOf("c", C, [0n, 0n, 0n], { sinks: [B] }),
    bandOf("b", B, [0n, 100n, 100n]),
  ]
  const sold = (units: Readonly<Record<Id, bigint>>, held: bigint, least: readonly bigint[]) => {
    const { assets } = viewOf({ ...units, [B]: held })
    const pairs = [A, C].map((from, at) => pairOf(from, B, { minUnits: least[at] ?? 0n }))
    return planTwice({ assets, pairs }, both).sold
  }

  test.each<readonly [string, bigint, bigint, bigint, readonly bigint[], readonly unknown[]]>([
    [
      "the larger one shrinks",
      4n,
      2n,
      60n,
      [0n, 0n],
      [
        [A, 3n],
        [C, 2n],
      ],
    ],
    [
      "the larger one shrinks, whichever it is",
      2n,
      4n,
      60n,
      [0n, 0n],
      [
        [A, 2n],
        [C, 3n],
      ],
    ],
    ["the smaller one waits where neither can shrink", 2n, 1n, 80n, [2n, 1n], [[A, 2n]]],
    ["the smaller one waits, whichever it is", 1n, 2n, 80n, [1n, 2n], [[C, 2n]]],
  ])("%s", (_what, a, c, held, least, expected) => {
    expect(sold({ [A]: a, [C]: c }, held, least)).toEqual(expected)
  })
})

describe("a ceiling in fiat", () => {
  const wbtc = parseAssetId("b:wbtc")
  const usdc = parseAssetId("a:usdc")
  const ceiling = { kind: "fiat", fiat: 5n * FIAT } as const
  const assets = (decimals: number, priceFiat: bigint) => [
    { ...assetOf(usdc, 500_000n * FIAT), decimals: 6 },
    { ...assetOf(wbtc, 0n), decimals, priceFiat },
  ]
  const refill = (targetUnits: bigint): BandRule => ({
    id: "float",
    kind: "band",
    asset: wbtc,
    minUnits: targetUnits,
    targetUnits,
    maxUnits: 2n * targetUnits,
    sources: [usdc],
    sinks: [],
  })

  test.each([
    ["a satoshi", 8, 100_000n * FIAT, 100_000_000n],
    ["a dollar", 0, FIAT, 100_000n],
    ["three dollars", 1, 30n * FIAT, 40_000n],
    ["a tiny part", 18, 3_000n * FIAT, 30n * 10n ** 18n],
  ])("bounds orders so that they keep to it where the payout's unit is worth %s", (...row) => {
    const [, decimals, priceFiat, wanted] = row
    const pair = pairOf(usdc, wbtc, { bps: 30n })
    const view: TreasuryView = { assets: assets(decimals, priceFiat), pairs: [pair] }
    const limits = { ...LIMITS, maxCost: ceiling }
    const { proposals } = evaluate(view, [refill(wanted)], limits)
    expect(proposals.length).toBeGreaterThan(0)
    for (const { units } of proposals) {
      // The service keeps 30 bps of the amount sold, and pays whole units.
      const paid = (units * 9_970n * 10n ** BigInt(decimals)) / (priceFiat * 10_000n)
      const cost = units - (paid * priceFiat) / 10n ** BigInt(decimals)
      expect(cost).toBeLessThanOrEqual(ceiling.fiat)
      // The rounding costs little of what the ceiling allows.
      expect(cost).toBeGreaterThan((ceiling.fiat * 3n) / 10n)
    }
  })

  test("below the worth of one unit still lets orders pay whole units from a finer source", () => {
    const view = { assets: assets(0, 100n * FIAT), pairs: [pairOf(usdc, wbtc, { bps: 30n })] }
    const { proposals } = evaluate(view, [refill(10n)], { ...LIMITS, maxCost: ceiling })
    expect(proposals.map(({ receiveUnits }) => receiveUnits)).toEqual([10n])
  })

  test("that no order keeps to is a reason that names the rounding", () => {
    const least = { ...ceiling, fiat: 1n }
    const view = { assets: assets(8, 100_000n * FIAT), pairs: [pairOf(usdc, wbtc, { bps: 30n })] }
    const { proposals, declined } = evaluate(view, [refill(1_000n)], { ...LIMITS, maxCost: least })
    expect(proposals).toEqual([])
    expect(declined[0]?.reasons[0]).toMatchObject({ code: "policy.too_dear" })
    expect(declined[0]?.reasons[0]?.message).toContain("rounding of the payout")
  })
})
