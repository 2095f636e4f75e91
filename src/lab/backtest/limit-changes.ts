import type { Limits } from "#guards/limits.ts"
import { judgeQuietHours } from "#guards/quiet-hours.ts"
import type { SimulatedJournal } from "./simulated-journal.ts"

/** The time at which the next order leaves a window; `Infinity` for none. */
export function windowsChangeAt(
  { windows }: Limits,
  orders: SimulatedJournal,
  nowMs: number,
): number {
  const leaving = windows.map(({ perMs }) =>
    perMs === null ? Number.POSITIVE_INFINITY : orders.nextLeavingMs(perMs, nowMs),
  )
  return Math.min(Number.POSITIVE_INFINITY, ...leaving)
}

/** The quiet hours at this time, as text to compare. */
export function quietAt({ quietHours = [] }: Limits, nowMs: number): string {
  return judgeQuietHours(quietHours, nowMs)[0]?.message ?? ""
}
