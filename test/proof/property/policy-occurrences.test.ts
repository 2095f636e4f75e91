import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { RecurringRule } from "#policy/rules/recurring/recurring-rule.ts"
import { findDueOccurrences, nextOccurrence } from "#policy/schedule/due-occurrences.ts"

/**
 * Zones with clock changes in both hemispheres, of half an hour, at midnight, and with reversed
 * daylight saving for a month.
 */
const ZONES = [
  "Europe/Zurich",
  "America/New_York",
  "Australia/Lord_Howe",
  "America/Santiago",
  "Africa/Casablanca",
]
const SCHEDULES = ["30 2 * * *", "15 0 * * MON", "45 1,2,3 1-7 3,4,10,11 *"]
const START = Date.UTC(2026, 0, 1)
const END = Date.UTC(2036, 0, 1)
const HOUR = 3_600_000

describe.each(ZONES)("in %s from 2026 to 2035", (timezone) => {
  test.each(SCHEDULES)(
    "every occurrence of %s comes once, at its time of day, or after the jump that swallowed it",
    (schedule) => {
      const found = listAll(ruleOf(schedule, timezone))
      expect(found).toEqual([...new Set(found)].sort((a, b) => a - b))
      expect(found).toEqual(listByClock(schedule, timezone))
    },
  )

  test.each(["skip", "once", "all"] as const)(
    "with random downtimes each is settled exactly once, and fires as catch_up: %s says",
    (catchUp) => {
      const rule = { ...ruleOf("30 2 * * *", timezone), catchUp }
      const all = listAll(rule)
      const span = fc.record({
        upHours: hours(14 * 24),
        downHours: hours(14 * 24),
        ticks: fc.integer({ min: 1, max: 2 }),
      })
      const settled = live(rule, all, fc.sample(span, { numRuns: 400, seed: 5 }))
      expect([...settled.keys()]).toEqual(all.filter((atMs) => atMs <= END - HOUR))
      const fired = [...settled.values()].filter(({ action }) => action === "fire").length
      for (const [atMs, { action, wokeMs, newest }] of settled) {
        const missed = wokeMs - atMs > 60_000
        const fires = !missed || catchUp === "all" || (catchUp === "once" && newest)
        expect(action).toBe(fires ? "fire" : "skip")
      }
      expect(fired === settled.size).toBe(catchUp === "all")
    },
  )

  test("the start of a listing changes nothing, also within a repeated or skipped hour", () => {
    for (const schedule of [...SCHEDULES, "0,30 * * * *"]) {
      const rule = ruleOf(schedule, timezone)
      for (const changeMs of clockChanges(timezone, START, Date.UTC(2027, 0, 1))) {
        const from = changeMs - 5 * HOUR
        const to = changeMs + 5 * HOUR
        const all = findDueOccurrences(rule, from, to).map(({ atMs }) => atMs)
        for (let sinceMs = from; sinceMs < to; sinceMs += HOUR / 4 + 1) {
          const next = all.find((atMs) => atMs > sinceMs)
          if (next !== undefined) expect(nextOccurrence(rule, sinceMs)).toBe(next)
        }
      }
    }
  })
})

test("a schedule for every hour follows elapsed time through both clock changes", () => {
  for (const timezone of ZONES) {
    for (const changeMs of clockChanges(timezone, START, Date.UTC(2028, 0, 1))) {
      const found = listAll(
        ruleOf("0,30 * * * *", timezone),
        changeMs - 30 * HOUR,
        changeMs + 30 * HOUR,
      )
      const steps = new Set(found.slice(1).map((atMs, index) => atMs - (found[index] ?? 0)))
      expect([...steps]).toEqual([HOUR / 2])
    }
  }
})

test("catch_up once fires one occurrence when more were missed than one evaluation settles", () => {
  const rule: RecurringRule = { ...ruleOf("* * * * *", "UTC"), catchUp: "once" }
  const nowMs = START + 2_500 * 60_000 + 59_999
  const settled: string[] = []
  let sinceMs = START
  for (
    let due = findDueOccurrences(rule, sinceMs, nowMs + 30 * HOUR);
    due.length > 0;
    due = findDueOccurrences(rule, sinceMs, nowMs + 30 * HOUR)
  ) {
    settled.push(...due.map(({ action }) => action))
    sinceMs = due.at(-1)?.atMs ?? nowMs
  }
  expect(settled.length).toBe(2_500 + 30 * 60)
  expect(settled.filter((action) => action === "fire")).toHaveLength(1)
  expect(settled.at(-1)).toBe("fire")
})

type Settled = { action: "fire" | "skip" | "wait"; wokeMs: number; newest: boolean }

/**
 * The life of a daemon. It wakes at occurrences while it runs, sometimes twice and with a clock
 * that went back, and it is down at times. The ledger has the same content as the engine's: the
 * settled occurrences, and the time up to which all are settled.
 */
