import { type CronExpression, CronExpressionParser } from "cron-parser"

/**
 * The instants of a schedule strictly after `sinceMs`, in ascending order, without end (and without any for a schedule that never fires).
 *
 * Which instants there are does not depend on where the listing starts, which is what exactly-once rests on. `cron-parser` alone does not
 * give that: around a change of the clock it answers differently from different starting points, and in a zone that moves by half an
 * hour it gives up. So it only lists wall-clock times here, as if in UTC, and each is mapped to its instant:
 * a time that the clock jumps over comes as much later as the jump is wide; a time that comes twice counts the first time. A schedule for
 * every hour is meant by elapsed time, so it follows the clock instead: nothing for hours that are not there, twice for those that repeat.
 */
export function* listOccurrences(
  { schedule, timezone }: { readonly schedule: string; readonly timezone: string },
  sinceMs: number,
): Generator<number, void, undefined> {
  const zone = zoneOf(timezone)
  const tape = tapeFrom(schedule, startOf(zone, sinceMs))
  const pending: number[] = []
  for (const wallMs of readTape(tape, startOf(zone, sinceMs))) {
    const [before, after] = offsetsAround(zone, wallMs)
    const settledMs = wallMs - Math.max(before, after)
    while (pending[0] !== undefined && pending[0] < settledMs) yield pending.shift() ?? settledMs
    for (const atMs of instantsOf(zone, wallMs, tape.everyHour)) {
      if (atMs > sinceMs && !pending.includes(atMs)) insertSorted(pending, atMs)
    }
  }
}

/**
 * The wall-clock times of a schedule after `fromMs`, as far as they were ever asked for. Working one out takes `cron-parser` longer than all the
 * rest, and while an occurrence waits the same ones are listed every second.
 */
type Tape = {
  readonly fromMs: number
  readonly cron: CronExpression
  readonly everyHour: boolean
  readonly fires: boolean
  readonly wallMs: number[]
}

const tapes = new Map<string, Tape>()
const MAX_TAPES = 100
/** A day of minutes before a change of the clock, many times over. */
const MAX_KEPT = 10_000

/** A tape that covers `startMs`: the one there is, or a new one. */
function tapeFrom(schedule: string, startMs: number): Tape {
  const known = tapes.get(schedule)
  const covers = known !== undefined && known.fromMs <= startMs && startMs <= (known.wallMs.at(-1) ?? known.fromMs)
  if (covers && known.wallMs.length <= MAX_KEPT) return known
  const cron = CronExpressionParser.parse(schedule, { currentDate: new Date(startMs), tz: "UTC" })
  const everyHour = cron.fields.hour.values.length === 24
  const tape = { fromMs: startMs, cron, everyHour, fires: cron.hasNext(), wallMs: [] }
  if (tapes.size >= MAX_TAPES) tapes.clear()
  tapes.set(schedule, tape)
  return tape
}

/** Without end, and without any for a schedule that never fires: a cron expression has no years, so once it fires, it does for ever. */
function* readTape({ cron, fires, wallMs }: Tape, startMs: number): Generator<number, void, undefined> {
  if (!fires) return
  for (let index = wallMs.findLastIndex((each) => each <= startMs) + 1; ; index++) {
    if (index === wallMs.length) wallMs.push(cron.next().getTime())
    yield wallMs[index] ?? startMs
  }
}

/** Wider than any zone's distance from UTC together with any jump of a clock, and narrower than the time between two jumps. */
const MARGIN_MS = 18 * 3_600_000

/** The wall-clock time before which nothing can lie after `sinceMs`: close by, unless the clock changes around then. */
function startOf(zone: Zone, sinceMs: number): number {
  const [before, after] = offsetsAround(zone, sinceMs)
  return before === after ? sinceMs + before - 60_000 : sinceMs - MARGIN_MS
}

function instantsOf(zone: Zone, wallMs: number, everyHour: boolean): number[] {
  const [before, after] = offsetsAround(zone, wallMs)
  if (before === after) return [wallMs - before]
  const real = [before, after].map((offset) => wallMs - offset).filter((atMs) => atMs + offsetAt(zone, atMs) === wallMs)
  if (everyHour) return real
  return real.length === 0 ? [wallMs - before] : real.slice(0, 1)
}

function offsetsAround(zone: Zone, wallMs: number): readonly [before: number, after: number] {
  return [offsetAt(zone, wallMs - MARGIN_MS), offsetAt(zone, wallMs + MARGIN_MS)]
}

/** How far the zone's wall clock is ahead of UTC at that instant. */
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

/** Zones change their clocks at full quarters of an hour only, and a schedule is looked at every second. */
const QUARTER_MS = 900_000
const MAX_OFFSETS = 10_000

type Zone = { readonly format: Intl.DateTimeFormat; readonly offsets: Map<number, number> }

/** Making one takes longer than all the rest, and it never changes. */
const zones = new Map<string, Zone>()

function zoneOf(timezone: string): Zone {
  const known = zones.get(timezone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat("en-US", { timeZone: timezone, timeZoneName: "longOffset" })
  const zone = { format, offsets: new Map() }
  zones.set(timezone, zone)
  return zone
}

function insertSorted(sorted: number[], value: number): void {
  const index = sorted.findIndex((other) => other > value)
  sorted.splice(index < 0 ? sorted.length : index, 0, value)
}
