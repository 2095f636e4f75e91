import type { Clock } from "#lib/clock.ts"

/** The clock of one machine. `now` can be wrong by a skew; `sleep` uses true time, as timers do. */
export type SkewedClock = Clock & { readonly setSkew: (ms: number) => void }

export function createSkewedClock(trueClock: Clock): SkewedClock {
  let skewMs = 0
  return {
    now: () => trueClock.now() + skewMs,
    sleep: trueClock.sleep,
    setSkew: (ms) => {
      skewMs = ms
    },
  }
}
