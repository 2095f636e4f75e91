import { scheduleOf } from "#policy/rules/registry.ts"
import { type ConfigFinding, findingOf, type Judged } from "./finding.ts"

/** Schedules on more days than they seem: with both day fields limited, cron takes either. */
export function judgeTimes({ config: { rules } }: Judged): ConfigFinding[] {
  return rules.flatMap((rule, index): ConfigFinding[] => {
    const fields = scheduleOf(rule)?.schedule.trim().split(/\s+/) ?? []
    const day = fields.at(-3)
    const weekday = fields.at(-1)
    if (day === undefined || weekday === undefined || !rule.enabled) return []
    if ([day, weekday].some((field) => field === "*" || field === "?")) return []
    const message =
      `rule ${rule.id} runs on each day of the month in "${day}" and also on each weekday in ` +
      `"${weekday}", not only on days that are both`
    const todo = 'write * for one of them; "0 9 * * MON#1" is the first Monday of the month'
    const path = ["rules", index, "schedule"]
    return [findingOf("eitherDay", { path, subjects: [rule.id], message, todo })]
  })
}
