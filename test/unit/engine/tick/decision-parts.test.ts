import { describe, expect, test } from "vitest"
import {
  type DecisionBody,
  isProposed,
  type ProposalResult,
  partOf,
  reasonsIn,
  toDecision,
} from "#engine/rules/tick/decision.ts"
import { decodeJson } from "#lib/json.ts"
import type { Evaluation, Proposal } from "#policy/evaluate.ts"
import { BTC, ETH } from "../../../support/fake-world.ts"

const NOW = Date.UTC(2026, 0, 2)
const reason = (code: string) => ({ code, message: code })
const propose = (
  id: string,
  rules: readonly string[],
  occurrence: string | null = null,
): Proposal =>
  // CAST: a decision keeps the rest as it is.
  ({ id, rules, occurrence, from: ETH, to: BTC, units: 1n }) as unknown as Proposal

const PLAN = { orders: 2 }
// CAST: as above.
const EVALUATION = {
  proposals: [propose("1", ["a", "b"]), propose("2", ["a"], "a@1"), propose("3", ["b"])],
  declined: [
    { rule: "a", occurrence: null, reasons: [reason("x"), reason("y")] },
    { rule: "a", occurrence: null, reasons: [reason("y"), { ...reason("x"), asset: ETH }] },
    { rule: "a", occurrence: "a@1", reasons: [reason("of the occurrence")] },
    { rule: "c", occurrence: null, reasons: [reason("z")] },
  ],
  plan: PLAN,
} as unknown as Evaluation

describe("the part of a rule", () => {
  // CAST: `propose` gave it an id.
  const idsOf = (proposals: readonly Proposal[]) => proposals.map((one) => Reflect.get(one, "id"))
  test.each<[string, string | null, readonly string[], readonly string[]]>([
    ["a", null, ["1"], ["x", "y", "x"]],
    ["a", "a@1", ["2"], ["of the occurrence"]],
    ["b", null, ["1", "3"], []],
    ["c", null, [], ["z"]],
    ["d", null, [], []],
  ])(
    "has its own proposals, each reason once, and the plan of them: %s %s",
    (rule, occurrence, ids, codes) => {
      const { proposals, reasons, plan } = partOf(EVALUATION, { rule, occurrence })
      expect(idsOf(proposals)).toEqual(ids)
      expect(reasons.map(({ code }) => code)).toEqual(codes)
      expect(plan).toBe(ids.length > 0 ? PLAN : null)
    },
  )
})

describe("a decision", () => {
  const decide = (
    rule: string,
    occurrence: string | null,
    resultOf: (proposal: Proposal) => ProposalResult = () => null,
    round?: number,
  ) => {
    const { body, ...decision } = toDecision(
      { rule, occurrence },
      {
        evaluation: EVALUATION,
        resultOf,
        inputs: "inputs",
        view: { assets: [], pairs: [] },
        configHash: "hash",
        nowMs: NOW,
        ...(round === undefined ? {} : { round }),
      },
    )
    // CAST: a decision of this version.
    return { decision, body: decodeJson(body) as DecisionBody }
  }

  test("is named after its occurrence, or its rule, its time and its plan", () => {
    const at = new Date(NOW).toISOString()
    expect(decide("a", "a@1").decision.id).toBe("a@1")
    expect(decide("a", null).decision.id).toBe(`a@${at}`)
    expect(decide("a", null, undefined, 1).decision.id).toBe(`a@${at}`)
    expect(decide("a", null, undefined, 2).decision.id).toBe(`a@${at}/2`)
    expect(decide("a", null).decision).toMatchObject({
      atMs: NOW,
      rule: "a",
      inputs: "inputs",
      configHash: "hash",
    })
  })

  test("has the result and the costs of each proposal, and none without any", () => {
    const { body, decision } = decide("b", null, (one) =>
      Reflect.get(one, "id") === "1" ? { order: "o" } : { refused: [reason("limit.order")] },
    )
    expect(body.outcomes).toEqual([{ order: "o" }, { refused: [reason("limit.order")] }])
    expect(body.costs).toHaveLength(2)
    expect(decision.verdict).toBe("proposed")
    const none = decide("c", null)
    expect(none.body).not.toHaveProperty("costs")
    expect(none.decision.verdict).toBe("declined")
  })

  test.each<[ProposalResult, boolean]>([
    [null, false],
    [{ order: "o" }, true],
    [{ refused: [reason("mode.observe")] }, true],
    [{ refused: [reason("mode.observe"), reason("paused")] }, false],
    [{ refused: [reason("paused")] }, false],
  ])("of the result %o is a proposal: %s", (result, expected) => {
    expect(isProposed(result)).toBe(expected)
  })

  test("has the reasons of the policy first, then those of the guards", () => {
    const outcomes = [null, { order: "o" }, { refused: [reason("b"), reason("c")] }]
    const decided = { proposals: [], reasons: [reason("a")], plan: null }
    const body: DecisionBody = { version: 1, occurrence: null, decided, outcomes }
    expect(reasonsIn(body).map(({ code }) => code)).toEqual(["a", "b", "c"])
  })
})
