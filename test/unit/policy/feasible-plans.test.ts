import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { evaluate, type Proposal } from "#policy/evaluate.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import { limitsAfter } from "#policy/planner/limits-after.ts"
import type { BandRule } from "#policy/rules/band/band-rule.ts"
import type { PolicyRule } from "#policy/rules/registry.ts"
import type { SweepRule } from "#policy/rules/sweep/sweep-rule.ts"
import type { WeightsRule } from "#policy/rules/weights/weights-rule.ts"
import { findAsset, positionUnits, type TreasuryView } from "#policy/treasury-view.ts"
import { arrive } from "../../fixtures/policy/arrive.ts"
import {
  A,
  assetOf,
  B,
  bandOf,
  C,
  D,
  FIAT,
  type Id,
  LIMITS,
  pairOf,
  share,
  usd,
  viewOf,
} from "./sample-plan.ts"

type Line = readonly [string, Id, Id, bigint]

function lines(proposals: readonly Proposal[]): Line[] {
  return proposals.map(({ rules, from, to, units }) => [rules.join("+"), from, to, units])
}

function plan(view: TreasuryView, rules: readonly PolicyRule[], over: Partial<PlanLimits> = {}) {
  const answer = evaluate(view, rules, { ...LIMITS, ...over })
  const codes = answer.declined.flatMap(({ rule, reasons }) =>
    reasons.map(({ code }) => `${rule} ${code}`),
  )
  return { ...answer, lines: lines(answer.proposals), codes }
}

/** The same treasury with six decimals, where the rounding of payouts weighs next to nothing. */
function planFine(view: TreasuryView, rules: readonly BandRule[], over: Partial<PlanLimits> = {}) {
  const fine = (units: bigint): bigint => units * FIAT
  const assets = view.assets.map((asset) => {
    const { balance } = asset
    if (!balance.readable) return asset
    return {
      ...asset,
      decimals: 6,
      balance: { ...balance, spendableUnits: fine(balance.spendableUnits) },
    }
  })
  const bands = rules.map((rule) => ({
    ...rule,
    minUnits: fine(rule.minUnits),
    targetUnits: fine(rule.targetUnits),
    maxUnits: fine(rule.maxUnits),
  }))
  const answer = plan({ ...view, assets }, bands, over)
  const whole = (units: bigint): bigint => (units + FIAT - 1n) / FIAT
  return {
    ...answer,
    lines: answer.lines.map(([rule, from, to, units]): Line => [rule, from, to, whole(units)]),
  }
}

function held(view: TreasuryView, id: Id): bigint {
  const balance = findAsset(view, id)?.balance
  return balance?.readable ? positionUnits(balance) : 0n
}

describe("claims", () => {
  const none = bandOf("none", A, [200n, 300n, 400n], { sources: [C] })
  const able = bandOf("able", A, [150n, 200n, 400n], { sources: [B] })

  test("a rule that can place no order leaves its asset to the next rule", () => {
    const { lines, codes } = plan(viewOf({ [A]: 100n, [B]: 900n, [C]: 0n }), [none, able])
    expect(lines).toEqual([["able", B, A, 100n]])
    expect(codes).toEqual(["none policy.illiquid"])
  })

  test("a rule that places an order keeps its asset for this tick", () => {
    const { lines, codes } = plan(viewOf({ [A]: 100n, [B]: 900n, [C]: 900n }), [none, able])
    expect(lines).toEqual([["none", C, A, 200n]])
    expect(codes).toEqual(["able policy.asset_claimed"])
  })

  test("the rule with the higher priority comes first, and the file's order decides between equals", () => {
    const view = viewOf({ [A]: 100n, [B]: 900n, [C]: 900n })
    expect(plan(view, [none, { ...able, priority: 1 }]).lines).toEqual([["able", B, A, 100n]])
    expect(plan(view, [{ ...none, priority: 1 }, able]).lines).toEqual([["none", C, A, 200n]])
    expect(plan(view, [able, none]).lines).toEqual([["able", B, A, 100n]])
  })
})

