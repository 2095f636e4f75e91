import type { RecurringRule } from "#policy/rules/recurring.ts"

/** The recurring rules of a run: when a process could look at them, and until when they were configured. */
export type Schedule = {
  readonly rules: () => readonly RecurringRule[]
  /** Every rule that ever was. */
  readonly all: readonly RecurringRule[]
  readonly moments: readonly Moment[]
  readonly startLife: (atMs: number) => void
  readonly note: (atMs: number) => void
  /** The operator takes the rules out of the configuration; the next process has none. */
  readonly retire: (atMs: number) => void
  readonly retiredAtMs: () => number | null
}

/** A time of the clock at which a process lived, and which of its lives that was. */
export type Moment = { readonly atMs: number; readonly life: number }

export function createSchedule(all: readonly RecurringRule[]): Schedule {
  const moments: Moment[] = []
  let life = 0
  let retiredAtMs: number | null = null
  return {
    rules: () => (retiredAtMs === null ? all : []),
    all,
    moments,
    startLife: (atMs) => void moments.push({ atMs, life: ++life }),
    note: (atMs) => void moments.push({ atMs, life }),
    retire: (atMs) => {
      retiredAtMs = atMs
    },
    retiredAtMs: () => retiredAtMs,
  }
}
