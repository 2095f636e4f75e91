import { beforeEach, describe, expect, test } from "vitest"
import { createMemory } from "#engine/memory.ts"
import { createDueList, type DueList } from "#engine/rules/tick/due-list.ts"
import { settledFlag } from "#engine/rules/tick/due-occurrences.ts"
import { silentLogger } from "#lib/log.ts"
import type { TimedRule } from "#policy/rules/registry.ts"
import { BTC, ETH } from "../../../support/fake-world.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOON = Date.UTC(2026, 2, 2, 12)
const id = (atMs: number): string => `dca@${new Date(atMs).toISOString()}`
const BAND = { id: "band", kind: "band", everyMs: 10_000 }
const DCA = {
  id: "dca",
  kind: "recurring",
  schedule: "0 * * * *",
  timezone: "UTC",
  from: ETH,
  to: BTC,
  amount: { kind: "units", units: 1n },
  catchUp: "skip",
}

type Decision = { readonly configHash: string | null; readonly lastAtMs: number }
let nowMs: number
let rules: readonly object[]
let flags: Map<string, string>
let settled: Set<string>
let tried: Set<string>
let last: Decision | null
let missed: string[]
let writes: number
let reads: number
let context: Parameters<typeof createDueList>[0]
let list: DueList
beforeEach(() => {
  nowMs = NOON - 30 * MINUTE
  rules = []
  flags = new Map()
  settled = new Set()
  tried = new Set()
  last = null
  missed = []
  writes = 0
  reads = 0
  restart()
})

function restart(): void {
  // CAST: only these parts are used.
  context = {
    clock: { now: () => nowMs },
    log: silentLogger,
    settings: { rules, configHash: "one" },
    memory: createMemory(),
    journal: {
      readFlag: (name: string) => {
        reads++
        return flags.get(name) ?? null
      },
      writeFlag: (name: string, text: string) => {
        flags.set(name, text)
        writes++
      },
      findOccurrence: (one: string) => (settled.has(one) ? {} : null),
      findDecision: (one: string) => (tried.has(one) ? {} : null),
      listDecisions: () => (last === null ? [] : [last]),
    },
  } as unknown as Parameters<typeof createDueList>[0]
  list = createDueList(context, (occurrence) => missed.push(occurrence.id))
}
function configure(rule: object, over: object = {}): TimedRule {
  rules = [{ ...rule, ...over }]
  restart()
  // CAST: a rule of one of these kinds.
  return rules[0] as unknown as TimedRule
}
const take = (): readonly (string | null)[] => list.take(nowMs).map(({ occurrence }) => occurrence)
const peek = (): readonly (string | null)[] => list.peek(nowMs).map(({ occurrence }) => occurrence)
const settledUntil = (): number => Number(flags.get(settledFlag("dca")))

describe("a scheduled rule", () => {
  let rule: TimedRule
  beforeEach(() => {
    rule = configure(DCA)
    expect([take(), peek(), writes]).toEqual([[], [], 1])
  })

  test("is not read again before its next instant, unless its configuration is new", () => {
    reads = 0
    nowMs = NOON - 20 * MINUTE
    expect([take(), reads]).toEqual([[], 0])
    const sooner = { ...DCA, schedule: "*/10 * * * *" }
    // CAST: a reload replaces the settings.
    Object.assign(context, { settings: { ...context.settings, rules: [sooner] } })
    expect(take()).toEqual([id(NOON - 20 * MINUTE)])
  })

  test("is due at its instant, again until it is settled, and then at the next one", () => {
    expect(list.nextMs(rule, nowMs)).toBe(NOON)
    nowMs = NOON - 1
    expect(take()).toEqual([])
    nowMs = NOON
    expect([take(), peek(), take()]).toEqual([[id(NOON)], [id(NOON)], [id(NOON)]])
    expect([writes, list.overdueSinceMs(rule, nowMs)]).toEqual([1, NOON])
    settled.add(id(NOON))
    expect([take(), peek()]).toEqual([[], []])
    expect([settledUntil(), writes, list.overdueSinceMs(rule, nowMs)]).toEqual([NOON, 2, null])
    nowMs = NOON + HOUR
    expect(take()).toEqual([id(NOON + HOUR)])
  })

  test("that was put off is due again then, and open meanwhile; no clock puts it off for long", () => {
    nowMs = NOON
    const [entry] = list.take(nowMs)
    if (entry === undefined) throw new Error("not due")
    list.putOff(entry, nowMs + 5_000)
    expect([take(), peek()]).toEqual([[], [id(NOON)]])
    nowMs += 4_999
    expect(take()).toEqual([])
    nowMs += 1
    expect(take()).toEqual([id(NOON)])
    list.putOff(entry, nowMs + 10 * MINUTE)
    expect(take()).toEqual([])
    list.putOff(entry, nowMs + 10 * MINUTE + 1)
    expect(take()).toEqual([id(NOON)])
  })

  test("is missed when it is late by more than a minute, or by the length of a tick more", () => {
    nowMs = NOON + MINUTE
    expect(take()).toEqual([id(NOON)])
    nowMs += 1
    expect(peek()).toEqual([])
    list.recordTickMs(5_000)
    expect([take(), peek()]).toEqual([[id(NOON)], [id(NOON)]])
    list.recordTickMs(-1)
    expect([take(), missed, settledUntil()]).toEqual([[], [id(NOON)], NOON])
    list.recordTickMs(HOUR)
    nowMs = NOON + HOUR + 11 * MINUTE
    expect(take()).toEqual([id(NOON + HOUR)])
    nowMs += 1
    expect([take(), missed]).toEqual([[], [id(NOON), id(NOON + HOUR)]])
  })

  test("that was tried in time has ten minutes more, and the minute of a late look", () => {
    tried.add(id(NOON))
    nowMs = NOON + 11 * MINUTE
    expect([take(), missed]).toEqual([[id(NOON)], []])
    nowMs += 1
    expect([take(), missed]).toEqual([[], [id(NOON)]])
  })

  test("is settled up to its oldest open occurrence, which is overdue from the end of its window", () => {
    rule = configure(DCA, { catchUp: "all", windowMs: 1_000 })
    nowMs = NOON + 2 * HOUR
    settled.add(id(NOON)).add(id(NOON + 2 * HOUR))
    expect(take()).toEqual([id(NOON + HOUR)])
    expect([settledUntil(), list.overdueSinceMs(rule, nowMs)]).toEqual([NOON, NOON + HOUR + 1_000])
    settled.delete(id(NOON + 2 * HOUR))
    expect(list.overdueSinceMs(rule, nowMs)).toBe(NOON + HOUR + 1_000)
  })

  test("waits for its jitter, and is neither open nor overdue meanwhile", () => {
    rule = configure(DCA, { jitterMs: 20 * MINUTE })
    nowMs = NOON
    expect([take(), peek(), list.overdueSinceMs(rule, nowMs)]).toEqual([[], [], null])
    nowMs = NOON + 20 * MINUTE
    expect(peek().length + take().length + missed.length).toBeGreaterThan(0)
  })

  test("never begins before the daemon has seen it, nor when it is disabled", () => {
    flags.clear()
    rule = configure(DCA)
    nowMs = NOON
    expect([peek(), list.overdueSinceMs(rule, nowMs), writes]).toEqual([[], null, 1])
    rule = configure(DCA, { enabled: false })
    flags.set(settledFlag("dca"), String(NOON - HOUR))
    expect([take(), peek()]).toEqual([[], []])
    expect([list.nextMs(rule, nowMs), list.overdueSinceMs(rule, nowMs)]).toEqual([null, null])
  })

  test("of a new configuration forgets what was put off", () => {
    nowMs = NOON
    const [entry] = list.take(nowMs)
    if (entry === undefined) throw new Error("not due")
    list.putOff(entry, nowMs + MINUTE)
    // CAST: a reload replaces the settings.
    Object.assign(context, { settings: { ...context.settings } })
    expect(take()).toEqual([id(NOON)])
    list.putOff(entry, nowMs + MINUTE)
    expect(take()).toEqual([])
  })
})

