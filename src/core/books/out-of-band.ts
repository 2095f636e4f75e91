import type { Period } from "./period.ts"

/**
 * One observation of a rule: its balance or shares were inside their bounds, outside, or
 * unreadable. Times in ms.
 */
export type RuleObservation = {
  readonly rule: string
  readonly found: "inside" | "outside" | "unknown"
  readonly fromMs: number
  /** The last time of the same finding. */
  readonly lastMs: number
  /** Without a later observation the finding counts until this time. */
  readonly holdsUntilMs: number
  /** The time at which the last of its orders arrived or ended otherwise; `null` without orders. */
  readonly arrivedMs: number | null
}

type OutOfBand = {
  readonly rule: string
  readonly outOfBandMs: number
  /**
   * The part of the period with a known state. The state is unknown while the daemon is down or
   * balances are unreadable.
   */
  readonly knownMs: number
}

/**
 * Sums the time in which each rule's balances were outside their bounds. A rule counts orders in
 * flight as arrived. This sum does not: a balance stays outside until the order that corrects it
 * has arrived.
 */
export function sumOutOfBand(
  observations: readonly RuleObservation[],
  period: Period,
): readonly OutOfBand[] {
  const rules = [...new Set(observations.map(({ rule }) => rule))].sort()
  return rules.map((rule) => {
    const own = observations
      .filter((one) => one.rule === rule)
      .toSorted((a, b) => a.fromMs - b.fromMs)
    const outside: Span[] = []
    const known: Span[] = []
    own.forEach(({ found, fromMs, lastMs, holdsUntilMs, arrivedMs }, index) => {
      const nextMs = own[index + 1]?.fromMs ?? lastMs
      const span = { fromMs, untilMs: Math.max(lastMs, Math.min(nextMs, holdsUntilMs)) }
      if (found !== "unknown") known.push(span)
      if (found === "outside") outside.push(span)
      if (arrivedMs !== null) outside.push({ fromMs, untilMs: arrivedMs })
    })
    return {
      rule,
      outOfBandMs: lengthOf(outside, period),
      knownMs: lengthOf([...known, ...outside], period),
    }
  })
}

type Span = { readonly fromMs: number; readonly untilMs: number }

/** The length of the union of the spans, within the period. */
function lengthOf(spans: readonly Span[], { fromMs, untilMs }: Period): number {
  let total = 0
  let reachedMs = fromMs
  for (const span of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const start = Math.max(span.fromMs, reachedMs)
    const end = Math.min(span.untilMs, untilMs)
    if (end > start) total += end - start
    reachedMs = Math.max(reachedMs, end)
  }
  return total
}