test("a rule whose asset another rule's order fills is told so", () => {
  // The bands of D and C would bound each other's order, so the drain of A goes to C as to a
  // partner: past the 6 that its own rule wants.
  const rules = [
    bandOf("drain", A, [0n, 0n, 0n], { sinks: [C] }),
    bandOf("stuck", D, [0n, 0n, 0n]),
    bandOf("low", C, [6n, 6n, 30n], { sources: [D] }),
  ]
  const { assets, pairs } = viewOf({ [A]: 20n, [C]: 0n, [D]: 0n }, [
    pairOf(A, C, { minUnits: 20n }),
    pairOf(D, C),
  ])
  const view: TreasuryView = {
    assets: assets.map((asset) =>
      asset.id === D && asset.balance.readable
        ? { ...asset, balance: { ...asset.balance, inFlightInUnits: 10n } }
        : asset,
    ),
    pairs,
  }
  const { lines, codes } = plan(view, rules)
  expect(lines).toEqual([["drain", A, C, 20n]])
  expect(codes).toEqual(["stuck policy.no_partner", "low policy.asset_claimed"])
})

test("a rule is told why its own order is impossible where the same pair may serve another rule", () => {
  // Below 60 the fixed cost is above the ceiling, and the sweep has only 50. The refill could buy
  // more from A, but C is free.
  const sweep: SweepRule = { id: "sweep", kind: "sweep", from: A, to: B, keepUnits: 50n }
  const refill = bandOf("refill", B, [10n, 70n, 90n], { sources: [A, C] })
  const pairs = [pairOf(A, B, { fixedFeeFiat: (6n * FIAT) / 10n }), pairOf(C, B)]
  const { lines, codes } = plan(viewOf({ [A]: 100n, [B]: 0n, [C]: 100n }, pairs), [refill, sweep])
  expect(lines).toEqual([["refill", C, B, 70n]])
  expect(codes).toEqual(["sweep policy.too_dear"])
})

