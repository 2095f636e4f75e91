import { CronExpressionParser } from "cron-parser"

/**
 * The reason why a text is no schedule, or `null` for a schedule that fires.
 *
 * `cron-parser` fills in missing fields, and it reads `H` as a random time that differs after each
 * restart. The form is therefore checked first. Any start instant can show whether the schedule
 * ever fires.
 */
export function findScheduleProblem(schedule: string): string | null {
  const fields = schedule.trim().split(/\s+/)
  const wellFormed = /^@[a-z]+$/.test(schedule) || fields.length === 5 || fields.length === 6
  if (!wellFormed || /\bH\b/.test(schedule)) return "five fields, or six with seconds first"
  try {
    CronExpressionParser.parse(schedule, { tz: "UTC", currentDate: new Date(0) }).next()
    return null
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 120) : "not readable"
    // The parser knows the longest month of each.
    return /explicit day of month/.test(why) ? "that day never comes in these months" : why
  }
}
