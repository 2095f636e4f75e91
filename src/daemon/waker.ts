import { schedule } from "node-cron"
import type { Logger } from "#lib/log.ts"
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
