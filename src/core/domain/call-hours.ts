/** The calls to a node or a service in one hour. `fault`: the last failure in words. */
export type CallHour = {
  readonly atMs: number
  readonly answered: number
  readonly failed: number
  readonly fault: string | null
}

const HOUR_MS = 60 * 60_000

/** Without what is older than a day. */
export function keepDay(hours: readonly CallHour[], nowMs: number): readonly CallHour[] {
  return hours.filter(({ atMs }) => atMs > nowMs - 24 * HOUR_MS)
}

/** Counts a call in its hour; `fault` is `null` for an answer. */
export function addCall(
  hours: readonly CallHour[],
  nowMs: number,
  fault: string | null,
): readonly CallHour[] {
  const atMs = nowMs - (nowMs % HOUR_MS)
  const known = hours.find((hour) => hour.atMs === atMs)
  const { answered, failed, fault: last } = known ?? { answered: 0, failed: 0, fault: null }
  const now =
    fault === null
      ? { atMs, answered: answered + 1, failed, fault: last }
      : { atMs, answered, failed: failed + 1, fault }
  return [...keepDay(hours, nowMs).filter((hour) => hour !== known), now]
}
