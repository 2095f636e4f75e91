import type { RecurringRule } from "#policy/rules/recurring/recurring-rule.ts"
import type { Journal } from "#ports/journal.ts"
import { expandCron } from "./plain-cron.ts"
import type { StandingTimedRule } from "./treasury.ts"

/**
 * The rules of a run, the times at which a process could evaluate them, and the time until which
 * they were configured.
 */
export type Schedule = {
  readonly rules: () => readonly RecurringRule[]
  readonly standing: () => readonly StandingTimedRule[]
  /** Every recurring rule of the run, also after `retire`. */
  readonly all: readonly RecurringRule[]
  readonly moments: readonly Moment[]
  readonly startLife: (atMs: number) => void
  readonly note: (atMs: number) => void
  /** The operator takes the rules out of the configuration; the next process has none. */
  readonly retire: (atMs: number) => void
  /** Occurrences due before this time are settled before the rules are removed. */
  readonly beginQuietTime: (atMs: number) => void
  readonly quietSinceMs: () => number
  readonly isCaughtUp: (journal: Journal) => boolean
}

/** A clock time at which a process was alive, and the number of that process. */
export type Moment = { readonly atMs: number; readonly life: number }

export function createSchedule(
  all: readonly RecurringRule[],
  standing: readonly StandingTimedRule[],
): Schedule {
  const moments: Moment[] = []
  let life = 0
  let retiredAtMs: number | null = null
  let quietSinceMs = Number.NEGATIVE_INFINITY
  return {
    rules: () => (retiredAtMs === null ? all : []),
    standing: () => (retiredAtMs === null ? standing : []),
    all,
    moments,
    startLife: (atMs) => void moments.push({ atMs, life: ++life }),
    note: (atMs) => void moments.push({ atMs, life }),
    retire: (atMs) => {
      retiredAtMs = atMs
    },
    beginQuietTime: (atMs) => {
      quietSinceMs = atMs
    },
    quietSinceMs: () => quietSinceMs,
    isCaughtUp: (journal) =>
      all.every((rule) => {
        const settledMs = journal.readFlag(`rule/${rule.id}/settled-until`)
        return settledMs !== null && expandCron(rule, Number(settledMs), quietSinceMs).length === 0
      }),
  }
}
