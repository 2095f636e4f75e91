import type { Reason } from "#domain/reason.ts"
import { remember } from "#lib/remember.ts"

/**
 * A time of day in which no new order begins. Minutes count from midnight in the local time of
 * `timezone`; `toMinute` is the first minute that is no longer quiet. Quiet hours that end before
 * they begin last over midnight. `days` (0 Sunday to 6 Saturday) are the days on which they begin.
 */
export type QuietHours = {
  readonly fromMinute: number
  readonly toMinute: number
  readonly timezone: string
  readonly days: readonly number[]
}

export function judgeQuietHours(hours: readonly QuietHours[], nowMs: number): Reason[] {
  const quiet = hours.find((entry) => isQuiet(entry, nowMs))
  if (quiet === undefined) return []
  const until = showMinute(quiet.toMinute)
  const message = `Quiet hours: no new order begins before ${until} (${quiet.timezone})`
  return [{ code: "limit.quiet_hours", message, until, timezone: quiet.timezone }]
}

function isQuiet({ fromMinute, toMinute, timezone, days }: QuietHours, nowMs: number): boolean {
  const { day, minute } = wallClock(timezone, nowMs)
  const dayBefore = (day + 6) % 7
  if (fromMinute < toMinute) return days.includes(day) && minute >= fromMinute && minute < toMinute
  return (
    (days.includes(day) && minute >= fromMinute) || (days.includes(dayBefore) && minute < toMinute)
  )
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

type WallClock = { readonly day: number; readonly minute: number }

type Zone = { readonly format: Intl.DateTimeFormat; atMinute: number; wall: WallClock }

/**
 * The last answer for each zone. Building a formatter is slow, and most calls are for the same
 * minute.
 */
const zoneOf = remember(
  (timezone: string): Zone => ({
    format: formatOf(timezone),
    atMinute: Number.NaN,
    wall: { day: 0, minute: 0 },
  }),
)

function wallClock(timezone: string, nowMs: number): WallClock {
  const zone = zoneOf(timezone)
  const atMinute = Math.floor(nowMs / 60_000)
  if (zone.atMinute !== atMinute) {
    zone.wall = readWall(zone.format, nowMs)
    zone.atMinute = atMinute
  }
  return zone.wall
}

function formatOf(timezone: string): Intl.DateTimeFormat {
  const options = {
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  } as const
  return new Intl.DateTimeFormat("en-US", { ...options, timeZone: timezone })
}

function readWall(format: Intl.DateTimeFormat, nowMs: number): WallClock {
  const parts = format.formatToParts(nowMs)
  const read = (type: string): string => parts.find((part) => part.type === type)?.value ?? ""
  return {
    day: DAYS.indexOf(read("weekday")),
    minute: Number(read("hour")) * 60 + Number(read("minute")),
  }
}

function showMinute(minute: number): string {
  const two = (value: number): string => String(value).padStart(2, "0")
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`
}
