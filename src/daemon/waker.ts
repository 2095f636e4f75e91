import { schedule } from "node-cron"
import type { Logger } from "#lib/log.ts"
import type { TimedRule } from "#policy/policy-rule.ts"
import type { RecurringRule } from "#policy/rules/recurring.ts"

/**
 * Wakes the engine at the minute a rule asks for. Only a waker: what is due is decided from the journal's occurrence ledger, so a missed or
 * doubled wake-up changes nothing.
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

/** Only these have a schedule; the others are looked at again and again. */
export function isScheduled(rule: TimedRule): rule is TimedRule & RecurringRule {
  return rule.kind === "recurring" && rule.enabled !== false
}