describe("partners", () => {
  test("a bound that one rule sets on its partner does not bind another rule", () => {
    const weights: WeightsRule = {
      id: "mix",
      kind: "weights",
      toleranceBps: 500n,
      weights: [
        { asset: B, bps: 3_000n },
        { asset: C, bps: 4_000n },
        { asset: D, bps: 3_000n },
      ],
    }
    const band = bandOf("band", A, [100n, 100n, 200n], { sources: [B] })
    // By its shares B gives D only 1; the band asks it for 100 all the same.
    const { lines } = plan(viewOf({ [A]: 0n, [B]: 301n, [C]: 600n, [D]: 99n }), [weights, band])
    expect(lines).toContainEqual(["band", B, A, 100n])
    expect(lines.filter(([rule, from]) => rule === "mix" && from === B)).toEqual([
      ["mix", B, D, 1n],
    ])
  })

  test("a partner keeps a margin above its own min, so that its fees do not make it a need", () => {
    const rules = [
      bandOf("a", A, [100n, 200n, 300n], { sources: [B] }),
      bandOf("b", B, [100n, 200n, 300n], { sources: [A] }),
    ]
    const view = {
      ...viewOf({ [A]: 50n, [B]: 0n }),
      assets: [assetOf(A, 50n, 4n), assetOf(B, 160n, 4n)],
    }
    const { proposals } = plan(view, rules)
    // A tenth of the way from min to target, and the fees that B must keep.
    expect(lines(proposals)).toEqual([["a", B, A, 46n]])
    expect(plan(arrive(view, proposals), rules).lines).toEqual([])
    expect(held(arrive(view, proposals), B)).toBe(114n)
  })

  test(
    "a partner keeps the same margin below its own max, for a drain and for a gain that its " +
      "band does not want",
    () => {
      const drain = bandOf("a", A, [100n, 200n, 300n], { sinks: [B] })
      const full = bandOf("b", B, [100n, 200n, 300n], { sinks: [A] })
      expect(plan(viewOf({ [A]: 400n, [B]: 250n }), [drain, full]).lines).toEqual([
        ["a", A, B, 40n],
      ])
      expect(plan(viewOf({ [A]: 400n, [B]: 290n }), [drain, full]).codes).toContain(
        "a policy.no_room",
      )
      const weights: WeightsRule = {
        id: "mix",
        kind: "weights",
        toleranceBps: 500n,
        weights: [A, B].map((asset) => ({ asset, bps: 5_000n })),
      }
      expect(plan(viewOf({ [A]: 900n, [B]: 250n }), [weights, full]).lines).toEqual([
        ["mix", A, B, 40n],
      ])
      // Its own rule brings it up to max where nothing smaller may be ordered.
      const pairs = [pairOf(A, B, { minUnits: 210n })]
      const refill = bandOf("b", B, [100n, 200n, 300n], { sources: [A] })
      expect(plan(viewOf({ [A]: 900n, [B]: 90n }, pairs), [refill]).lines).toEqual([
        ["b", A, B, 210n],
      ])
    },
  )

  test("a partner helps until it is as near to its own bound as the asset that it helps", () => {
    const rules = [
      bandOf("a", A, [100n, 200n, 300n], { sources: [B], sinks: [B] }),
      bandOf("b", B, [100n, 200n, 300n], { sources: [A], sinks: [A] }),
    ]
    // A: 30 above min. B: 30 above its margin of 10.
    const low = plan(viewOf({ [A]: 90n, [B]: 180n }), rules)
    expect(low.lines).toEqual([["a", B, A, 40n]])
    expect(low.codes).toEqual(["b policy.target_satisfied", "a policy.partial", "a policy.no_room"])
    const high = plan(viewOf({ [A]: 310n, [B]: 220n }), rules)
    expect(high.lines).toEqual([["a", A, B, 40n]])
    // Costs come on top.
    const pairs = [pairOf(B, A, { bps: 1_000n })]
    const paid = plan(viewOf({ [A]: 90n, [B]: 180n }, pairs), rules, { maxCost: null })
    expect(paid.proposals).toMatchObject([{ receiveUnits: 40n }])
    // An asset far beyond its bound still gets all that the partner's own bounds allow.
    expect(plan(viewOf({ [A]: 0n, [B]: 180n }), rules).lines).toEqual([["a", B, A, 70n]])
  })
})

describe("orders of a band that returns to its edge", () => {
  const edge = (over = {}) =>
    bandOf("band", A, [1_000n, 2_000n, 3_000n], {
      move: "edge",
      sources: [B, C],
      sinks: [B, C],
      ...over,
    })
  const costs = { fixedFeeFiat: 2n * FIAT, bps: 20n }
  const ends = [pairOf(B, A, costs), pairOf(A, B, costs)]

  test("go further toward the target where the fixed cost makes that cheaper, and say so", () => {
    // k = 2 / 20 bps = 1 000, and √(1 000² + 2 · 1 000 · 1 000) − 1 000 = 732.05; the costs of
    // growth do not come on top.
    const low = plan(viewOf({ [A]: 990n, [B]: 90_000n }, ends), [edge({ sources: [B] })], {
      maxCost: null,
    })
    expect(low.proposals).toMatchObject([
      { units: 743n, why: [{ code: "policy.refill" }, { code: "policy.grown" }] },
    ])
    expect(low.proposals[0]?.why[1]).toMatchObject({ want: "10", moved: "739", fixed: "2" })
    const high = plan(viewOf({ [A]: 3_010n, [B]: 0n }, ends), [edge({ sinks: [B] })], {
      maxCost: null,
    })
    expect(high.proposals).toMatchObject([
      { units: 743n, why: [{ code: "policy.drain" }, { code: "policy.grown" }] },
    ])
  })

  test("return to the edge alone without a fixed cost, and never pass the target", () => {
    const at = (quote: { fixedFeeFiat: bigint; bps: bigint }) =>
      plan(viewOf({ [A]: 990n, [B]: 90_000n }, [pairOf(B, A, quote)]), [edge({ sources: [B] })], {
        maxCost: null,
      })
    expect(at({ fixedFeeFiat: 0n, bps: 20n }).proposals).toMatchObject([{ receiveUnits: 10n }])
    expect(at({ fixedFeeFiat: 2n * FIAT, bps: 0n }).proposals).toMatchObject([{ units: 1_010n }])
    const most = at({ fixedFeeFiat: 900n * FIAT, bps: 1n }).proposals
    expect(most).toMatchObject([{ units: 1_010n }])
  })

  test(
    "grow on the pair that is cheapest in the long run, and return to the edge alone on a dear " +
      "one",
    () => {
      const pairs = [pairOf(B, A, costs), pairOf(C, A, { fixedFeeFiat: FIAT / 10n, bps: 100n })]
      // For 10 units alone, the second pair would be cheaper.
      const rich = plan(viewOf({ [A]: 990n, [B]: 9_000n, [C]: 9_000n }, pairs), [edge()], {
        maxCost: null,
      })
      expect(rich.proposals).toMatchObject([{ from: B, units: 743n }])
      const on = (left: bigint) =>
        plan(viewOf({ [A]: 990n, [B]: left, [C]: 9_000n }, pairs), [edge()], { maxCost: null })
          .proposals
      expect(on(300n)).toMatchObject([
        { from: C, receiveUnits: 10n, why: [{ code: "policy.refill" }] },
      ])
      // Where no other pair can carry an order, the dear one has its own size: k = 10, and √(10² +
      // 2 · 10 · 1 000) − 10 = 131.8.
      expect(on(0n)).toMatchObject([{ from: C, units: 142n }])
    },
  )
})