function live(
  rule: RecurringRule,
  all: readonly number[],
  spans: readonly { upHours: number; downHours: number; ticks: number }[],
): Map<number, Settled> {
  const settled = new Map<number, Settled>()
  let settledUntilMs = START
  let nowMs = START
  const wake = (wokeMs: number): void => {
    const due = findDueOccurrences(rule, settledUntilMs, wokeMs)
    for (const { atMs, action } of due) {
      if (settled.has(atMs)) throw new Error(`settled twice: ${new Date(atMs).toISOString()}`)
      settled.set(atMs, { action, wokeMs, newest: atMs === due.at(-1)?.atMs })
      settledUntilMs = atMs
    }
  }
  for (const { upHours, downHours, ticks } of spans) {
    const downAtMs = Math.min(nowMs + upHours * HOUR, END - HOUR)
    for (const atMs of all.filter((one) => one > nowMs && one <= downAtMs)) {
      for (let tick = 0; tick < ticks; tick += 1) wake(atMs + (tick === 0 ? 700 : -700))
    }
    nowMs = Math.min(downAtMs + downHours * HOUR, END - HOUR)
    wake(nowMs)
  }
  return settled
}

function hours(max: number): fc.Arbitrary<number> {
  return fc.noBias(fc.integer({ min: 1, max: max * 60 })).map((minutes) => minutes / 60)
}

const listed = new Map<string, number[]>()

function listAll(rule: RecurringRule, sinceMs = START, untilMs = END): number[] {
  const key = `${rule.schedule} ${rule.timezone} ${sinceMs} ${untilMs}`
  const known = listed.get(key)
  if (known) return known
  const found: number[] = []
  for (
    let due = findDueOccurrences(rule, sinceMs, untilMs);
    due.length > 0;
    due = findDueOccurrences(rule, found.at(-1) ?? untilMs, untilMs)
  ) {
    // Without this the loop would never end.
    if ((due[0]?.atMs ?? 0) <= (found.at(-1) ?? sinceMs))
      throw new Error("an occurrence is not after what was settled")
    found.push(...due.map(({ atMs }) => atMs))
  }
  listed.set(key, found)
  return found
}

/**
 * A second implementation: walk through real time in quarters of an hour, read the zone's clock,
 * and take the first instant at which the clock shows a time of the schedule or has just skipped
 * it.
 */
function listByClock(schedule: string, timezone: string): number[] {
  const [minute = "", hour = "", dayOfMonth = "", month = "", dayOfWeek = ""] = schedule.split(" ")
  const days = dayOfWeek === "MON" ? [1] : null
  const fits = (wallMs: number): boolean => {
    const wall = new Date(wallMs)
    const [from, to] = dayOfMonth === "*" ? [1, 31] : dayOfMonth.split("-").map(Number)
    return (
      Number(minute) === wall.getUTCMinutes() &&
      hour.split(",").map(Number).includes(wall.getUTCHours()) &&
      wall.getUTCDate() >= (from ?? 1) &&
      wall.getUTCDate() <= (to ?? 31) &&
      (month === "*" ||
        month
          .split(",")
          .map(Number)
          .includes(wall.getUTCMonth() + 1)) &&
      (days?.includes(wall.getUTCDay()) ?? true)
    )
  }
  const changes = clockChanges(timezone, START - 24 * HOUR, END)
  const found = new Set<number>()
  let highestMs = 0
  let offset = clockOffset(timezone, START - 24 * HOUR)
  const STEP = HOUR / 4
  for (let atMs = START - 24 * HOUR; atMs <= END; atMs += STEP) {
    if (changes.includes(atMs)) {
      const after = clockOffset(timezone, atMs)
      // A skipped time is delayed by the width of the jump.
      for (let wallMs = atMs + offset; wallMs < atMs + after; wallMs += STEP)
        if (fits(wallMs)) found.add(wallMs - offset)
      offset = after
    }
    const wallMs = atMs + offset
    if (wallMs > highestMs && fits(wallMs)) found.add(atMs)
    highestMs = Math.max(highestMs, wallMs)
  }
  return [...found].filter((atMs) => atMs > START && atMs <= END).sort((a, b) => a - b)
}

/** Instants, to the quarter of an hour, at which the zone's clock changes. */
function clockChanges(timezone: string, fromMs: number, toMs: number): number[] {
  const changes: number[] = []
  let offset = clockOffset(timezone, fromMs)
  for (let dayMs = fromMs; dayMs < toMs; dayMs += 24 * HOUR) {
    if (clockOffset(timezone, dayMs + 24 * HOUR) === offset) continue
    let atMs = dayMs
    while (clockOffset(timezone, atMs) === offset) atMs += HOUR / 4
    changes.push(atMs)
    offset = clockOffset(timezone, atMs)
  }
  return changes
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** Computed from the fields of the clock, not from the name of the offset. */
function clockOffset(timezone: string, atMs: number): number {
  const clock =
    clocks.get(timezone) ??
    new Intl.DateTimeFormat("en-US", {
      timeZone: timezone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
    })
  clocks.set(timezone, clock)
  const parts = new Map(clock.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]))
  const field = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0
  return (
    Date.UTC(field("year"), field("month") - 1, field("day"), field("hour"), field("minute")) - atMs
  )
}

function ruleOf(schedule: string, timezone: string): RecurringRule {
  return {
    id: "dca",
    kind: "recurring",
    schedule,
    timezone,
    from: parseAssetId("a:x"),
    to: parseAssetId("b:y"),
    amount: { kind: "units", units: 1n },
    catchUp: "all",
  }
}
