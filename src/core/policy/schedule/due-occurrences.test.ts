import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { RecurringRule } from "../rules/recurring/recurring-rule.ts"
import { findDueOccurrences, nextOccurrence } from "./due-occurrences.ts"

const rule = (
  schedule: string,
  timezone: string,
  catchUp: RecurringRule["catchUp"] = "all",
): RecurringRule => ({
  id: "dca",
  kind: "recurring",
  schedule,
  timezone,
  from: parseAssetId("base_sepolia:wbtc"),
  to: parseAssetId("bitcoin_testnet:btc"),
  amount: { kind: "units", units: 1n },
  catchUp,
})

function instants(of: RecurringRule, since: string, until: string): string[] {
  return findDueOccurrences(of, Date.parse(since), Date.parse(until)).map(({ atMs }) =>
    new Date(atMs).toISOString(),
  )
}

describe("daylight saving", () => {
  test.each([
    ["Europe/Zurich", "2026-03-27T23:00:00Z", "2026-03-30T22:00:00Z"],
    ["Europe/Zurich", "2026-10-23T22:00:00Z", "2026-10-26T23:00:00Z"],
    ["America/New_York", "2026-03-07T05:00:00Z", "2026-03-10T04:00:00Z"],
    ["America/New_York", "2026-10-31T04:00:00Z", "2026-11-03T05:00:00Z"],
  ])("in %s neither repeats nor loses a day of a daily schedule (%s)", (timezone, since, until) => {
    for (const schedule of [
      "30 1 * * *",
      "0 2 * * *",
      "30 2 * * *",
      "59 2 * * *",
      "0 3 * * *",
      "0 9 * * *",
    ]) {
      const found = instants(rule(schedule, timezone), since, until)
      expect(found, schedule).toHaveLength(3)
      expect(new Set(found).size).toBe(3)
    }
  })

  test("keeps nine o'clock at nine o'clock", () => {
    const zurich = rule("0 9 * * *", "Europe/Zurich")
    expect(instants(zurich, "2026-03-28T00:00:00Z", "2026-03-30T00:00:00Z")).toEqual([
      "2026-03-28T08:00:00.000Z",
      "2026-03-29T07:00:00.000Z",
    ])
    const newYork = rule("0 9 * * MON", "America/New_York")
    expect(
      new Date(nextOccurrence(newYork, Date.parse("2026-10-30T00:00:00Z"))).toISOString(),
    ).toBe("2026-11-02T14:00:00.000Z")
  })

  test("gives the same instants for every division of the time into evaluations", () => {
    for (const timezone of ["Europe/Zurich", "America/New_York"]) {
      const hourly = rule("*/30 * * * *", timezone)
      for (const day of ["2026-03-08", "2026-03-29", "2026-10-25", "2026-11-01"]) {
        const from = Date.parse(`${day}T00:00:00Z`)
        const to = Date.parse(`${day}T00:00:00Z`) + 36 * 3_600_000
        const whole = findDueOccurrences(hourly, from, to).map(({ id }) => id)
        const pieces: string[] = []
        for (let at = from; at < to; at += 47 * 60_000) {
          pieces.push(
            ...findDueOccurrences(hourly, at, Math.min(at + 47 * 60_000, to)).map(({ id }) => id),
          )
        }
        expect(pieces).toEqual(whole)
      }
    }
  })
})

test("a listing does not depend on earlier listings", () => {
  const quarters = rule("*/15 * * * *", "UTC")
  const start = Date.parse("2026-01-01T00:00:00Z")
  const quarterMs = 15 * 60_000
  // Forward, back, forward beyond the cache, by half quarters, and far back.
  for (const quarter of [
    0, 1, 0.5, 9_000, 3, 18_000, 17_999.5, 18_001, 100_000, 100_000.5, 40, -5_000,
  ]) {
    const sinceMs = start + quarter * quarterMs
    const first = start + (Math.floor(quarter) + 1) * quarterMs
    expect(nextOccurrence(quarters, sinceMs)).toBe(first)
    const listed = findDueOccurrences(quarters, sinceMs, first + 900 * quarterMs).map(
      ({ atMs }) => atMs,
    )
    expect(listed).toEqual(Array.from({ length: 901 }, (_, index) => first + index * quarterMs))
  }
})

