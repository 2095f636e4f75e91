import { type ScheduledTask, schedule } from "node-cron"
import type { Logger } from "#lib/log.ts"
import { scheduleOf, type TimedRule } from "#policy/rules/registry.ts"
import type { Schedule } from "#policy/schedule/due-occurrences.ts"

/**
 * Wakes the engine at the minutes of a rule's schedule. The journal's occurrences decide which rule
 * is due, so a missed or doubled wake-up changes nothing.
 */
export function startWaker(
  schedules: readonly Schedule[],
  wake: () => void,
  log: Logger,
): { stop: () => Promise<void> } {
  const tasks = schedules.flatMap(({ id, schedule: cron, timezone }): ScheduledTask[] => {
    log.debug({ rule: id, schedule: cron, timezone }, "Rule scheduled")
    try {
      return [schedule(cron, wake, { timezone, noOverlap: true })]
    } catch (error) {
      // node-cron does not read every form that the configuration accepts, such as `5/10`. The
      // engine's own turns find the occurrence then.
      log.debug({ rule: id, schedule: cron, err: error }, "No wake-up for this schedule")
      return []
    }
  })
  return {
    stop: async () => {
      await Promise.all(tasks.map(async (task) => task.destroy()))
    },
  }
}

/** The schedules of all enabled rules that have one; the other rules are evaluated at intervals. */
export function schedulesOf(rules: readonly TimedRule[]): readonly Schedule[] {
  return rules.filter(({ enabled }) => enabled !== false).flatMap((rule) => scheduleOf(rule) ?? [])
}
