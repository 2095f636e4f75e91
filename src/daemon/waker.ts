import { schedule } from "node-cron"
import type { Logger } from "#lib/log.ts"
import type { TimedRule } from "#policy/policy-rule.ts"
import type { RecurringRule } from "#policy/rules/recurring.ts"

/**
 * Wakes the engine at the minutes of a rule's schedule. The journal's occurrences decide which rule is due, so a missed or doubled wake-up changes
 * nothing.
 */
export function startWaker(
  rules: readonly RecurringRule[],
  wake: () => void,
  log: Logger,
): { stop: () => Promise<void> } {
  const tasks = rules.map(({ id, schedule: cron, timezone }) => {
    log.debug({ rule: id, schedule: cron, timezone }, "Rule scheduled")
    return schedule(cron, wake, { timezone, noOverlap: true })
  })
  return {
    stop: async () => {
      await Promise.all(tasks.map(async (task) => task.destroy()))
    },
  }
}

/** Only recurring rules have a schedule; other rules are evaluated at intervals. */
export function isScheduled(rule: TimedRule): rule is TimedRule & RecurringRule {
  return rule.kind === "recurring" && rule.enabled !== false
}
