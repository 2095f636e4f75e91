const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

/** When a rule runs, as a person says it; a rarer form keeps its own text. */
export function saySchedule(schedule: string, timezone: string): string {
  const fields = schedule.trim().split(/\s+/)
  const all = fields.length === 6 ? fields : ["0", ...fields]
  const [second = "0", minute = "", hour = "", day = "", month = "", weekday = ""] = all
  const isDaily = [day, month, weekday].every((field) => field === "*")
  const often = isDaily && hour === "*" ? sayOften(second, minute) : null
  if (often !== null) return `runs ${often}`
  const on = month === "*" ? sayDay(day, weekday) : null
  const isOnce = second === "0" && isNumber(hour) && isNumber(minute)
  return on === null || !isOnce
    ? `runs at ${schedule} (${timezone})`
    : `runs ${on} at ${twoDigits(hour)}:${twoDigits(minute)} (${timezone})`
}

/** Within an hour of each hour. */
function sayOften(second: string, minute: string): string | null {
  if (minute === "*" && stepOf(second) !== null) return `every ${stepOf(second)} s`
  if (second !== "0") return null
  if (stepOf(minute) !== null) return `every ${stepOf(minute)} min`
  return isNumber(minute) ? `each hour at :${twoDigits(minute)}` : null
}

function sayDay(day: string, weekday: string): string | null {
  if (day === "*" && weekday === "*") return "each day"
  if (day === "*" && isNumber(weekday)) return `each ${DAYS[Number(weekday) % 7]}`
  return weekday === "*" && isNumber(day) ? `on day ${day} of each month` : null
}

function stepOf(field: string): string | null {
  return /^\*\/(\d+)$/.exec(field)?.[1] ?? null
}

function isNumber(text: string): boolean {
  return /^\d+$/.test(text)
}

function twoDigits(text: string): string {
  return text.padStart(2, "0")
}
