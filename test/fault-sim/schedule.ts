import type { Journal } from "#journal/port.ts"
import type { RecurringRule } from "#policy/rules/recurring/recurring-rule.ts"
import { expandCron } from "./plain-cron.ts"
import type { StandingTimedRule } from "./treasury.ts"

/** The rules of a run: when a process could look at them, and until when they were configured. */
export type Schedule = {
  readonly rules: () => readonly RecurringRule[]
  readonly standing: () => readonly StandingTimedRule[]
  /** Every recurring rule that ever was. */
  readonly all: readonly RecurringRule[]
  readonly moments: readonly Moment[]
  readonly startLife: (atMs: number) => void
  readonly note: (atMs: number) => void
  /** The operator takes the rules out of the configuration; the next process has none. */
  readonly retire: (atMs: number) => void
  /** What became due up to then is to be settled before the rules are taken away. */
  readonly beginPeace: (atMs: number) => void
  readonly peaceAtMs: () => number
  readonly isCaughtUp: (journal: Journal) => boolean
}

/** A time of the clock at which a process lived, and which of its lives that was. */
export type Moment = { readonly atMs: number; readonly life: number }

export function createSchedule(all: readonly RecurringRule[], standing: readonly StandingTimedRule[]): Schedule {
  const moments: Moment[] = []
  let life = 0
  let retiredAtMs: number | null = null
  let peaceAtMs = Number.NEGATIVE_INFINITY
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
    beginPeace: (atMs) => {
      peaceAtMs = atMs
    },
    peaceAtMs: () => peaceAtMs,
    isCaughtUp: (journal) =>
      all.every((rule) => {
        const settledMs = journal.readFlag(`rule/${rule.id}/settled-until`)
        return settledMs !== null && expandCron(rule, Number(settledMs), peaceAtMs).length === 0
      }),
  }
}
