import type { Clock } from "#lib/clock.ts"

/** A clock that stands still until a test moves it. Sleepers wake in the order of their times. */
export type ManualClock = Clock & {
  /** When the next sleeper wakes; `null` when nobody sleeps. */
  readonly nextTimerMs: () => number | null
  /** Goes to this instant, also backwards, and wakes everybody whose time has come. */
  readonly set: (nowMs: number) => void
}

export function createManualClock(startMs: number): ManualClock {
  let nowMs = startMs
  let timers: { atMs: number; wake: () => void }[] = []
  return {
    now: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const timer = { atMs: nowMs + ms, wake }
        timers.push(timer)
        signal?.addEventListener("abort", wake, { once: true })
        function wake(): void {
          timers = timers.filter((other) => other !== timer)
          signal?.removeEventListener("abort", wake)
          resolve()
        }
      }),
    nextTimerMs: () => timers.reduce<number | null>((min, { atMs }) => (min === null || atMs < min ? atMs : min), null),
    set: (atMs) => {
      nowMs = atMs
      const due = timers.filter((timer) => timer.atMs <= nowMs).sort((a, b) => a.atMs - b.atMs)
      for (const { wake } of due) wake()
    },
  }
}

/** Lets everything that waits for nothing but other promises run to its end. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
