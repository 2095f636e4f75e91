import { afterEach, beforeEach, expect, test, vi } from "vitest"
import type { TimedRule } from "#policy/rules/registry.ts"
import { ARB, BTC, createWorld, type Daemon, ETH, type World } from "../../../support/fake-world.ts"

const MINUTE_MS = 60_000
const BAND: TimedRule = {
  id: "band",
  kind: "band",
  asset: BTC,
  sources: [ETH],
  sinks: [ETH],
  everyMs: MINUTE_MS,
  minUnits: 500_000n,
  targetUnits: 1_000_000n,
  maxUnits: 2_000_000n,
}
/** The world begins at 08:00. */
const DCA: TimedRule = {
  id: "dca",
  kind: "recurring",
  from: ETH,
  to: ARB,
  amount: { kind: "units", units: 5n },
  schedule: "3 8 * * *",
  timezone: "UTC",
  catchUp: "once",
}

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld()
  daemon = world.start({ settings: { rules: [BAND, DCA] } })
})
afterEach(() => {
  vi.restoreAllMocks()
})

const lateMinutes = (rule: TimedRule): number | null => {
  const sinceMs = daemon.engine.overdueSinceMs(rule)
  return sinceMs === null ? null : Math.round((world.clock.now() - sinceMs) / MINUTE_MS)
}

test("no rule is overdue while its decisions are recorded, also while everything is paused", async () => {
  await world.pass(2 * MINUTE_MS)
  await daemon.engine.pause({ kind: "all" })
  await world.pass(20 * MINUTE_MS)
  expect([BAND, DCA].map(lateMinutes)).toEqual([null, null])
})

test(
  "a rule without a decision is overdue from the time of the missing one, and again in time " +
    "after it",
  async () => {
    await world.pass(MINUTE_MS + 1_000)
    const { journal } = daemon.context
    const writes = (["recordDecision", "settleOccurrence", "openOrder"] as const).map((name) =>
      vi.spyOn(journal, name),
    )
    for (const write of writes)
      write.mockImplementation(() => {
        throw new Error("Scripted: the decision cannot be stored")
      })
    await world.pass(19 * MINUTE_MS)
    expect(lateMinutes(BAND)).toBeGreaterThan(16)
    expect(lateMinutes(DCA)).toBe(17)
    for (const write of writes) write.mockRestore()
    await world.pass(2 * MINUTE_MS)
    expect([BAND, DCA].map(lateMinutes)).toEqual([null, null])
  },
)

test("a rule is not late for the time before its daemon started", async () => {
  await world.pass(2 * MINUTE_MS)
  daemon.kill()
  await world.pass(30 * MINUTE_MS)
  daemon = world.start({ settings: { rules: [BAND] } })
  expect(lateMinutes(BAND)).toBe(null)
})
