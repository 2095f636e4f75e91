import { judgeQuietHours, type QuietHours } from "#guards/quiet-hours.ts"
import type { Property, PropertyForm } from "../property.ts"
import { WordProblem } from "../read-words.ts"
import { defineForm } from "./define-form.ts"

const TIME = String.raw`\d\d?:\d\d`
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6]

/** Properties about times of day and days of the week. */
export const timeForms: readonly PropertyForm[] = [
  defineForm({
    form: "no orders between TIME and TIME [ZONE]",
    example: "no orders between 22:00 and 06:00 Europe/Zurich",
    means: "No order begins in this time of day. Without a zone the times are UTC.",
    pattern: `no orders between (?<from>${TIME}) and (?<to>${TIME})(?: (?<zone>[\\w+/-]+))?`,
    build: (word) => {
      const fromMinute = readMinute(word("from"))
      const toMinute = readMinute(word("to"))
      const hours = { fromMinute, toMinute, timezone: readZone(word("zone")), days: EVERY_DAY }
      return quiet(hours, `no order between ${word("from")} and ${word("to")} ${hours.timezone}`, 2)
    },
  }),
  defineForm({
    form: "no orders on DAYS [ZONE]",
    example: "no orders on sat and sun",
    means: "No order begins on these days. Without a zone the days are those of UTC.",
    pattern:
      `no orders on (?<days>(?:${DAYS.join("|")})(?:(?:,| and|, and) ` +
      `(?:${DAYS.join("|")}))*)(?: (?<zone>[\\w+/-]+))?`,
    build: (word) => {
      const names = word("days").split(/, and |, | and /)
      const days = DAYS.flatMap((day, index) => (names.includes(day) ? [index] : []))
      const hours = { fromMinute: 0, toMinute: 1_440, timezone: readZone(word("zone")), days }
      return quiet(hours, `no order on ${word("days")} ${hours.timezone}`, 8)
    },
  }),
]

function quiet(hours: QuietHours, expected: string, days: number): Omit<Property, "text"> {
  return {
    worlds: { kind: "any" },
    days,
    judge: ({ orders }) => {
      const order = orders.find(({ atMs }) => judgeQuietHours([hours], atMs).length > 0)
      if (order === undefined) return null
      const at = new Date(order.atMs).toISOString().slice(0, 16)
      return {
        atMs: order.atMs,
        expected,
        found: `an order of ${order.rules.join(" and ")} at ${at}Z`,
      }
    },
  }
}

function readMinute(word: string): number {
  const [hour = 0, minute = 0] = word.split(":").map(Number)
  if (hour < 24 && minute < 60) return hour * 60 + minute
  throw new WordProblem(`${word} is not a time of day such as 22:00`)
}

function readZone(word: string): string {
  const timezone = word === "" ? "UTC" : word
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: timezone })
    return timezone
  } catch {
    // Intl throws a RangeError without a code for an unknown zone.
    throw new WordProblem(`${word} is not a time zone such as Europe/Zurich`)
  }
}