describe("cost ceilings", () => {
  const band = (over = {}) => bandOf("band", A, [100n, 120n, 400n], { sources: [B], ...over })

  test("an order grows toward max when its fixed cost would otherwise be too dear", () => {
    // 2 usd fixed at most 1 % need an order of 200; the need is 30.
    const pairs = [pairOf(B, A, { fixedFeeFiat: 2n * FIAT })]
    const { lines } = plan(viewOf({ [A]: 90n, [B]: 900n }, pairs), [band()])
    expect(lines).toEqual([["band", B, A, 200n]])
    const narrow = plan(viewOf({ [A]: 90n, [B]: 900n }, pairs), [band({ maxUnits: 200n })])
    expect(narrow.lines).toEqual([])
    expect(narrow.codes).toEqual(["band policy.no_room"])
  })

  test("a drain grows toward min in the same way", () => {
    const pairs = [pairOf(A, B, { fixedFeeFiat: 2n * FIAT })]
    const { lines } = plan(viewOf({ [A]: 420n, [B]: 0n }, pairs), [
      band({ targetUnits: 390n, sinks: [B] }),
    ])
    expect(lines).toEqual([["band", A, B, 200n]])
  })

  test("max_cost_when_empty raises the ceiling of a refill as the balance approaches zero", () => {
    const rule = band({ maxCost: share(50n), maxCostWhenEmpty: share(250n) })
    const at = (units: bigint, bps: bigint) =>
      planFine(viewOf({ [A]: units, [B]: 900n }, [pairOf(B, A, { bps })]), [rule], {
        maxCost: share(400n),
      })
    expect(at(0n, 250n).lines).toHaveLength(1)
    expect(at(0n, 251n).lines).toEqual([])
    expect(at(50n, 150n).lines).toHaveLength(1)
    expect(at(50n, 151n).lines).toEqual([])
    expect(at(99n, 60n).lines).toEqual([])
    expect(at(50n, 150n).proposals).toMatchObject([{ maxCosts: [share(150n)] }])
    // The general limit binds all rules.
    expect(
      planFine(viewOf({ [A]: 0n, [B]: 900n }, [pairOf(B, A, { bps: 250n })]), [rule], {
        maxCost: share(100n),
      }).lines,
    ).toEqual([])
  })

  test("an order that serves two rules obeys the ceilings of both", () => {
    const pairs = [pairOf(B, A, { fixedFeeFiat: 0n, bps: 60n })]
    const view = viewOf({ [A]: 50n, [B]: 900n }, pairs)
    const drain = (over = {}) => bandOf("drain", B, [0n, 800n, 850n], { sinks: [A], ...over })
    const both = planFine(view, [band({ maxCost: share(80n) }), drain({ maxCost: usd(200n) })])
    expect(both.proposals).toMatchObject([
      { rules: ["drain", "band"], maxCosts: [usd(200n), share(80n)] },
    ])
    // 60 bps are too dear for the drain, so the order serves the band alone.
    const one = planFine(view, [band({ maxCost: share(80n) }), drain({ maxCost: share(50n) })])
    expect(one.proposals).toMatchObject([{ rules: ["band"] }])
    // 0.12 usd at 60 bps are 20 usd; both rules list the pair, and no order is above the stricter
    // ceiling.
    const fiat = planFine(view, [band({ maxCost: usd(12n) }), drain({ maxCost: share(80n) })])
    for (const { rules, units } of fiat.proposals)
      if (rules.includes("band")) expect(units).toBeLessThanOrEqual(20n * FIAT)
    expect(
      planFine(view, [band({ maxCost: share(50n) }), drain({ maxCost: share(50n) })]).lines,
    ).toEqual([])
  })

  test("the network fee of the deposit counts in every ceiling", () => {
    const pairs = [pairOf(B, A, { networkFeeFiat: 15n * FIAT })]
    const view = viewOf({ [A]: 90n, [B]: 9_000n }, pairs)
    expect(plan(view, [band({ maxCost: usd(40n) })]).codes).toEqual(["band policy.too_dear"])
    expect(plan(view, [band({ maxUnits: 1_400n })]).lines).toEqual([])
    expect(plan(view, [band({ maxUnits: 1_600n })]).lines).toEqual([["band", B, A, 1_500n]])
  })

  test(
    "the tolerance of reference prices counts for the costs that they show, and not for the " +
      "quote's own",
    () => {
      const at = (bps: bigint, own: bigint) => {
        const quote = { bps, toleranceBps: 200n, own: { fixedFeeFiat: 0n, bps: own } }
        return planFine(viewOf({ [A]: 50n, [B]: 900n }, [pairOf(B, A, quote)]), [band()]).lines
          .length
      }
      expect(at(300n, 100n)).toBe(1)
      expect(at(301n, 100n)).toBe(0)
      expect(at(300n, 101n)).toBe(0)
    },
  )
})

