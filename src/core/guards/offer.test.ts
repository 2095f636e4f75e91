import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import type { Quote } from "#domain/quote.ts"
import { judgeOfferCost, type OwnCost } from "./offer.ts"
import type { CostPolicy, Reference } from "./price.ts"

const FIAT = 1_000_000n
/** Sells a thousand and loses ten. */
const QUOTE: Quote = {
  from: parseAssetId("base:usdc"),
  to: parseAssetId("arbitrum:usdc"),
  solverId: "s",
  estimatedSeconds: null,
  sourceUnits: 1_000n * FIAT,
  destinationUnits: 990n * FIAT,
  sourceFiat: 1_000n * FIAT,
  destinationFiat: 990n * FIAT,
}
const NONE: Reference = { from: null, to: null }
const PAR: Reference = { from: { fiat: FIAT, sources: 1 }, to: { fiat: FIAT, sources: 1 } }
/** 3 for the deposit, a tenth of 10 for a refund, and 1 for the locked money. */
const OWN: OwnCost = {
  fees: { depositFiat: 3n * FIAT, refundFiat: 10n * FIAT },
  risk: { refundPpm: 100_000n, lockPpb: 1_000_000n },
}

function codes(policy: CostPolicy, own: OwnCost, reference = NONE, toleranceBps = 0n): string[] {
  const basis = { decimals: { from: 6, to: 6 }, toleranceBps, own }
  return judgeOfferCost(QUOTE, reference, policy, basis).refusals.map(({ code }) => code)
}
const share = (bps: bigint): CostLimit => ({ kind: "share", bps })
const fiat = (amount: bigint): CostLimit => ({ kind: "fiat", fiat: amount })

describe(
  "the ceilings count the quote, the network fee, a possible refund and the locked money " +
    "together",
  () => {
    test.each<[string, CostPolicy, CostPolicy]>([
      ["as a share", { maxCost: share(150n) }, { maxCost: share(149n) }],
      ["in fiat", { maxCost: fiat(15n * FIAT) }, { maxCost: fiat(15n * FIAT - 1n) }],
      [
        "of the rule",
        { maxCost: share(999n), ruleMaxCost: share(150n) },
        { maxCost: share(999n), ruleMaxCost: share(149n) },
      ],
      [
        "of another rule that the order serves",
        { maxCost: share(999n), alsoMaxCosts: [share(150n)] },
        { maxCost: share(999n), alsoMaxCosts: [share(149n)] },
      ],
    ])("%s", (_name, at, below) => {
      for (const reference of [NONE, PAR]) {
        expect(codes(at, OWN, reference)).toEqual([])
        expect(codes(below, OWN, reference)).toEqual(["price.total_cost"])
        expect(codes(below, null, reference)).toEqual([])
      }
    })

    test("and the tolerance of reference prices applies to the sum", () => {
      const dear: Reference = {
        from: { fiat: FIAT, sources: 1 },
        to: { fiat: (98n * FIAT) / 100n, sources: 1 },
      }
      // By these prices the quote loses 298 bps, and all costs together are 348 bps.
      expect(codes({ maxCost: share(150n) }, OWN, dear, 198n)).toEqual([])
      expect(codes({ maxCost: share(150n) }, OWN, dear, 197n)).toEqual(["price.total_cost"])
      expect(codes({ maxCost: share(150n) }, OWN, dear, 147n)).toEqual(["price.reference"])
    })

    test("and a quote that is too dear by itself is named as that alone", () => {
      expect(codes({ maxCost: share(99n) }, OWN)).toEqual(["price.cost"])
    })
  },
)

test("an offer of another kind than the planned one may cost what the plan costs", () => {
  const over = (kind: string, costFiat: bigint) =>
    codes({ maxCost: share(999n), planned: { kind, costFiat } }, OWN)
  expect(over("cctp", 15n * FIAT)).toEqual([])
  expect(over("cctp", 15n * FIAT - 1n)).toEqual(["price.other_kind"])
  expect(over("htlc", 1n)).toEqual([])
})
