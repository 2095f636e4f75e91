import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { evaluateNow } from "#engine/rules/decide/plan-tick.ts"
import { runSteps } from "#engine/rules/decide/steps.ts"
import { readDecisionBody, replayDecision, toDecision } from "#engine/rules/tick/decision.ts"
import { encodeJson } from "#lib/json.ts"
import { solveFlow } from "#policy/planner/solve-flow.ts"
import type { BandRule } from "#policy/rules/band/band-rule.ts"
import type { AssetView, TreasuryView } from "#policy/treasury-view.ts"

test("a stored decision without a version cannot be read, because its form is another one", () => {
  expect(['{"reasons":[]}', "null", '"text"', '{"version":2}'].map(readDecisionBody)).toEqual([
    null,
    null,
    null,
    null,
  ])
  expect(readDecisionBody('{"version":1,"outcomes":[]}')).toMatchObject({ version: 1 })
})

test("a plan that HiGHS did not prove in time replays from its own numbers, and names them", async () => {
  const solver = {
    solve: async (problem: Parameters<typeof solveFlow>[0]) => {
      // One order fewer than the best plan: no search gives these numbers again.
      const orders = solveFlow(problem).orders.map((count) => Math.max(0, count - 1))
      return { orders, exact: false, by: "highs", why: "time" } as const
    },
  }
  const limits = { maxOrders: 5, maxOrder: null, split: true, maxCost: null }
  const due = [{ rule: RULE.id, occurrence: null }]
  const decided = await runSteps(evaluateNow(solver, { view: VIEW, rules: [RULE], limits, due }))
  const [entry] = due
  if (entry === undefined) throw new Error("one rule is due")
  const { evaluation } = decided
  expect(evaluation).toMatchObject({
    proposals: [{ units: 500n }],
    plan: { orders: 1, exact: false },
  })
  const inputs = encodeJson(decided.inputs)
  const of = { evaluation, resultOf: () => null, inputs, view: VIEW, configHash: null, nowMs: 0 }
  const decision = toDecision(entry, of)
  const solved = [{ by: "highs", exact: false, why: "time" }]
  expect(replayDecision(decision, inputs)).toMatchObject({ same: true, solved })
  // Without them another plan comes out.
  const { answers: _, ...without } = decided.inputs
  const again = replayDecision(decision, encodeJson(without))
  expect(again).toMatchObject({ same: false, solved: [] })
})

const FROM = parseAssetId("a:usd")
const TO = parseAssetId("b:usd")

const VIEW: TreasuryView = {
  assets: [assetOf(FROM, 5_000n), assetOf(TO, 0n)],
  pairs: [
    {
      from: FROM,
      to: TO,
      quote: {
        readable: true,
        available: true,
        fixedFeeFiat: 0n,
        bps: 0n,
        minUnits: 1n,
        maxUnits: 500n,
      },
    },
  ],
}

const RULE: BandRule = {
  id: "band",
  kind: "band",
  asset: TO,
  minUnits: 500n,
  targetUnits: 1_000n,
  maxUnits: 2_000n,
  sources: [FROM],
  sinks: [],
}

function assetOf(id: AssetView["id"], spendableUnits: bigint): AssetView {
  return {
    id,
    decimals: 0,
    balance: {
      readable: true,
      spendableUnits,
      inFlightInUnits: 0n,
      inFlightOutUnits: 0n,
      floorUnits: 0n,
    },
    priceFiat: 1_000_000n,
  }
}

test.each([7, 99])(
  "a decision of version %i of the policy is refused, and not replayed",
  (policy) => {
    const body = '{"version":1,"occurrence":null,"decided":{"proposals":[]},"outcomes":[]}'
    const replayed = replayDecision({ rule: "hot", body }, JSON.stringify({ version: 1, policy }))
    expect(replayed).toMatchObject({
      code: "decision.policy_version",
      message: expect.stringContaining(`Version ${policy} of the policy`),
    })
  },
)
