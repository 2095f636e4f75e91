import { expect, test } from "vitest"
import type { RuleChange } from "#agent/desk.ts"
import type { Agent } from "#domain/agent.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import type { Operations } from "#ops/operations.ts"
import { createProposals } from "./proposals.ts"

const AT = Date.parse("2026-11-28T10:00:00.000Z")
const DAY_MS = 86_400_000
const AGENT: Agent = { name: "desk", socket: true, tools: ["propose"], limits: null }
const CHANGE: RuleChange = { rule: "stock", changes: [["min", "0.5"]], days: 30, runs: 5 }

function openDesk() {
  let nowMs = AT
  const rule: Record<string, string> = { id: "stock", min: "0.3", target: "1" }
  const asked: unknown[] = []
  const sums = { p5: "0", p50: "2500000", p95: "9000000" }
  const numbers = { p5: 1, p50: 2, p95: 3 }
  const rules = [{ rule: "stock", outsideBps: numbers, belowBps: numbers, aboveBps: numbers }]
  const summary = { moves: numbers, volumeFiat: sums, feesFiat: sums, rules }
  const subjects = ["now", "changed"].map((name) => ({ name, summary }))
  const body = { seeds: { first: 1, count: 5 }, scenario: { days: 30 }, subjects }
  const journal = openJournal(":memory:")
  const proposals = createProposals({
    journal,
    clock: { now: () => nowMs },
    written: () => ({ rules: [{ id: "other", min: "9" }, rule] }),
    // CAST: the parts of a backtest that a proposal keeps.
    simulate: (async (query: unknown) => {
      asked.push(query)
      return { ok: true, body }
    }) as unknown as Operations["simulate"],
  })
  const pass = (ms: number): void => {
    nowMs += ms
  }
  return { ...proposals, journal, rule, asked, pass }
}

const codesOf = (answer: { ok: boolean; reasons?: readonly { code: string }[] }) =>
  answer.reasons?.map(({ code }) => code)

test("a proposal keeps its backtest and the texts that it would replace", async () => {
  const desk = openDesk()
  const made = await desk.propose(AGENT, CHANGE, "k1")
  expect(made).toMatchObject({
    ok: true,
    body: {
      agent: "desk",
      state: "open",
      changes: [{ key: "min", from: "0.3", to: "0.5" }],
      simulation: { days: 30, runs: 5, now: { moves: 2, volumeFiat: "2.5", outsideBps: 2 } },
    },
  })
  expect(desk.asked).toEqual([{ days: 30, seeds: 5, seed: 1, rule: "stock", change: "min=0.5" }])
  expect(await desk.propose(AGENT, CHANGE, "k1")).toEqual(made)
  const other = { ...CHANGE, changes: [["min", "0.6"]] } as const
  expect(codesOf(await desk.propose(AGENT, other, "k1"))).toEqual(["request.key_reused"])
  expect(desk.proposals()).toHaveLength(1)
  expect(desk.asked).toHaveLength(1)
})

test("the file decides whether a proposal is applied or stale; time and people end it", async () => {
  const desk = openDesk()
  await desk.propose(AGENT, CHANGE, "k1")
  const state = () => desk.proposals()[0]?.state
  desk.rule["min"] = "0.5"
  expect(state()).toBe("applied")
  desk.rule["min"] = "0.4"
  expect(state()).toBe("stale")
  desk.rule["min"] = "0.3"
  desk.rule["target"] = "2"
  expect(state()).toBe("open")
  const id = desk.proposals()[0]?.id ?? ""
  desk.pass(7 * DAY_MS)
  expect(state()).toBe("expired")
  expect(codesOf(desk.dismissProposal(id, "anna"))).toEqual(["proposal.not_open"])
  desk.pass(-1)
  expect(desk.dismissProposal(id, "anna")).toMatchObject({
    ok: true,
    body: { dismissedBy: "anna" },
  })
  expect(desk.dismissProposal(id, "bert")).toMatchObject({
    ok: true,
    body: { dismissedBy: "anna" },
  })
  expect(codesOf(desk.dismissProposal("none", "anna"))).toEqual(["proposal.unknown"])
})

test("an agent has three open proposals and makes ten a day, also at the same moment", async () => {
  const desk = openDesk()
  const both = await Promise.all(
    ["a", "b", "c", "d"].map((key) => desk.propose(AGENT, CHANGE, key)),
  )
  expect(both.map(({ ok }) => ok)).toEqual([true, true, true, false])
  expect(codesOf(both[3] ?? { ok: true })).toEqual(["proposal.limit"])
  expect((await desk.propose({ ...AGENT, name: "other" }, CHANGE, "a")).ok).toBe(true)
  const dismissAll = () => {
    for (const { id, state } of desk.proposals())
      if (state === "open") desk.dismissProposal(id, "anna")
  }
  for (let index = 3; index < 10; index++) {
    dismissAll()
    expect((await desk.propose(AGENT, CHANGE, `more-${index}`)).ok).toBe(true)
  }
  dismissAll()
  expect(codesOf(await desk.propose(AGENT, CHANGE, "eleventh"))).toEqual(["proposal.limit"])
  for (let day = 0; day < 5; day++) {
    desk.pass(DAY_MS)
    dismissAll()
    for (let index = 0; index < 10; index++) {
      await desk.propose(AGENT, CHANGE, `day-${day}-${index}`)
      dismissAll()
    }
  }
  // The journal's value stays small.
  expect(desk.proposals().length).toBe(50)
  expect(desk.journal.readFlag("proposals")?.length).toBeLessThan(40_000)
})