describe("a standing rule", () => {
  test("is due at once, then by its last decision, and is overdue from then on", () => {
    const rule = configure(BAND)
    expect([take(), peek(), list.nextMs(rule, nowMs)]).toEqual([[null], [null], nowMs])
    last = { configHash: "one", lastAtMs: nowMs - 4_000 }
    restart()
    expect([take(), peek(), list.nextMs(rule, nowMs)]).toEqual([[], [null], nowMs + 6_000])
    const begun = nowMs
    expect(list.overdueSinceMs(rule, begun + 9_999)).toBeNull()
    expect(list.overdueSinceMs(rule, begun + 10_000)).toBe(begun + 10_000)
    last = { configHash: "one", lastAtMs: begun + 1 }
    expect(list.overdueSinceMs(rule, begun + 10_000)).toBeNull()
    nowMs += 6_000
    expect(take()).toEqual([null])
    last = { configHash: "one", lastAtMs: nowMs }
    restart()
    expect(list.nextMs(rule, nowMs)).toBe(nowMs + 10_000)
  })

  test.each<[string, Decision]>([
    ["under another configuration", { configHash: "two", lastAtMs: NOON - HOUR / 2 - 1 }],
    ["of a clock that was ahead", { configHash: "one", lastAtMs: NOON }],
  ])("is due at once after a decision %s", (_name, decision) => {
    configure(BAND)
    last = decision
    expect(take()).toEqual([null])
  })

  test("that was put off is due then, if that is no more than one interval away", () => {
    configure(BAND)
    const [entry] = list.take(nowMs)
    if (entry === undefined) throw new Error("not due")
    list.putOff(entry, nowMs + 10_000)
    expect(take()).toEqual([])
    list.putOff(entry, nowMs + 10_001)
    expect(take()).toEqual([null])
    list.putOff(entry, nowMs + 3_000)
    nowMs += 2_999
    expect(take()).toEqual([])
    nowMs += 1
    expect(take()).toEqual([null])
  })

  test("is not late for the time before a new configuration", () => {
    const rule = configure(BAND)
    const [entry] = list.take(nowMs)
    if (entry === undefined) throw new Error("not due")
    nowMs += HOUR
    list.putOff(entry, nowMs + 10_000)
    // CAST: a reload replaces the settings.
    Object.assign(context, { settings: { ...context.settings } })
    expect(list.nextMs(rule, nowMs)).toBe(nowMs)
    expect(list.overdueSinceMs(rule, nowMs)).toBeNull()
  })

  test("whose schedule cannot be read leaves the others in time", () => {
    rules = [{ ...DCA, schedule: "never" }, BAND]
    restart()
    expect(take()).toEqual([null])
    expect([...context.memory.faults.keys()]).toEqual(["rule dca"])
    rules = [DCA, BAND]
    // CAST: a reload replaces the settings.
    Object.assign(context, { settings: { rules, configHash: "two" } })
    take()
    expect([...context.memory.faults.keys()]).toEqual([])
  })
})
