import { describe, expect, test } from "vitest"
import { judgeServiceHealth } from "./judge-service.ts"
import type { CallReading, ServiceReading } from "./readings.ts"

const NOW = Date.parse("2026-03-04T13:12:00Z")
const SILENT_AFTER = 30_000
const LONG_AGO = NOW - SILENT_AFTER

const service: ServiceReading = {
  name: "main",
  host: "s.example",
  answeredMs: NOW,
  sinceMs: NOW,
  askedMs: NOW,
  error: null,
  inFlight: 0,
  rest: null,
}
const quotes: CallReading = {
  call: "quote",
  about: "a > b",
  fault: "HTTP 500 (boom)",
  sinceMs: NOW - 60_000,
  lastMs: NOW - 1_000,
  times: 7,
}
const judge = (change: Partial<ServiceReading>) =>
  judgeServiceHealth({ ...service, ...change }, SILENT_AFTER, NOW)

test("a service that fails again and again is failing, also while it answers in between", () => {
  const breaks = { times: 3, sinceMs: NOW - 50_000, lastMs: NOW - 5_000, fault: "HTTP 502" }
  expect(judge({ breaks })).toMatchObject({
    state: "failing",
    alarm: {
      code: "service.failing",
      message: expect.stringMatching(/again and again.* HTTP 502/),
    },
  })
  expect(judge({ breaks: { ...breaks, times: 2 } }).state).toBe("good")
  expect(judge({ breaks: { ...breaks, lastMs: NOW - 120_001 } }).state).toBe("good")
})

describe("a service", () => {
  test("without an answer for the allowed time is away", () => {
    expect(judge({ answeredMs: LONG_AGO, sinceMs: LONG_AGO, error: "HTTP 503" })).toMatchObject({
      state: "silent",
      alarm: {
        code: "service.away",
        message: "The service main at s.example does not answer (HTTP 503)",
      },
    })
    expect(judge({ answeredMs: LONG_AGO, sinceMs: LONG_AGO })).toMatchObject({
      state: "good",
      alarm: null,
    })
  })

  test.each([
    "HTTP 401 (invalid app id)",
    "HTTP 403",
    "HTTP 404",
    "HTTP 500",
    "a limit (too many)",
  ])("whose sign of life fails with %s fails, also before any call", (error) => {
    expect(judge({ answeredMs: null, sinceMs: LONG_AGO, error })).toMatchObject({
      state: "failing",
      alarm: {
        code: "service.failing",
        message:
          `The service main at s.example fails: the sign of life fails with ${error} since ` +
          "2026-03-04 13:11 UTC",
      },
    })
  })

  test("that gives signs of life and fails the real calls fails, in the words of the calls", () => {
    const other = {
      ...quotes,
      about: "b > a",
      sinceMs: NOW - 50_000,
      lastMs: NOW - 2_000,
      times: 5,
      fault: "HTTP 502",
    }
    const create = { ...quotes, call: "create", fault: "HTTP 500", times: 1 } as const
    expect(judge({ calls: [other, quotes, create] })).toMatchObject({
      state: "failing",
      failures: [
        "quotes fail with HTTP 500 (boom) since 2026-03-04 13:11 UTC (12 times)",
        "new orders fail with HTTP 500 since 2026-03-04 13:11 UTC (once)",
      ],
    })
  })

  test("whose answer is none says what it is", () => {
    expect(judge({ calls: [{ ...quotes, fault: "its answer is empty" }] }).failures).toEqual([
      "quotes fail: its answer is empty, since 2026-03-04 13:11 UTC (7 times)",
    ])
  })

  test("that quotes and then refuses every order fails, after the third one", () => {
    const refused = { ...quotes, call: "create", fault: "HTTP 400 (quote expired)" } as const
    expect(judge({ calls: [{ ...refused, times: 2 }] }).state).toBe("good")
    expect(judge({ calls: [{ ...refused, times: 3 }] }).failures).toEqual([
      "new orders fail with HTTP 400 (quote expired) since 2026-03-04 13:11 UTC (3 times)",
    ])
  })

  test("that fails and is slow says both", () => {
    const slow = { tookMs: 4_500, slowSinceMs: LONG_AGO }
    expect(judge({ ...slow, calls: [quotes] })).toMatchObject({
      state: "failing",
      faults: ["HTTP 500 (boom)"],
      failures: [
        "quotes fail with HTTP 500 (boom) since 2026-03-04 13:11 UTC (7 times)",
        "it is slow: 4.5 s for one answer",
      ],
    })
    expect(judge({ ...slow, slowSinceMs: NOW, calls: [quotes] }).failures).toHaveLength(1)
  })

  test("is good while a failure is younger than the allowed time", () => {
    expect(judge({ calls: [{ ...quotes, sinceMs: NOW - SILENT_AFTER + 1 }] }).state).toBe("good")
  })
})
