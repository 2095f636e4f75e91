import type { AppError } from "#lib/app-error.ts"

/** Work that touches the same places may always do this much at once. */
const LEAST_SLOTS = 16
/** And never more, so that one crowd bounds its memory and its open requests. */
const MOST_SLOTS = 256
/** Places that need longer than this for a piece of work have enough of it. */
const SLOW_MS = 1_000

/**
 * How much work may run at once, by the places that it touches (`slotKeyOf`).
 *
 * Each prompt answer adds one slot. A slow answer takes one away: the place, or the pace that its
 * configuration allows, is then the bound, and more work at once would only wait longer. A failure
 * of the place halves the slots. A place that never answers keeps what it has. Kept in memory only:
 * a restart begins with the fewest slots.
 */
export type Slots = {
  readonly count: (key: string) => number
  /** Work has ended. `error`: what it failed with. */
  readonly ended: (key: string, tookMs: number, error: AppError | null) => void
}

export function createSlots(): Slots {
  const counts = new Map<string, number>()
  const count = (key: string): number => counts.get(key) ?? LEAST_SLOTS
  return {
    count,
    ended: (key, tookMs, error) =>
      counts.set(key, nextSlots(count(key), tookMs, error !== null && isOverload(error))),
  }
}

function nextSlots(slots: number, tookMs: number, failed: boolean): number {
  const next = failed ? Math.floor(slots / 2) : tookMs > SLOW_MS ? slots - 1 : slots + 1
  return Math.min(MOST_SLOTS, Math.max(LEAST_SLOTS, next))
}

/**
 * Limits of a service or node, timeouts and lost connections. A taken resource of our own journal
 * says nothing about a place.
 */
function isOverload({ code, disposition }: AppError): boolean {
  return (
    (disposition === "transient" || disposition === "uncertain") && !code.startsWith("journal.")
  )
}