describe("limits that admission would apply", () => {
  const band = bandOf("band", A, [100n, 150n, 200n], { sources: [B, C] })
  const view = viewOf({ [A]: 0n, [B]: 900n, [C]: 900n })
  const paused = { code: "paused", message: "Paused" }

  test("a blocked first source leaves the need to the second one, and both reasons are recorded", () => {
    const blocked = [{ from: B, to: A, rule: "band", reasons: [paused] }]
    expect(plan(view, [band]).lines).toEqual([["band", B, A, 150n]])
    expect(plan(view, [band], { blocked }).lines).toEqual([["band", C, A, 150n]])
    const none = plan(view, [band], {
      blocked: [...blocked, { from: C, to: A, rule: "band", reasons: [paused] }],
    })
    expect(none.lines).toEqual([])
    expect(none.codes).toEqual(["band paused", "band paused"])
  })

  test("a need larger than a window is met in part, and named so", () => {
    const windows = [
      {
        per: "1 h",
        leftFiat: 100n * FIAT,
        maxFiat: 100n * FIAT,
        leftUnits: {},
        leftFeesFiat: null,
      },
    ]
    const part = plan(view, [band], { windows })
    expect(part.lines).toEqual([["band", B, A, 99n]])
    expect(part.codes).toEqual(["band policy.partial", "band policy.window", "band policy.window"])
    const units = [
      { per: "1 h", leftFiat: null, maxFiat: null, leftUnits: { [B]: 60n }, leftFeesFiat: null },
    ]
    expect(
      plan(viewOf({ [A]: 0n, [B]: 900n, [C]: 90n }), [band], { windows: units }).lines,
    ).toEqual([
      ["band", B, A, 60n],
      ["band", C, A, 90n],
    ])
    // It counts no units of another asset, and each asset has its own.
    const each = [{ ...units[0], per: "1 h", leftUnits: { [C]: 20n, [B]: 40n } }] as typeof units
    expect(plan(view, [band], { windows: each }).lines).toEqual([
      ["band", B, A, 40n],
      ["band", C, A, 20n],
    ])
  })

  test("the crumbs of a window are left until there is more", () => {
    const windows = [
      { per: "1 h", leftFiat: 4n * FIAT, maxFiat: 100n * FIAT, leftUnits: {}, leftFeesFiat: null },
    ]
    const none = plan(view, [band], { windows })
    expect(none.lines).toEqual([])
    expect(none.codes).toEqual(["band policy.window", "band policy.window"])
  })

  test("a window of fees ends the plan at its fees", () => {
    const windows = [
      { per: "1 d", leftFiat: null, maxFiat: null, leftUnits: {}, leftFeesFiat: FIAT / 2n },
    ]
    const pairs = [pairOf(B, A, { bps: 80n }), pairOf(C, A, { bps: 20n })]
    expect(
      planFine(viewOf({ [A]: 0n, [B]: 900n, [C]: 900n }, pairs), [band], { windows }).lines,
    ).toEqual([["band", C, A, 151n]])
    const dear = [pairOf(B, A, { bps: 80n })]
    const none = planFine(viewOf({ [A]: 0n, [B]: 900n, [C]: 0n }, dear), [band], { windows })
    expect(none.lines).toEqual([["band", B, A, 51n]])
  })

  test("counts of one pair, rule or chain bound the orders of the plan", () => {
    const split = { maxOrder: { kind: "units" as const, byAsset: { [B]: 50n, [C]: 50n } } }
    expect(plan(view, [band], split).lines).toHaveLength(3)
    for (const counts of [
      [
        { pair: { from: B, to: A }, left: 1, reason: paused },
        { chain: "c", left: 0, reason: paused },
      ],
      [{ rule: "band", left: 1, reason: paused }],
      [{ chain: "a", left: 1, reason: paused }],
    ] as const) {
      expect(plan(view, [band], { ...split, counts }).lines).toHaveLength(1)
    }
  })

  test("each order of a chain keeps the fees of its own deposit and refund", () => {
    const split = { maxOrder: { kind: "units" as const, byAsset: { [B]: 50n } } }
    const gas = [{ chain: "b", coin: null, perOrderUnits: 10n, leftUnits: 25n }]
    const only = bandOf("band", A, [100n, 150n, 200n], { sources: [B] })
    expect(plan(view, [only], { ...split, gas }).lines).toHaveLength(2)
    // B is the coin itself: the floor keeps the fees of one order, and two orders need them twice.
    const coin = [{ chain: "b", coin: B, perOrderUnits: 10n, leftUnits: null }]
    const native = {
      ...viewOf({ [A]: 0n }),
      assets: [assetOf(A, 0n), assetOf(B, 110n, 10n)],
      pairs: [pairOf(B, A)],
    }
    expect(
      plan(native, [only], { ...split, gas: coin }).lines.map(([, , , units]) => units),
    ).toEqual([45n, 45n])
  })
})

