import { expect, test } from "vitest"
import { decideTick, outcomeOf, type RuleDecision } from "#engine/rules/decide/decide-tick.ts"
import type { PolicyAnswer } from "#engine/rules/decide/plan-tick.ts"
import { runAtOnce } from "#engine/rules/decide/steps.ts"
import type { DueEntry } from "#engine/rules/tick/due-list.ts"
import type { Proposal } from "#policy/evaluate.ts"
import { BTC, ETH } from "../../../support/fake-world.ts"

// CAST: only the names of an entry count.
const entry = (rule: string, occurrence: string | null = null): DueEntry =>
  ({ rule, occurrence }) as DueEntry
const reason = (code: string) => ({ code, message: code })
const A = entry("a")
const B = entry("b")
const ONCE = entry("a", "a@1")

/** A proposal for these rules. */
function propose(id: string, rules: readonly string[], occurrence: string | null = null): Proposal {
  // CAST: a tick reads nothing else of it.
  return {
    id,
    rules,
    occurrence,
    from: ETH,
    to: BTC,
    destination: null,
    units: 1n,
  } as unknown as Proposal
}

type Plan = { readonly proposals: readonly Proposal[]; readonly declined?: readonly object[] }

/** Runs a tick over these plans; `refused` names the proposals that admission refuses. */
function decide(entries: readonly DueEntry[], plans: readonly Plan[], refused: readonly string[]) {
  // CAST: as above.
  const answers = plans.map(
    ({ proposals, declined = [] }) =>
      ({
        inputs: {
          view: { assets: [], pairs: [] },
          rules: [],
          limits: { maxOrders: 9, maxOrder: null, split: true, maxCost: null },
          due: [A, ONCE],
        },
        evaluation: { proposals, declined, notes: [] },
      }) as unknown as PolicyAnswer,
  )
  const left = [...answers]
  const next = (): PolicyAnswer => left.shift() ?? answers.at(-1) ?? fail()
  const calls: string[] = []
  const decisions: RuleDecision[] = []
  // CAST: `propose` gave it an id.
  const nameOf = (proposal: Proposal): string => (proposal as unknown as { id: string }).id
  const told = (kind: string, decision: RuleDecision): void => {
    decisions.push(decision)
    calls.push(`${kind} ${decision.entry.rule} ${decision.round.number}`)
  }
  runAtOnce(
    decideTick(
      {
        plan: next,
        planAgain: ({ limits, due }) => {
          const blocked = limits.blocked?.map(({ reasons }) => reasons[0]?.code).join()
          calls.push(`again for ${due.length}, at most ${limits.maxOrders}, not ${blocked}`)
          return next()
        },
        admit: (proposal, served, decisionsOf) => {
          const id = nameOf(proposal)
          const names = served.map(({ rule, occurrence }) => occurrence ?? rule).join()
          calls.push(`admit ${id} for ${names}`)
          if (refused.includes(id)) return { ok: false, reasons: [reason("limit.order")] }
          expect(decisionsOf("order").map(({ entry: of }) => of)).toEqual(served)
          // CAST: only the id of an order counts.
          return { ok: true, id: `order ${id}` } as never
        },
        learn: (proposal, reasons) => calls.push(`learn ${nameOf(proposal)} ${reasons.length}`),
        watchChurn: () => calls.push("churn"),
        record: (decision) => told("record", decision),
        conclude: (decision) => told("conclude", decision),
      },
      entries,
    ),
  )
  return { calls, decisions }
}

function fail(): never {
  throw new Error("no plan is left")
}

test("each proposal is admitted in its order, and each rule has its decision", () => {
  const plan = { proposals: [propose("1", ["a", "b"]), propose("2", ["a"], "a@1")] }
  const { calls, decisions } = decide([A, B, ONCE], [plan], [])
  expect(calls).toEqual([
    "admit 1 for a,b",
    "admit 2 for a@1",
    "churn",
    "conclude a 1",
    "conclude b 1",
    "conclude a 1",
  ])
  expect(decisions.map((one) => outcomeOf(one))).toEqual(
    [1, 2, 3].map(() => ({ reasons: [], isOrdered: true })),
  )
})

test("a refused proposal is learnt from and planned again, and only its rules get a second record", () => {
  const plans = [
    { proposals: [propose("1", ["a"]), propose("2", ["b"])] },
    { proposals: [propose("3", ["a"])] },
  ]
  const { calls, decisions } = decide([A, B], plans, ["1"])
  expect(calls).toEqual([
    "admit 1 for a",
    "learn 1 1",
    "admit 2 for b",
    "again for 1, at most 8, not limit.order",
    "admit 3 for a",
    "churn",
    "record a 1",
    "conclude a 2",
    "conclude b 1",
  ])
  expect(decisions.map((one) => outcomeOf(one).isOrdered)).toEqual([false, true, true])
})

test("the reasons of a plan without anything else stand beside those of admission", () => {
  const declined = [
    { rule: "a", occurrence: null, reasons: [reason("limit.order"), reason("policy.illiquid")] },
    { rule: "b", occurrence: null, reasons: [reason("policy.target_satisfied")] },
  ]
  const plans = [{ proposals: [propose("1", ["a"])] }, { proposals: [], declined }]
  const { calls, decisions } = decide([A, B], plans, ["1"])
  expect(calls).toEqual([
    "admit 1 for a",
    "learn 1 1",
    "again for 1, at most 9, not limit.order",
    "conclude a 1",
    "conclude b 1",
  ])
  expect(decisions.map((one) => outcomeOf(one).reasons.map(({ code }) => code))).toEqual([
    ["limit.order", "policy.illiquid"],
    [],
  ])
})

test("the reasons of a rule are those of its own occurrence", () => {
  const declined = [
    { rule: "a", occurrence: null, reasons: [reason("of the rule")] },
    { rule: "a", occurrence: "a@1", reasons: [reason("of the occurrence")] },
    { rule: "b", occurrence: null, reasons: [reason("of another")] },
  ]
  const { calls, decisions } = decide([A, ONCE], [{ proposals: [], declined }], [])
  expect(calls).toEqual(["conclude a 1", "conclude a 1"])
  expect(decisions.map((one) => outcomeOf(one).reasons[0]?.code)).toEqual([
    "of the rule",
    "of the occurrence",
  ])
})

test("they stand beside no order, and beside no refusal of an occurrence", () => {
  const declined = ["a", "b"].map((rule) => {
    return { rule, occurrence: null, reasons: [reason("policy.illiquid")] }
  })
  const first = [propose("1", ["a"]), propose("2", ["b"]), propose("3", ["a"], "a@1")]
  const plans = [{ proposals: first }, { proposals: [], declined }]
  const { decisions } = decide([A, B, ONCE], plans, ["1", "3"])
  expect(decisions.map((one) => outcomeOf(one))).toEqual([
    { reasons: [reason("limit.order"), reason("policy.illiquid")], isOrdered: false },
    { reasons: [], isOrdered: true },
    { reasons: [reason("limit.order")], isOrdered: false },
  ])
})
