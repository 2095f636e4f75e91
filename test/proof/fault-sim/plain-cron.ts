/**
 * The instants of a schedule in (fromMs, toMs], by brute force: it compares the wall clock of every
 * minute with the schedule.
 *
 * It follows the rules of docs/CONFIG.md. A time that a clock change skips occurs later, by the
 * width of the change. A time that occurs twice counts the first time. A schedule for every hour
 * follows the clock. This file shares no code with production.
 */
export function expandCron(
  { schedule, timezone }: { readonly schedule: string; readonly timezone: string },
  fromMs: number,
  toMs: number,
): number[] {
  const fields = schedule
    .split(" ")
    .map((field, index) => parseField(field, RANGES[index] ?? [0, 0]))
  const matches = (wallMs: number): boolean => {
    const wall = new Date(wallMs)
    const values = [
      wall.getUTCMinutes(),
      wall.getUTCHours(),
      wall.getUTCDate(),
      wall.getUTCMonth() + 1,
      wall.getUTCDay(),
    ]
    return values.every((value, index) => fields[index]?.has(value))
  }
  const everyHour = fields[1]?.size === 24
  const zone = zoneOf(timezone)
  const found = new Set<number>()
  const shown = new Set<number>()
  let lastWallMs = Number.NaN
  for (let atMs = floor(fromMs - HISTORY_MS); atMs <= toMs; atMs += MINUTE_MS) {
    const wallMs = wallOf(zone, atMs)
    if (!everyHour) {
      for (let missingMs = lastWallMs + MINUTE_MS; missingMs < wallMs; missingMs += MINUTE_MS) {
        if (matches(missingMs)) found.add(atMs + missingMs - lastWallMs - MINUTE_MS)
      }
    }
    if (matches(wallMs) && (everyHour || !shown.has(wallMs))) found.add(atMs)
    shown.add(wallMs)
    lastWallMs = wallMs
  }
  return [...found].filter((atMs) => atMs > fromMs && atMs <= toMs).sort((a, b) => a - b)
}

const MINUTE_MS = 60_000
/**
 * How far before `fromMs` the search starts, so that it knows repeated and skipped wall clock
 * times.
 */
const HISTORY_MS = 4 * 60 * MINUTE_MS
const RANGES = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const

function parseField(field: string, [low, high]: readonly [number, number]): ReadonlySet<number> {
  const values = new Set<number>()
  for (const part of field.split(",")) {
    const [range = "*", step = "1"] = part.split("/")
    const [first = "", last = first] =
      range === "*" ? [String(low), String(high)] : range.split("-")
    for (let value = Number(first); value <= Number(last); value += Number(step)) values.add(value)
  }
  return values
}

type Zone = { readonly format: Intl.DateTimeFormat; readonly walls: Map<number, number> }
const zones = new Map<string, Zone>()

function zoneOf(timezone: string): Zone {
  const options = {
    timeZone: timezone,
    hourCycle: "h23",
    dateStyle: "short",
    timeStyle: "short",
  } as const
  const zone = zones.get(timezone) ?? {
    format: new Intl.DateTimeFormat("sv-SE", options),
    walls: new Map(),
  }
  zones.set(timezone, zone)
  return zone
}

/** The wall clock's reading as if it were UTC. */
function wallOf({ format, walls }: Zone, atMs: number): number {
  const known = walls.get(atMs)
  if (known !== undefined) return known
  // Swedish dates are ISO dates.
  const wallMs = Date.parse(`${format.format(atMs).replace(" ", "T")}:00Z`)
  walls.set(atMs, wallMs)
  return wallMs
}

function floor(ms: number): number {
  return ms - (ms % MINUTE_MS)
}