describe("a coin that is sold while a token of its chain is sold too", () => {
  const eur = parseAssetId("a:eur")
  const gas = [{ chain: "a", coin: A, perOrderUnits: 50n, leftUnits: 5_000n }]
  const { assets, ...rest } = viewOf({ [A]: 5_000n, [eur]: 1_000n, [B]: 0n, [C]: 0n })
  const view = {
    ...rest,
    assets: assets.map((asset) => (asset.id === A ? assetOf(A, 5_000n, 50n) : asset)),
  }
  const LEAST = { minUnits: 4_950n }
  const coin: PolicyRule = { id: "coin", kind: "sweep", from: A, to: B, keepUnits: 0n }
  const token: PolicyRule = { id: "token", kind: "sweep", from: eur, to: C, keepUnits: 0n }
  const sold = (rules: PolicyRule[], limits: PlanLimits) =>
    evaluate(view, rules, limits).proposals.map(({ from, units }) => [from, units])

  test("leaves the token's order its fees", () => {
    expect(sold([coin, token], { ...LIMITS, gas })).toEqual([
      [eur, 1_000n],
      [A, 4_900n],
    ])
  })

  test("waits where its smallest order would take them", () => {
    const pairs = view.pairs.map((pair) => (pair.from === A ? pairOf(A, pair.to, LEAST) : pair))
    const { proposals } = evaluate({ ...view, pairs }, [coin, token], { ...LIMITS, gas })
    expect(proposals.map(({ from, units }) => [from, units])).toEqual([[eur, 1_000n]])
  })

  test("leaves them also where that order was accepted in an earlier plan of the tick", () => {
    const before = { rules: ["token"], from: eur, to: C, units: 1_000n, costFiat: 0n }
    expect(sold([coin], limitsAfter({ ...LIMITS, gas }, [before], view))).toEqual([[A, 4_900n]])
  })

  test("leaves the token no fees that were sold before", () => {
    const before = { rules: ["coin"], from: A, to: B, units: 4_950n, costFiat: 0n }
    expect(sold([token], limitsAfter({ ...LIMITS, gas }, [before], view))).toEqual([])
  })
})

