import { describe, expect, test } from "vitest"
import { decodeJson, encodeJson } from "#lib/json.ts"
import { evaluate } from "#policy/evaluate.ts"
import type { GasRule } from "#policy/rules/gas/gas-rule.ts"
import type { FeeWait, TreasuryView } from "#policy/treasury-view.ts"
import { feesOfDays, measureFeeUse } from "#policy/values/fee-use.ts"
import { A, assetOf, B, C, FIAT, LIMITS, pairOf, share } from "./sample-plan.ts"

const RULE: GasRule = {
  id: "gas",
  kind: "gas",
  asset: A,
  sources: [B, C],
  days: 16n,
  orders: 10n,
}

/** Sixteen days with a fee of 10 each need 160; ten orders at their highest fee need 50. */
const EVEN = measureFeeUse(daysOf(16, [10n]), 5n)

function daysOf(count: number, units: readonly bigint[]) {
  return Array.from({ length: count }, (_, day) => ({
    day,
    units: units[day % units.length] ?? 0n,
  }))
}

/** `kept`: fees of accepted orders and the least that stays, beside one order. */
function viewOf(have: bigint, use = EVEN, kept = 0n, fees: readonly FeeWait[] = []): TreasuryView {
  const coin = { ...assetOf(A, have, kept + use.perOrderUnits), feeUse: use }
  const pairs = [
    pairOf(B, A, { fixedFeeFiat: FIAT / 50n }),
    pairOf(C, A, { fixedFeeFiat: FIAT / 100n }),
  ]
  return { assets: [coin, assetOf(B, 9_000n), assetOf(C, 9_000n)], pairs, fees }
}

function plan(view: TreasuryView, over: Partial<GasRule> = {}) {
  const { proposals, declined } = evaluate(view, [{ ...RULE, ...over }], {
    ...LIMITS,
    maxCost: share(1_000n),
  })
  return {
    orders: proposals.map(({ from, receiveUnits }) => [from, receiveUnits]),
    codes: declined.flatMap(({ reasons }) => reasons.map(({ code }) => code)),
  }
}

const KEPT = { orders: [], codes: ["policy.gas_kept"] }

describe("a stock of the coin for fees", () => {
  test.each([
    ["half of the days left is enough", viewOf(80n), KEPT],
    [
      "less is refilled to all of them, the cheapest way",
      viewOf(79n),
      { orders: [[C, 81n]], codes: [] },
    ],
    [
      "what accepted orders keep back does not count",
      viewOf(99n, EVEN, 20n),
      { orders: [[C, 81n]], codes: [] },
    ],
    [
      "the fees of ten orders stay where days use less",
      viewOf(49n, measureFeeUse(daysOf(20, [1n]), 5n)),
      { orders: [[C, 51n]], codes: [] },
    ],
    ["without two weeks of books too", viewOf(50n, measureFeeUse(daysOf(13, [1_000n]), 5n)), KEPT],
    [
      "a day that varies needs more",
      viewOf(110n, measureFeeUse(daysOf(16, [0n, 20n]), 5n)),
      { orders: [[C, 130n]], codes: [] },
    ],
  ] as const)("%s", (_, view, found) => {
    expect(plan(view)).toEqual(found)
    // CAST: the journal keeps the view of a decision as text, and `replay` plans from that.
    expect(plan(decodeJson(encodeJson(view)) as TreasuryView)).toEqual(found)
  })

  test("is unknown for an asset that pays no fees", () => {
    const view = { ...viewOf(0n), assets: [assetOf(A, 0n), assetOf(B, 9_000n)] }
    expect(plan(view)).toEqual({ orders: [], codes: ["policy.gas_unknown"] })
  })

  test("a patient rule buys half way down from a chain whose fee is low, and below it at any fee", () => {
    const wait = (asset: typeof B, below: number): FeeWait => {
      return { rule: "gas", occurrence: null, asset, untilMs: 1, below, of: 100, chances: 2 }
    }
    const low = [wait(B, 1), wait(C, 99)]
    const high = [wait(B, 99), wait(C, 99)]
    const patient = { patienceMs: 86_400_000 }
    expect(plan(viewOf(120n, EVEN, 0n, low), patient)).toEqual(KEPT)
    expect(plan(viewOf(119n, EVEN, 0n, low), patient).orders).toEqual([[B, 41n]])
    expect(plan(viewOf(119n, EVEN, 0n, high), patient).codes).toEqual(["policy.fee_wait"])
    expect(plan(viewOf(79n, EVEN, 0n, high), patient).orders).toEqual([[C, 81n]])
    expect(plan(viewOf(119n, EVEN, 0n, low))).toEqual(KEPT)
  })
})

test("no fees of days are known before two weeks", () => {
  expect(feesOfDays(measureFeeUse(daysOf(13, [10n]), 5n), 4n)).toBeNull()
  expect(feesOfDays(measureFeeUse(daysOf(14, [10n]), 5n), 4n)).toBe(40n)
})
