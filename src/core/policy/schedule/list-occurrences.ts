import { type CronExpression, CronExpressionParser } from "cron-parser"
import { mustExist } from "#lib/assert.ts"
import { remember } from "#lib/remember.ts"

/**
 * The instants of a schedule strictly after `sinceMs`, in ascending order and without end. A
 * schedule that never fires has none.
 *
 * The instants do not depend on the start of the listing: exactly-once depends on that.
 * `cron-parser` alone does not guarantee it. Around a clock change its answer depends on the start,
 * and in a zone with a half-hour change it fails. Here it therefore only lists wall-clock times, as
 * if in UTC, and each is mapped to its instant. A wall-clock time that the clock skips is delayed
 * by the width of the jump. A wall-clock time that occurs twice counts the first time. A schedule
 * for every hour means elapsed time, so it follows the clock: it does not fire in skipped hours,
 * and it fires twice in repeated hours.
 */
export function* listOccurrences(
  { schedule, timezone }: { readonly schedule: string; readonly timezone: string },
  sinceMs: number,
): Generator<number, void, undefined> {
  const zone = zoneOf(timezone)
  const cache = cacheFrom(schedule, startOf(zone, sinceMs))
  const pending: number[] = []
  for (const wallMs of readWallTimes(cache, startOf(zone, sinceMs))) {
    const [before, after] = offsetsAround(zone, wallMs)
    const settledMs = wallMs - Math.max(before, after)
    while (pending[0] !== undefined && pending[0] < settledMs)
      yield mustExist(pending.shift(), "a pending time")
    for (const atMs of instantsOf(zone, wallMs, cache.everyHour)) {
      if (atMs > sinceMs && !pending.includes(atMs)) insertSorted(pending, atMs)
    }
  }
}

/**
 * A cache of the wall-clock times of a schedule after `fromMs`. `cron-parser` needs more time than
 * everything else here, and while an occurrence waits, the daemon lists the same times every
 * second.
 */
type ScheduleCache = {
  readonly fromMs: number
  readonly cron: CronExpression
  readonly everyHour: boolean
  readonly fires: boolean
  readonly wallMs: number[]
}

const caches = new Map<string, ScheduleCache>()
const MAX_CACHES = 100
/** Several times the number of minutes in a day. */
const MAX_KEPT = 10_000

/** The cached times when they cover `startMs`, or a new cache. */
function cacheFrom(schedule: string, startMs: number): ScheduleCache {
  const known = caches.get(schedule)
  const covers =
    known !== undefined &&
    known.fromMs <= startMs &&
    startMs <= (known.wallMs.at(-1) ?? known.fromMs)
  if (covers && known.wallMs.length <= MAX_KEPT) return known
  const cron = CronExpressionParser.parse(schedule, { currentDate: new Date(startMs), tz: "UTC" })
  const everyHour = cron.fields.hour.values.length === 24
  const cache = { fromMs: startMs, cron, everyHour, fires: cron.hasNext(), wallMs: [] }
  if (caches.size >= MAX_CACHES) caches.clear()
  caches.set(schedule, cache)
  return cache
}

/**
 * Endless, or empty for a schedule that never fires. A cron expression has no years, so a schedule
 * that fires once fires forever.
 */
function* readWallTimes(
  { cron, fires, wallMs }: ScheduleCache,
  startMs: number,
): Generator<number, void, undefined> {
  if (!fires) return
  for (let index = wallMs.findLastIndex((each) => each <= startMs) + 1; ; index++) {
    if (index === wallMs.length) wallMs.push(cron.next().getTime())
    yield mustExist(wallMs[index], "a listed time")
  }
}

/**
 * Wider than the UTC offset of any zone plus any clock change, and narrower than the time between
 * two clock changes.
 */
const MARGIN_MS = 18 * 3_600_000

/**
 * A wall-clock time that is early enough to find everything after `sinceMs`: close by, unless the
 * clock changes around then.
 */
function startOf(zone: Zone, sinceMs: number): number {
  const [before, after] = offsetsAround(zone, sinceMs)
  return before === after ? sinceMs + before - 60_000 : sinceMs - MARGIN_MS
}

function instantsOf(zone: Zone, wallMs: number, everyHour: boolean): number[] {
  const [before, after] = offsetsAround(zone, wallMs)
  if (before === after) return [wallMs - before]
  const real = [before, after]
    .map((offset) => wallMs - offset)
    .filter((atMs) => atMs + offsetAt(zone, atMs) === wallMs)
  if (everyHour) return real
  return real.length === 0 ? [wallMs - before] : real.slice(0, 1)
}

function offsetsAround(zone: Zone, wallMs: number): readonly [before: number, after: number] {
  return [offsetAt(zone, wallMs - MARGIN_MS), offsetAt(zone, wallMs + MARGIN_MS)]
}

/** The offset of the zone's wall clock from UTC at that instant. */
function offsetAt({ format, offsets }: Zone, atMs: number): number {
  const quarter = Math.floor(atMs / QUARTER_MS)
  const known = offsets.get(quarter)
  if (known !== undefined) return known
  const text = format.formatToParts(atMs).find(({ type }) => type === "timeZoneName")?.value ?? ""
  const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)/.exec(text) ?? []
  const size = Number(hours ?? 0) * 3_600_000 + Number(minutes ?? 0) * 60_000
  const offset = sign === "-" ? -size : size
  if (offsets.size >= MAX_OFFSETS) offsets.clear()
  offsets.set(quarter, offset)
  return offset
}

/**
 * Zones change their clocks only at full quarters of an hour, so one offset serves a whole quarter.
 */
const QUARTER_MS = 900_000
const MAX_OFFSETS = 10_000

type Zone = { readonly format: Intl.DateTimeFormat; readonly offsets: Map<number, number> }

/** A formatter is slow to make and never changes. */
const zoneOf = remember((timezone: string): Zone => {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    timeZoneName: "longOffset",
  })
  return { format, offsets: new Map() }
})

function insertSorted(sorted: number[], value: number): void {
  const index = sorted.findIndex((other) => other > value)
  sorted.splice(index < 0 ? sorted.length : index, 0, value)
}
