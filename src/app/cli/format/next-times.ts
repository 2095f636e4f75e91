import { nextOccurrence, type Schedule } from "#policy/schedule/due-occurrences.ts"

const SHOWN = 3

/** The next three instants of a schedule; fewer for one that ends. */
export function listNextTimes(schedule: Schedule, nowMs: number): readonly number[] {
  const times: number[] = []
  while (times.length < SHOWN) {
    const next = nextOccurrence(schedule, times.at(-1) ?? nowMs)
    if (!Number.isFinite(next)) break
    times.push(next)
  }
  return times
}

/** `Mon 2027-02-01 09:00, Tue 2027-02-02 09:00 Europe/Zurich`, by the clock of that zone. */
export function formatTimes(times: readonly number[], timezone: string): string {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone: timezone, ...CLOCK })
  const shown = times.map((ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]))
    const part = (name: Intl.DateTimeFormatPartTypes): string => parts.get(name) ?? ""
    const seconds = part("second") === "00" ? "" : `:${part("second")}`
    const date = `${part("year")}-${part("month")}-${part("day")}`
    return `${part("weekday").slice(0, 3)} ${date} ${part("hour")}:${part("minute")}${seconds}`
  })
  return times.length === 0 ? "never again" : `${shown.join(", ")} ${timezone}`
}

const CLOCK = {
  weekday: "short",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
} as const
