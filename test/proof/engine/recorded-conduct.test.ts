import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { encodeJson } from "#lib/json.ts"
import type { Journal } from "#ports/journal.ts"
import type { SimCase } from "../fault-sim/sim-case.ts"
import { simulate } from "../fault-sim/simulate.ts"

/**
 * What the engine did in simulated worlds of a few fixed seeds: each call, step, decision, alert
 * and booking, with its time. The checkers of the simulator say what it may never do; this shows
 * that a change which was to change nothing has changed something: a wait, a number, an order of
 * calls. When that was on purpose, record anew:
 * `RECORD=conduct npx vitest run test/proof/engine/recorded-conduct.test.ts`.
 *
 * The seeds were chosen for their many transitions and codes in little time.
 */
const CASES: readonly SimCase[] = [
  ...[4, 18, 23, 40].map((seed) => ({ seed })),
  ...[6, 8, 10, 11, 12, 14, 32, 34, 39].map((seed) => ({ seed, lease: true })),
  ...[14, 20, 22, 34].map((seed) => ({ seed, ownSecrets: true })),
  ...[3, 8, 11, 13, 28, 40].map((seed) => ({ seed, routes: true })),
  ...[2, 40].map((seed) => ({ seed, mode: "honest" as const })),
  { seed: 5, mode: "honest", ownSecrets: true },
  ...[1, 2, 11].map((seed) => {
    return { seed, mode: "adversary" as const, ownSecrets: true, orders: 4 }
  }),
]

const FILE = join(import.meta.dirname, "../../fixtures/engine/recorded-conduct.txt")
const lines: string[] = []
const isRecording = process.env["RECORD"] === "conduct"
const recorded = isRecording ? [] : readFileSync(FILE, "utf8").split("\n")

test.each(CASES)("the engine does what was recorded: %j", async (simCase) => {
  let written = ""
  const result = await simulate({
    ...simCase,
    onClose: (journal) => {
      written = digestOf(readAll(journal))
    },
  })
  const ended = Object.entries(Object.groupBy(result.outcomes.toSorted(), (state) => state))
  const counts = ended.map(([state, orders]) => `${orders?.length} ${state}`).join(", ")
  const called = result.hash.slice(0, DIGITS)
  const name = `${JSON.stringify(simCase)}: `
  const line = `${name}calls ${called}, journal ${written}, ${counts}`
  lines.push(line)
  if (isRecording) writeFileSync(FILE, `${lines.join("\n")}\n`)
  else expect(line).toBe(recorded.find((one) => one.startsWith(name)))
})

const DIGITS = 12

function readAll(journal: Journal): unknown {
  const orders = journal.listOrders({})
  return [
    orders.map((order) => [order, journal.listEvents(order.id), journal.findSummary(order.id)]),
    journal.listAlerts(MANY),
    journal.listDecisions({ rule: null, limit: MANY }),
    journal.listEntries({}),
    journal.listLastPostings({ prefix: "", fromMs: 0, limit: MANY }),
  ]
}

const MANY = 100_000

function digestOf(value: unknown): string {
  return createHash("sha256").update(encodeJson(value)).digest("hex").slice(0, DIGITS)
}
