import { expect, test } from "vitest"
import type { Receiver } from "#alerts/port.ts"
import { pushChanges } from "#daemon/watch/push-changes.ts"
import { Secret } from "#lib/secret.ts"
import type { DecisionRow } from "#ports/journal/decisions.ts"
import type { EventRow, OrderRow } from "#ports/journal/orders.ts"
import { createManualClock } from "../../support/manual-clock.ts"

const HOUR_MS = 3_600_000
const START_MS = 1_000_000_000_000

const RECEIVER: Receiver = {
  name: "desk",
  kind: "webhook",
  url: new Secret("http://127.0.0.1:1/hook", "test"),
  key: null,
  events: ["orders", "decisions"],
  least: "attention",
  tellsEnd: true,
}

const TEXT = { title: "", notes: [], rest: null }

/** A journal, and a receiver that may be down. */
function setUp() {
  const clock = createManualClock(START_MS)
  const flags = new Map<string, string>()
  const orders = new Map<string, { row: OrderRow; events: EventRow[] }>()
  const decisions: DecisionRow[] = []
  const told: { id: string; type: string }[] = []
  const conduct = { isDown: false }
  const step = (id: string, state: string): void => {
    const atMs = clock.now()
    const known = orders.get(id)?.events ?? []
    // CAST: the list reads these fields.
    const row = { id, updatedAtMs: atMs, snapshot: "" } as OrderRow
    orders.set(id, { row, events: [...known, { atMs, type: "x", state, body: "{}" }] })
  }
  const decide = (id: string): void => {
    // CAST: the list reads these fields.
    decisions.unshift({ id, atMs: clock.now(), lastAtMs: clock.now() } as DecisionRow)
  }
  const run = (): { readonly stop: () => Promise<void> } => {
    const end = new AbortController()
    const done = pushChanges(
      {
        receivers: () => [RECEIVER],
        journal: {
          listChangedSince: (sinceMs) =>
            [...orders.values()].map(({ row }) => row).filter((row) => row.updatedAtMs >= sinceMs),
          listEvents: (id) => orders.get(id)?.events ?? [],
          listDecisions: ({ limit, before }) => {
            const at = decisions.findIndex(({ id }) => id === before) + 1
            return decisions.slice(at, at + limit)
          },
          readFlag: (name) => flags.get(name) ?? null,
          noteFlag: (name, value) => void flags.set(name, value),
          durable: async () => undefined,
        },
        pack: ({ id, type }) => ({ id, text: TEXT, isUrgent: false, body: { type } }),
        send: async (_receiver, { id, body }) => {
          if (conduct.isDown) return { ok: false, error: "HTTP 503", waitMs: null }
          told.push({ id, type: "type" in body ? String(body.type) : "" })
          return { ok: true, answer: "HTTP 200" }
        },
        clock,
        log: { warn: () => undefined },
      },
      end.signal,
    )
    const stop = async (): Promise<void> => {
      end.abort()
      await done
    }
    return { stop }
  }
  /** Seconds go by, with time for the sends of each. */
  const pass = async (ms: number): Promise<void> => {
    const endMs = clock.now() + ms
    while (clock.now() < endMs) {
      clock.set(Math.min(endMs, clock.now() + 1_000))
      await new Promise(setImmediate)
    }
  }
  return { clock, conduct, told, step, decide, run, pass }
}

const LIFE = ["quoting", "awaiting-approval", "deposit-signing", "funded", "completed"]
const TYPES = ["order.opened", "order.waiting", "order.deposited", "order.completed"]

test("each change comes once, in its order", async () => {
  const { told, step, decide, run, pass } = setUp()
  step("before", "quoting")
  await pass(2 * HOUR_MS)
  const { stop } = run()
  await pass(2_000)
  for (const state of LIFE) {
    step("o1", state)
    await pass(3_000)
  }
  decide("d1")
  await pass(HOUR_MS)
  await stop()
  expect(told.map(({ type }) => type)).toEqual([...TYPES, "decision.made"])
  expect(new Set(told.map(({ id }) => id)).size).toBe(5)
})

test("a receiver that is down for an hour misses nothing, also over a restart", async () => {
  const { conduct, told, step, decide, run, pass } = setUp()
  const first = run()
  await pass(2_000)
  conduct.isDown = true
  for (let index = 0; index < 30; index++) {
    for (const state of LIFE) step(`o${index}`, state)
    for (let one = 0; one < 10; one++) decide(`d${index}-${one}`)
    await pass(HOUR_MS / 30)
  }
  await first.stop()
  const second = run()
  await pass(5_000)
  conduct.isDown = false
  await pass(120_000)
  await second.stop()
  expect(told).toHaveLength(30 * (TYPES.length + 10))
  expect(new Set(told.map(({ id }) => id)).size).toBe(told.length)
})

test("after a crash the last minute comes again under the same ids", async () => {
  const { told, step, run, pass } = setUp()
  const first = run()
  await pass(2_000)
  for (const state of LIFE) step("o1", state)
  await pass(2_000)
  await first.stop()
  const second = run()
  await pass(2_000)
  await second.stop()
  const ids = told.map(({ id }) => id)
  expect([ids.length, new Set(ids).size]).toEqual([8, 4])
})