test("a quote of a gain counts as free: no plan relies on it", () => {
  const pairs = [pairOf(B, A, { bps: -100n }), pairOf(C, A, { bps: -1n })]
  const view = viewOf({ [A]: 0n, [B]: 900n, [C]: 900n }, pairs)
  const { proposals } = plan(view, [bandOf("band", A, [100n, 100n, 200n], { sources: [C, B] })])
  expect(proposals).toMatchObject([{ from: C, units: 100n, receiveUnits: 100n, costFiat: 0n }])
})

test.each([9_999n, 10_000n])("a pair that takes %s of 10 000 parts is none", (bps) => {
  const view = viewOf({ [A]: 0n, [B]: 900n }, [pairOf(B, A, { bps })])
  const rule = bandOf("band", A, [100n, 100n, 200n], { sources: [B] })
  const { codes } = plan(view, [rule], { maxCost: null })
  expect(codes).toContain(bps === 10_000n ? "band policy.pair_unavailable" : "band policy.illiquid")
})

test("two native bands that list each other come to rest", () => {
  const rules = [
    bandOf("a", A, [100_000n, 120_000n, 200_000n], { sources: [B] }),
    bandOf("b", B, [100_000n, 120_000n, 200_000n], { sources: [A] }),
  ]
  let view: TreasuryView = {
    assets: [assetOf(A, 90_000n, 400n), assetOf(B, 112_000n, 400n)],
    pairs: [],
  }
  view = { ...view, pairs: [pairOf(A, B, { bps: 30n }), pairOf(B, A, { bps: 30n })] }
  let orders = 0
  for (let tick = 0; tick < 40; tick += 1) {
    const { proposals } = plan(view, rules)
    orders += proposals.length
    // Each order also pays 200 of fees in the coin that it sells.
    const after = arrive(view, proposals)
    const assets = after.assets.map((asset) => {
      const sold = proposals.filter(({ from }) => from === asset.id).length
      return assetOf(asset.id, held(after, asset.id) - 200n * BigInt(sold), 400n)
    })
    view = { ...view, assets }
  }
  expect(orders).toBeLessThanOrEqual(2)
})

test("a sweep and a band with room for each other do not trade for ever", () => {
  const sweep: SweepRule = { id: "sweep", kind: "sweep", from: A, to: B, keepUnits: 150n }
  const view = viewOf({ [A]: 50n, [B]: 500n })
  const rules = [bandOf("band", A, [100n, 120n, 200n], { sources: [B] }), sweep]
  const { proposals } = plan(view, rules)
  expect(plan(arrive(view, proposals), rules).lines).toEqual([])
})
