import type { RecurringRule } from "#policy/rules/recurring.ts"

/** The recurring rules of a run: when a process could look at them, and until when they were configured. */
export type Schedule = {
  readonly rules: () => readonly RecurringRule[]
  /** Every rule that ever was. */
  readonly all: readonly RecurringRule[]
  /** All times of the clock at which a process lived. */
  readonly moments: readonly number[]
  readonly note: (atMs: number) => void
  /** The operator takes the rules out of the configuration; the next process has none. */
  readonly retire: (atMs: number) => void
  readonly retiredAtMs: () => number | null
}

export function createSchedule(all: readonly RecurringRule[]): Schedule {
  const moments: number[] = []
  let retiredAtMs: number | null = null
  return {
    rules: () => (retiredAtMs === null ? all : []),
    all,
    moments,
    note: (atMs) => void moments.push(atMs),
    retire: (atMs) => {
      retiredAtMs = atMs
    },
    retiredAtMs: () => retiredAtMs,
  }
}
