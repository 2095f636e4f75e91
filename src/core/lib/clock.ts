/** Wall-clock time and waiting, as an argument. The only production clock is `systemClock`. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms`, or immediately when `signal` fires. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /**
   * Resolves in the next turn of the event loop: timers and finished reads come first. A simulated
   * clock needs none.
   */
  turn?(): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const timer = setTimeout(finish, ms)
      signal?.addEventListener("abort", finish, { once: true })
      function finish(): void {
        clearTimeout(timer)
        signal?.removeEventListener("abort", finish)
        resolve()
      }
    }),
  turn: () => new Promise((resolve) => setImmediate(resolve)),
}
