const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

/** When a rule runs, as a person says it; a rarer form keeps its own text. */
export function saySchedule(schedule: string, timezone: string): string {
  const fields = schedule.trim().split(/\s+/)
  const [second = "0", minute = "", hour = "", day = "", month = "", weekday = ""] =
    fields.length === 6 ? fields : ["0", ...fields]
  const isDaily = day === "*" && month === "*" && weekday === "*"
  const step = (text: string): string | null => /^\*\/(\d+)$/.exec(text)?.[1] ?? null
  if (isDaily && hour === "*" && minute === "*" && step(second) !== null)
    return `runs every ${step(second)} s`
  if (second !== "0") return `runs at ${schedule} (${timezone})`
  if (isDaily && hour === "*" && step(minute) !== null) return `runs every ${step(minute)} min`
  if (isDaily && hour === "*" && isNumber(minute)) return `runs each hour at :${twoDigits(minute)}`
  const on = month !== "*" ? null : sayDay(day, weekday)
  return on === null || !isNumber(hour) || !isNumber(minute)
    ? `runs at ${schedule} (${timezone})`
    : `runs ${on} at ${twoDigits(hour)}:${twoDigits(minute)} (${timezone})`
}

function sayDay(day: string, weekday: string): string | null {
  if (day === "*" && weekday === "*") return "each day"
  if (day === "*" && isNumber(weekday)) return `each ${DAYS[Number(weekday) % 7]}`
  return weekday === "*" && isNumber(day) ? `on day ${day} of each month` : null
}

function isNumber(text: string): boolean {
  return /^\d+$/.test(text)
}

function twoDigits(text: string): string {
  return text.padStart(2, "0")
}
