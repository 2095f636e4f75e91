import { expect, test } from "vitest"
import { groupDecisions } from "../../../web/rules/group-decisions.ts"
import { type RuleFields, ruleSentence } from "../../../web/rules/rule-sentence.ts"
import { saySchedule } from "../../../web/rules/say-schedule.ts"

const KNOWN = {
  amountOf: (units: bigint | string) => String(Number(units) / 1e8),
  speak: (text: string) => text.toUpperCase(),
}
const say = (fields: object): string =>
  // CAST: a sentence needs the fields of the kind.
  ruleSentence({ id: "r", ...fields } as unknown as RuleFields, KNOWN)

const SCHEDULE = { schedule: "*/3 * * * *", timezone: "UTC", from: "a:x", to: "b:x" }

test.each([
  [
    { kind: "recurring", ...SCHEDULE, amount: { kind: "units", units: "100000" } },
    "Swaps 0.001 of A:X to B:X; runs every 3 min.",
  ],
  [
    { kind: "recurring", ...SCHEDULE, amount: { kind: "share", bps: "250" } },
    "Swaps 2.5% of A:X to B:X; runs every 3 min.",
  ],
  [
    { kind: "recurring", ...SCHEDULE, amount: { kind: "fiat", fiat: "5000000" } },
    "Swaps $5.00 worth of A:X to B:X; runs every 3 min.",
  ],
  [
    {
      kind: "band",
      asset: "a:x",
      minUnits: "20000000",
      targetUnits: "90000000",
      maxUnits: null,
      sources: ["b:x", "c:x"],
      sinks: [],
      everyMs: 30_000,
    },
    "Keeps A:X between 0.2 and any, with 0.9 as the target, bought with B:X or C:X; " +
      "looks each 30 s.",
  ],
  [
    { kind: "sweep", from: "a:x", to: "b:x", keepUnits: "0", everyMs: 60_000 },
    "Swaps all of A:X above 0 to B:X; looks each 1 min.",
  ],
  [
    {
      kind: "weights",
      weights: [
        { asset: "a:x", bps: "6000" },
        { asset: "b:x", bps: "4000" },
      ],
      toleranceBps: "500",
      everyMs: 60_000,
    },
    "Keeps 60% in A:X, 40% in B:X within 5%; looks each 1 min.",
  ],
  [{ kind: "floor", everyMs: 60_000 }, "A rule of the kind floor; looks each 1 min."],
])("says %o in a sentence", (fields, sentence) => {
  expect(say(fields)).toBe(sentence)
})

test("groups decisions by rule, outcome and kinds of reasons, the newest first", () => {
  const decided = (rule: string, code: string, verdict = "declined") => ({
    rule,
    verdict,
    reasons: [{ code }],
    proposals: [],
  })
  const given = [
    decided("a", "x"),
    decided("b", "x"),
    decided("a", "x"),
    decided("a", "y"),
    decided("a", "x", "proposed"),
  ]
  expect(groupDecisions(given).map((group) => group.map((one) => given.indexOf(one)))).toEqual([
    [0, 2],
    [1],
    [3],
    [4],
  ])
})

test.each([
  ["*/20 * * * * *", "runs every 20 s"],
  ["*/15 * * * *", "runs every 15 min"],
  ["5 * * * *", "runs each hour at :05"],
  ["0 6 * * *", "runs each day at 06:00 (UTC)"],
  ["30 9 * * 1", "runs each Monday at 09:30 (UTC)"],
  ["0 9 * * 7", "runs each Sunday at 09:00 (UTC)"],
  ["0 0 1 * *", "runs on day 1 of each month at 00:00 (UTC)"],
  ["0 9 * * 1#1", "runs at 0 9 * * 1#1 (UTC)"],
  ["0 9 29 2 *", "runs at 0 9 29 2 * (UTC)"],
  ["5 0 6 * * *", "runs at 5 0 6 * * * (UTC)"],
  ["0 6,18 * * *", "runs at 0 6,18 * * * (UTC)"],
])("the schedule %s %s", (schedule, says) => {
  expect(saySchedule(schedule, "UTC")).toBe(says)
})
