import type { Clock } from "#lib/clock.ts"

/** A clock that only a test advances. Timers fire in the order of their times. */
export type ManualClock = Clock & {
  /** The time of the next timer; `null` if there is none. */
  readonly nextTimerMs: () => number | null
  /** Sets the time, also backwards, and fires all due timers. */
  readonly set: (nowMs: number) => void
}

export function createManualClock(startMs: number): ManualClock {
  let nowMs = startMs
  /** In the order in which they were set. */
  const timers = new Set<{ atMs: number; wake: () => void }>()
  return {
    now: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const timer = { atMs: nowMs + ms, wake }
        timers.add(timer)
        signal?.addEventListener("abort", wake, { once: true })
        function wake(): void {
          timers.delete(timer)
          signal?.removeEventListener("abort", wake)
          resolve()
        }
      }),
    nextTimerMs: () =>
      [...timers].reduce<number | null>(
        (min, { atMs }) => (min === null || atMs < min ? atMs : min),
        null,
      ),
    set: (atMs) => {
      nowMs = atMs
      const due = [...timers].filter(({ atMs: at }) => at <= nowMs).sort((a, b) => a.atMs - b.atMs)
      for (const { wake } of due) wake()
    },
  }
}

/** Runs all promises to their end that wait for no timer. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
