import { expect, test } from "vitest"
import { checkStoredPlan } from "#policy/check-stored-plan.ts"
import { evaluate, type Proposal } from "#policy/evaluate.ts"
import { A, B, bandOf, LIMITS, pairOf, viewOf } from "./sample-plan.ts"

const view = viewOf({ [A]: 0n, [B]: 400n }, [
  pairOf(B, A, { bps: 50n, minUnits: 20n, maxUnits: 300n }),
])
const limits = { ...LIMITS, maxOrder: { kind: "units" as const, byAsset: { [B]: 250n } } }
const { proposals } = evaluate(
  view,
  [bandOf("band", A, [100n, 150n, 200n], { sources: [B] })],
  limits,
)
const check = (over: Partial<Proposal>) =>
  checkStoredPlan(
    view,
    limits,
    proposals.map((one) => ({ ...one, ...over })),
  )

test("a plan agrees with its own inputs", () => {
  expect(proposals).toHaveLength(1)
  expect(check({})).toEqual([])
  expect(checkStoredPlan(view, { ...limits, maxOrders: 0 }, proposals)).toEqual([
    "The plan had more than 0 orders",
  ])
})

test.each<[string, Partial<Proposal>]>([
  ["a payout that the quote does not give", { receiveUnits: 151n }],
  ["a cost that the quote does not give", { costFiat: 1n }],
  ["more than is liquid", { units: 401n }],
  ["less than the pair's minimum", { units: 19n }],
  ["more than the pair's maximum", { units: 301n }],
  ["more than the largest order", { units: 251n }],
  ["nothing", { units: 0n }],
  ["a pair without a quote", { from: A, to: B }],
])("a plan with %s is inconsistent", (_name, over) => {
  expect(check(over).length).toBeGreaterThan(0)
})

test("an occurrence with an unknown payout is judged by its balance alone", () => {
  expect(check({ occurrence: "dca@1", receiveUnits: null, costFiat: null, units: 400n })).toEqual(
    [],
  )
  expect(
    check({ occurrence: "dca@1", receiveUnits: null, costFiat: null, units: 401n }),
  ).toHaveLength(1)
})
