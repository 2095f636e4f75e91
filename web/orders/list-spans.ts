import { formatSpan } from "#health/format-span.ts"
import type { OrderAnswer } from "../answers.ts"

/** A part of an order's way, in ms since its request. `took` is `null` before its end. */
export type Span = {
  readonly name: string
  readonly startMs: number
  readonly tookMs: number | null
  /** So far, of the part under way. */
  readonly runsMs: number | null
  readonly usualMs: number
}

/** The parts beside their usual time; one that has not begun follows the usual ones before it. */
export function listSpans(order: OrderAnswer, nowMs: number): readonly Span[] {
  const { usual, seen, createdAt, outcome, updatedAt } = order
  if (usual === null || (outcome !== null && outcome !== "completed")) return []
  const since = (at: string | null | undefined): number | null =>
    at == null ? null : Date.parse(at) - Date.parse(createdAt)
  const parts = [
    ["To the deposit", since(seen["sourceInitiated"]?.at), usual.depositMs],
    ["To the payout", since(seen["destinationRedeemed"]?.at), usual.payoutMs],
    ["To the end", outcome === null ? null : since(updatedAt), usual.endMs],
  ] as const
  const soFarMs = nowMs - Date.parse(createdAt)
  let startMs = 0
  let isOpen = false
  return parts.map(([name, endMs, usualMs]): Span => {
    const begins = startMs
    const isNow = endMs === null && !isOpen
    const runsMs = isNow ? Math.max(0, soFarMs - begins) : null
    isOpen ||= endMs === null
    startMs = endMs ?? begins + Math.max(usualMs, runsMs ?? 0)
    return {
      name,
      startMs: begins,
      tookMs: endMs === null ? null : endMs - begins,
      runsMs,
      usualMs,
    }
  })
}

/** Short times have a tenth: `2.6 s`, `4 min`. */
export function sayTook(ms: number): string {
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : formatSpan(ms)
}
