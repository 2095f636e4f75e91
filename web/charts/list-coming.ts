import type { Flows, Overview } from "../answers.ts"
import { nameAsset } from "../format.ts"

/**
 * Within 24 hours: a run of the schedule, the end of an order's time, or a band that money from
 * outside would leave at the pace of the last day.
 */
export type Coming = {
  readonly at: string
  readonly kind: "run" | "end" | "likely"
  readonly words: string
  /** The view that shows more of it. */
  readonly href: string
}

const DAY_MS = 86_400_000
/** The daemon lists no more runs of a rule, so such a rule runs all day. */
const MOST_RUNS = 100

/** The runs of a rule; none of one that runs all day, for a strip of 24 hours says nothing then. */
export function listRuns(
  rule: string,
  upcoming: readonly string[],
): readonly { readonly rule: string; readonly at: string }[] {
  return upcoming.length >= MOST_RUNS ? [] : upcoming.map((at) => ({ rule, at }))
}

/** The runs of these rules, and the ends of these orders and bands; earliest first. */
export function listComing(
  runs: readonly { readonly rule: string; readonly at: string }[],
  flights: Overview["orders"],
  likely: readonly Coming[] = [],
  nowMs = Date.now(),
): readonly Coming[] {
  const ends = flights.flatMap(({ id, deadline, ends: words }): Coming[] => {
    const href = `#/orders/${id}`
    if (deadline === null) return []
    return [{ at: deadline, kind: "end", words: `${id.slice(0, 8)}: ${words}`, href }]
  })
  const planned = runs.map(
    ({ rule, at }): Coming => ({
      at,
      kind: "run",
      words: `${rule} runs`,
      href: `#/decisions/${encodeURIComponent(rule)}`,
    }),
  )
  return [...planned, ...ends, ...likely]
    .filter(({ at }) => Date.parse(at) >= nowMs && Date.parse(at) <= nowMs + DAY_MS)
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

/** When each balance leaves its band if money comes and goes as in the last 24 hours. */
export function listLikely(
  treasury: Overview["treasury"],
  outside: Flows["outside"],
  nowMs: number,
): readonly Coming[] {
  return treasury.flatMap(({ asset, amount, bounds }): Coming[] => {
    const moved = outside.find((one) => one.asset === asset)
    const [bound] = bounds
    if (amount === null || moved === undefined || bound === undefined) return []
    const perDay = Number(moved.in) - Number(moved.out)
    const edge = perDay < 0 ? bound.min : bound.max
    if (perDay === 0 || edge === null) return []
    const days = (Number(edge) - Number(amount)) / perDay
    if (days < 0) return []
    const { symbol, chain } = nameAsset(asset)
    const way = perDay < 0 ? "below" : "above"
    return [
      {
        at: new Date(nowMs + days * DAY_MS).toISOString(),
        kind: "likely",
        words: `${symbol} on ${chain} ${way} its band, likely by the pace of 24 h`,
        href: `#/decisions/${encodeURIComponent(bound.rule)}`,
      },
    ]
  })
}
