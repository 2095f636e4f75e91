import { expect, test } from "vitest"
import { evaluate } from "#policy/evaluate.ts"
import { listCostParts } from "#policy/list-cost-parts.ts"
import type { PairView, TreasuryView } from "#policy/treasury-view.ts"
import { A, B, bandOf, FIAT, LIMITS, pairOf, viewOf } from "./sample-plan.ts"

/** The service takes a share; a burn takes no share, and its mint has a fee of its own. */
const swap = pairOf(B, A, { bps: 30n })
const burn: PairView = { ...pairOf(B, A, { networkFeeFiat: 6n * FIAT }), kind: "cctp" }
const none: PairView = {
  from: B,
  to: A,
  kind: "cctp",
  quote: { readable: false, cause: { code: "service.silent", message: "silent" } },
}

const viewWith = (...pairs: readonly PairView[]): TreasuryView =>
  viewOf({ [A]: 0n, [B]: 90_000n }, pairs)

/** The kinds of the orders that bring so many units. */
function kindsFor(units: bigint, ...pairs: readonly PairView[]): (string | undefined)[] {
  const rule = bandOf("float", A, [units, units, 60_000n], { sources: [B] })
  return evaluate(viewWith(...pairs), [rule], LIMITS).proposals.map(({ kind }) => kind)
}

test("the cheaper line carries the order: the share of a small one, the fixed fee of a large one", () => {
  for (const lines of [
    [swap, burn],
    [burn, swap],
  ]) {
    expect(kindsFor(500n, ...lines)).toEqual([undefined])
    expect(new Set(kindsFor(20_000n, ...lines))).toEqual(new Set(["cctp"]))
  }
})

test("a line that pays our own wallet alone carries no order for another payee", () => {
  const line: PairView = { ...burn, ownOnly: true }
  const sweep = { id: "payouts", kind: "sweep", from: A, to: B, keepUnits: 100n } as const
  const drained: PairView[] = [swap, line].map((one) => ({ ...one, from: A, to: B }))
  const view = viewOf({ [A]: 60_000n, [B]: 0n }, drained)
  const kindsTo = (destination: string | null) =>
    new Set(evaluate(view, [{ ...sweep, destination }], LIMITS).proposals.map(({ kind }) => kind))
  expect([kindsTo(null), kindsTo("customer")]).toEqual([new Set(["cctp"]), new Set([undefined])])
})

test("the other line carries the order while one has no quote", () => {
  expect(kindsFor(500n, swap, none)).toEqual([undefined])
  expect(new Set(kindsFor(500n, burn))).toEqual(new Set(["cctp"]))
  expect(kindsFor(500n, none)).toEqual([])
})

test("the parts of an order's cost are those of its line", () => {
  const order = { from: B, to: A, units: 1_000n, costFiat: 6n * FIAT }
  expect(listCostParts({ ...order, kind: "cctp" }, viewWith(swap, burn))).toMatchObject({
    swapFiat: 0n,
    networkFiat: 6n * FIAT,
  })
  expect(listCostParts(order, viewWith(swap, burn))).toMatchObject({ networkFiat: null })
})
