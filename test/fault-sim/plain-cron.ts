/**
 * The instants of a schedule in (fromMs, toMs], found the plain way: every minute of the world is asked what its wall clock shows.
 *
 * The rules, as docs/CONFIG.md states them: a time that the clock jumps over comes as much later as the jump is wide; a time that comes
 * twice counts the first time; a schedule for every hour follows the clock. Nothing here is shared with production code.
 */
export function expandCron(
  { schedule, timezone }: { readonly schedule: string; readonly timezone: string },
  fromMs: number,
  toMs: number,
): number[] {
  const fields = schedule.split(" ").map((field, index) => parseField(field, RANGES[index] ?? [0, 0]))
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
  for (let atMs = floor(fromMs - LOOK_BACK_MS); atMs <= toMs; atMs += MINUTE_MS) {
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
/** So far back a time may have been shown before, or been jumped over. */
const LOOK_BACK_MS = 4 * 60 * MINUTE_MS
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
    const [first = "", last = first] = range === "*" ? [String(low), String(high)] : range.split("-")
    for (let value = Number(first); value <= Number(last); value += Number(step)) values.add(value)
  }
  return values
}

type Zone = { readonly format: Intl.DateTimeFormat; readonly walls: Map<number, number> }
const zones = new Map<string, Zone>()

function zoneOf(timezone: string): Zone {
  const options = { timeZone: timezone, hourCycle: "h23", dateStyle: "short", timeStyle: "short" } as const
  const zone = zones.get(timezone) ?? { format: new Intl.DateTimeFormat("sv-SE", options), walls: new Map() }
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