describe("an occurrence", () => {
  const hourly = (catchUp: RecurringRule["catchUp"]): RecurringRule =>
    rule("0 * * * *", "UTC", catchUp)
  const actions = (of: RecurringRule, since: string, until: string): string[] =>
    findDueOccurrences(of, Date.parse(since), Date.parse(until)).map(({ action }) => action)

  test("is due strictly after the settled time, up to and including now", () => {
    const since = "2026-01-01T01:00:00Z"
    const until = "2026-01-01T02:00:00Z"
    expect(instants(hourly("all"), since, until)).toEqual(["2026-01-01T02:00:00.000Z"])
  })

  test("that is noticed within a minute was not missed", () => {
    expect(actions(hourly("skip"), "2026-01-01T01:30:00Z", "2026-01-01T02:01:00Z")).toEqual([
      "fire",
    ])
    expect(actions(hourly("skip"), "2026-01-01T01:30:00Z", "2026-01-01T02:01:01Z")).toEqual([
      "skip",
    ])
  })

  test("of several missed ones fires as catch_up says", () => {
    const since = "2026-01-01T00:30:00Z"
    const until = "2026-01-01T03:30:00Z"
    expect(actions(hourly("skip"), since, until)).toEqual(["skip", "skip", "skip"])
    expect(actions(hourly("once"), since, until)).toEqual(["skip", "skip", "fire"])
    expect(actions(hourly("all"), since, until)).toEqual(["fire", "fire", "fire"])
  })

  test("is not due when the clock has gone back", () => {
    expect(instants(hourly("all"), "2026-01-01T05:00:00Z", "2026-01-01T02:00:00Z")).toEqual([])
  })
})

describe("jitter", () => {
  const jittered = { ...rule("0 * * * *", "UTC"), jitterMs: 600_000, windowMs: 3_000 }
  const since = Date.parse("2026-01-01T00:30:00Z")
  const found = findDueOccurrences(jittered, since, since + 100 * 3_600_000)

  test("delays each occurrence by its own time, the same after a restart", () => {
    const delays = found.map(({ dueMs, atMs }) => dueMs - atMs)
    expect(delays.slice(0, 4)).toEqual([286_881, 44_801, 265_370, 300_420])
    expect(new Set(delays).size).toBeGreaterThan(90)
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...delays)).toBeLessThanOrEqual(600_000)
    expect(Math.max(...delays)).toBeGreaterThan(550_000)
    for (const { dueMs, closesMs } of found) expect(closesMs - dueMs).toBe(3_000)
  })

  test("makes an occurrence wait until then", () => {
    const [first] = found
    const dueMs = first?.dueMs ?? 0
    const actionAt = (nowMs: number) => findDueOccurrences(jittered, since, nowMs)[0]?.action
    expect([dueMs - 1, dueMs, dueMs + 63_000].map(actionAt)).toEqual(["wait", "fire", "fire"])
    const skipping = { ...jittered, catchUp: "skip" as const }
    const late = [63_000, 63_001].map((ms) => findDueOccurrences(skipping, since, dueMs + ms)[0])
    expect(late.map((one) => one?.action)).toEqual(["fire", "skip"])
  })
})

test("one evaluation settles a thousand occurrences, and the next one the rest", () => {
  const minutely = rule("* * * * *", "UTC", "once")
  const since = Date.parse("2026-01-01T00:00:30Z")
  const until = since + 1_500 * 60_000
  const first = findDueOccurrences(minutely, since, until)
  expect(first).toHaveLength(1_000)
  expect(first.filter(({ action }) => action === "fire")).toEqual([])
  const rest = findDueOccurrences(minutely, first.at(-1)?.atMs ?? 0, until)
  expect(rest).toHaveLength(500)
  expect(rest.filter(({ action }) => action === "fire")).toEqual([rest.at(-1)])
})
