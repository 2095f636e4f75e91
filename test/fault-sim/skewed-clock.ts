import type { Clock } from "#lib/clock.ts"

/** The clock of one machine: it may be wrong, and may be set right again, while waiting goes by true time as timers do. */
export type SkewedClock = Clock & { readonly setSkew: (ms: number) => void }

export function createSkewedClock(truth: Clock): SkewedClock {
  let skewMs = 0
  return {
    now: () => truth.now() + skewMs,
    sleep: truth.sleep,
    setSkew: (ms) => {
      skewMs = ms
    },
  }
}
