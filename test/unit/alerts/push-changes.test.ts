import { expect, test } from "vitest"
import type { Receiver } from "#alerts/port.ts"
import type { EndedRun } from "#daemon/watch/list-missed.ts"
import { pushChanges } from "#daemon/watch/push-changes.ts"
import { createMemory } from "#engine/memory.ts"
import { Secret } from "#lib/secret.ts"
import type { DecisionRow } from "#ports/journal/decisions.ts"
import type { EventRow, OrderRow } from "#ports/journal/orders.ts"
import { createManualClock } from "../../support/manual-clock.ts"

const HOUR_MS = 3_600_000
/** In Zurich it is 23 past 5 in the evening. */
const START_MS = Date.parse("2026-03-04T16:23:00Z")

const RECEIVER: Receiver = {
  name: "desk",
  kind: "webhook",
  url: new Secret("http://127.0.0.1:1/hook", "test"),
  key: null,
  events: ["orders", "decisions", "missed", "daily"],
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
  const missed: EndedRun[] = []
  const told: { id: string; type: string }[] = []
  const conduct = { isDown: false, isFull: false }
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
  const memory = createMemory()
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
          writeFlag: (name, value) => void flags.set(name, value ?? ""),
          noteFlag: (name, value) => {
            if (conduct.isFull) throw new Error("database or disk is full")
            flags.set(name, value)
          },
          durable: async () => undefined,
        },
        listMissed: (sinceMs) => missed.filter(({ endedMs }) => endedMs >= sinceMs),
        daily: () => ({ at: "07:00", timezone: "Europe/Zurich" }),
        pack: ({ id, type }) => ({ id, text: TEXT, isUrgent: false, body: { type } }),
        send: async (_receiver, { id, body }) => {
          if (conduct.isDown) return { ok: false, error: "HTTP 503", waitMs: null }
          told.push({ id, type: "type" in body ? String(body.type) : "" })
          return { ok: true, answer: "HTTP 200" }
        },
        clock,
        log: { warn: () => undefined },
        memory,
      },
      end.signal,
    )
    const stop = async (): Promise<void> => {
      end.abort()
      await done
    }
    return { stop }
  }
  /** Seconds go by, with time for the sends of each; minutes in the course of hours. */
  const pass = async (ms: number): Promise<void> => {
    const endMs = clock.now() + ms
    const stepMs = ms < HOUR_MS / 2 ? 1_000 : 20_000
    while (clock.now() < endMs) {
      clock.set(Math.min(endMs, clock.now() + stepMs))
      await new Promise(setImmediate)
    }
  }
  const miss = (id: string): void => {
    const atMs = clock.now()
    missed.push({ id, rule: "dca", atMs, order: null, why: "no price", endedMs: atMs })
  }
  return { clock, conduct, told, step, decide, miss, run, pass, memory }
}

const LIFE = ["quoting", "awaiting-approval", "deposit-signing", "funded", "completed"]
const TYPES = ["order.opened", "order.waiting", "order.deposited", "order.completed"]

test("a new receiver waits while the journal refuses to keep how far it is", async () => {
  const { conduct, told, step, run, pass } = setUp()
  conduct.isFull = true
  const { stop } = run()
  await pass(2_000)
  conduct.isFull = false
  await pass(2_000)
  step("one", "quoting")
  await pass(2_000)
  expect(told).toHaveLength(1)
  await stop()
})

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
  const { conduct, told, step, decide, run, pass, memory } = setUp()
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
  expect(memory.faults.get("changes desk")?.error).toBe("HTTP 503")
  conduct.isDown = false
  await pass(120_000)
  await second.stop()
  expect(memory.faults.size).toBe(0)
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

const dailies = (told: readonly { readonly id: string; readonly type: string }[]) =>
  told.filter(({ type }) => type === "daily.summary").map(({ id }) => id)

test("the daily message comes once each day at its local time, also over restarts", async () => {
  const { told, run, pass } = setUp()
  const days = async (count: number): Promise<void> => {
    for (let hour = 0; hour < 24 * count; hour++) {
      const { stop } = run()
      await pass(HOUR_MS / 2)
      await stop()
      await pass(HOUR_MS / 2)
    }
  }
  await days(3)
  const at = (day: string) => `daily.2026-03-${day}T06:00:00.000Z`
  expect(dailies(told)).toEqual([at("05"), at("06"), at("07")])
}, 60_000)

test("a refused daily message is tried again, and of several missed ones the newest comes", async () => {
  const { conduct, told, run, pass } = setUp()
  const { stop } = run()
  await pass(2_000)
  conduct.isDown = true
  await pass(40 * HOUR_MS)
  conduct.isDown = false
  await pass(HOUR_MS / 10)
  await stop()
  expect(dailies(told)).toEqual(["daily.2026-03-06T06:00:00.000Z"])
}, 60_000)

test("a clock that is set back brings no second daily message", async () => {
  const { clock, told, run, pass } = setUp()
  const { stop } = run()
  await pass(16 * HOUR_MS)
  clock.set(clock.now() - 3 * HOUR_MS)
  await pass(4 * HOUR_MS)
  await stop()
  expect(dailies(told)).toEqual(["daily.2026-03-05T06:00:00.000Z"])
}, 60_000)

test("a run that came to no swap is told once", async () => {
  const { told, miss, run, pass } = setUp()
  const { stop } = run()
  await pass(2_000)
  miss("dca@2026-03-04T16:23:00.000Z")
  await pass(300_000)
  await stop()
  expect(told).toEqual([{ id: "missed.dca@2026-03-04T16:23:00.000Z", type: "rule.missed" }])
})
