import { join } from "node:path"
import { expect, test } from "vitest"
import { formatPlain } from "#alerts/format-text.ts"
import { parseConfig } from "#config/load.ts"
import { describeDaily, readDaily } from "#daemon/watch/daily.ts"
import { listMissed } from "#daemon/watch/list-missed.ts"
import { packChange } from "#daemon/watch/pack-change.ts"
import type { DecisionBody } from "#engine/rules/tick/decision.ts"
import { problem } from "#health/problem.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { encodeJson } from "#lib/json.ts"
import { Secret } from "#lib/secret.ts"
import { beginOrder, encodeOrder } from "#order/step.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import { SAMPLE } from "../../support/order-sample.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"

const NOW = Date.parse("2026-03-04T07:00:00Z")
const DAY_MS = 24 * 3_600_000
const RULES = [
  {
    id: "dca",
    kind: "recurring",
    schedule: "0 * * * *",
    from: "base_sepolia:wbtc",
    to: "base_sepolia:eth",
    amount: "1",
  },
]
const config = parseConfig(
  JSON.stringify({
    service: { url: "https://swap.example" },
    chains: {
      base_sepolia: { family: "evm", chain_id: 84532, rpc: ["https://a.example"], key: "env:K" },
    },
    assets: {
      "base_sepolia:eth": { decimals: 18 },
      "base_sepolia:wbtc": {
        decimals: 8,
        token: `0x${"11".repeat(20)}`,
        htlc: [`0x${"22".repeat(20)}`],
      },
    },
    rules: RULES,
    alerts: { dashboard: "https://desk.example" },
  }),
  { file: "x.yaml", secrets: (reference) => new Secret(`0x${"4c".repeat(32)}`, reference) },
)

/** A rule that was refused in each of the last hours. */
function openRefused(hours: number) {
  const journal = openJournal(join(temporaryFolder("ballast-daily"), "journal.db"))
  for (let hour = hours; hour > 0; hour--) {
    const atMs = NOW - hour * 3_600_000
    const id = `dca@${new Date(atMs).toISOString()}`
    const reasons = [{ code: "policy.no_room", message: "The limits leave no room" }]
    const decided = { proposals: [], reasons, plan: null }
    const body: DecisionBody = { version: 1, occurrence: id, decided, outcomes: [] }
    const decision = { id, atMs, rule: "dca", verdict: "declined", inputs: null } as const
    journal.settleOccurrence({ id, rule: "dca", atMs }, encodeJson(reasons), {
      ...decision,
      body: encodeJson(body),
      configHash: null,
    })
  }
  return journal
}

test("a run without an order is missed, with its reason, and a run of a pause is not", () => {
  const journal = openRefused(3)
  const paused = [{ code: "pause.treasury", message: "A person paused" }]
  const at = new Date(NOW).toISOString()
  journal.settleOccurrence({ id: `dca@${at}`, rule: "dca", atMs: NOW }, encodeJson(paused))
  const since = { sinceMs: NOW - 2 * 3_600_000, nowMs: NOW }
  const runs = listMissed(journal, ["dca"], since, (reason) => reason)
  expect(runs.map(({ atMs, why }) => [(NOW - atMs) / 3_600_000, why])).toEqual([
    [1, "The limits leave no room [policy.no_room]"],
    [2, "The limits leave no room [policy.no_room]"],
  ])
  const [run] = runs
  if (run === undefined) throw new Error("no run")
  const change = { id: "1", type: "rule.missed", atMs: NOW, missed: run }
  const { text, body } = packChange(change, config, () => {
    throw new Error("not daily")
  })
  expect(text.title).toContain("rule.missed: the run of dca of 2026-03-04 06:00")
  expect(text.notes[0]?.command).toBe("ballast why dca")
  expect(body).toMatchObject({
    type: "rule.missed",
    data: { missed: { rule: "dca", order: null } },
  })
  journal.close()
})

test("an order is told with its amounts in the asset's own unit, its cost and its page", () => {
  const { input, quote } = SAMPLE
  const { order } = beginOrder({ ...input, rule: "dca" })
  const snapshot = encodeOrder({ ...order, data: { ...order.data, quote } })
  // CAST: the text reads these fields.
  const row = { id: "order-1", updatedAtMs: NOW, snapshot } as OrderRow
  const change = { id: "1", type: "order.opened", atMs: NOW, order: row }
  const { text, body } = packChange(change, config, () => {
    throw new Error("not daily")
  })
  expect(text.title).toContain("order.opened: 0.0001 base_sepolia:wbtc to ")
  expect(text.notes[0]).toMatchObject({
    command: "ballast order order-1",
    link: "https://desk.example/#/orders/order-1",
  })
  expect(text.notes[0]?.lines[0]).toContain("Order order-1 of dca")
  expect(text.notes[0]?.lines).toContain("Cost: 30 bps")
  expect(body).toMatchObject({ type: "order.opened", data: { order: { id: "order-1" } } })
})

test("a quiet night is good news", () => {
  const journal = openRefused(0)
  const daily = readDaily({ journal, config, nowMs: NOW }, [], NOW - DAY_MS)
  const { sentence, lines, command } = describeDaily(daily)
  expect(sentence).toBe("Last night: 0 orders, 0 usd; all is well")
  expect(lines.join("\n")).toContain("orders  none")
  expect(command).toBeNull()
  journal.close()
})

test("a bad night names refusals, missed runs and what waits, in at most 20 lines", () => {
  const journal = openRefused(20)
  const bad = { level: "trouble", code: "node.silent", todo: "Look." } as const
  const problems = Array.from({ length: 40 }, (_one, index) =>
    problem({ ...bad, sentence: `Node ${index} is silent` }),
  )
  const daily = readDaily({ journal, config, nowMs: NOW }, problems, NOW - DAY_MS)
  expect(daily.refusals).toEqual([{ code: "policy.no_room", times: 20 }])
  const change = { id: "1", type: "daily.summary", atMs: NOW, dailySinceMs: NOW - DAY_MS }
  const { text, body } = packChange(change, config, () => daily)
  const lines = text.notes.flatMap(({ sentence, lines: more }) => [sentence, ...more])
  expect(`${text.title}\n\n${formatPlain(text)}`.split("\n").length).toBeLessThanOrEqual(20)
  const whole = lines.join("\n")
  expect(whole).toContain("40 things wait for a person")
  expect(whole).toContain("refused 20 policy.no_room")
  expect(whole).toContain("missed  dca: 20 runs came to no swap")
  expect(whole).toContain("Node 0 is silent")
  expect(whole).toMatch(/and \d+ more lines$/)
  expect(body).toMatchObject({ data: { summary: { missed: [{ rule: "dca", runs: 20 }] } } })
  journal.close()
})
