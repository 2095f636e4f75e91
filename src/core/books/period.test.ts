import { describe, expect, test } from "vitest"
import { parsePeriod } from "./period.ts"

const NOW = Date.UTC(2026, 2, 31, 12)

describe("a period", () => {
  test.each([
    ["day", Date.UTC(2026, 2, 30, 12), NOW],
    ["week", Date.UTC(2026, 2, 24, 12), NOW],
    ["month", Date.UTC(2026, 2, 1, 12), NOW],
    ["2026-01-01..2026-03-31", Date.UTC(2026, 0, 1), Date.UTC(2026, 3, 1)],
    ["2026-01-01..", Date.UTC(2026, 0, 1), Number.MAX_SAFE_INTEGER],
    ["..2026-01-01T06:00", 0, Date.UTC(2026, 0, 1, 6)],
    ["2026-01-01T06:00+02:00..2026-01-01", Date.UTC(2026, 0, 1, 4), Date.UTC(2026, 0, 2)],
  ])("%s", (text, fromMs, untilMs) => {
    expect(parsePeriod(text, NOW)).toEqual({ fromMs, untilMs })
  })

  test.each([
    "",
    "year",
    "2026-01-01",
    "2026-1-1..",
    "2026-02-30..",
    "a..b",
    "1..2..3",
    "2026-01-01 06:00..",
    "2026-01-01..2026-02-01..2026-03-01",
  ])("is not %j", (text) => {
    expect(() => parsePeriod(text, NOW)).toThrow(
      expect.objectContaining({ code: "cli.usage_period" }),
    )
  })

  test.each(["2026-03-31..2026-01-01", "2026-01-01T06:00..2026-01-01T06:00"])(
    "%s ends before it begins",
    (text) => {
      const message = expect.stringContaining("ends before it begins")
      expect(() => parsePeriod(text, NOW)).toThrow(
        expect.objectContaining({ code: "cli.usage_period", message }),
      )
    },
  )

  test("without a zone is in UTC, whatever the zone of the machine", () => {
    const zone = process.env["TZ"]
    process.env["TZ"] = "America/New_York"
    try {
      expect(parsePeriod("2026-01-01T06:00..2026-01-02", NOW).fromMs).toBe(Date.UTC(2026, 0, 1, 6))
    } finally {
      if (zone === undefined) delete process.env["TZ"]
      else process.env["TZ"] = zone
    }
  })
})
