import type { Period } from "./period.ts"

/** What one look of a rule found: its balance or shares within their bounds, outside, or not to be known. Times in ms. */
export type Look = {
  readonly rule: string
  readonly found: "inside" | "outside" | "unknown"
  readonly fromMs: number
  /** When it last found the same. */
  readonly lastMs: number
  /** By when what it found holds no longer than that, for want of another look. */
  readonly holdsUntilMs: number
  /** When the last of its orders arrived or ended otherwise; `null` where it has none. */
  readonly arrivedMs: number | null
}

export type OutOfBand = {
  readonly rule: string
  readonly outOfBandMs: number
  /** For how much of the period anything is known: not while the daemon was down, or balances could not be read. */
  readonly knownMs: number
}

/**
 * How long each rule's balances were outside their bounds, as its looks found them. What is under way counts as arrived for a rule; here it
 * does not: a balance that an order is to mend is outside until that order has arrived.
 */
export function sumOutOfBand(looks: readonly Look[], period: Period): readonly OutOfBand[] {
  const rules = [...new Set(looks.map(({ rule }) => rule))].sort()
  return rules.map((rule) => {
    const own = looks.filter((look) => look.rule === rule).toSorted((a, b) => a.fromMs - b.fromMs)
    const outside: Span[] = []
    const known: Span[] = []
    own.forEach((look, index) => {
      const nextMs = own[index + 1]?.fromMs ?? look.lastMs
      const span = { fromMs: look.fromMs, untilMs: Math.max(look.lastMs, Math.min(nextMs, look.holdsUntilMs)) }
      if (look.found !== "unknown") known.push(span)
      if (look.found === "outside") outside.push(span)
      if (look.arrivedMs !== null) outside.push({ fromMs: look.fromMs, untilMs: look.arrivedMs })
    })
    return { rule, outOfBandMs: lengthOf(outside, period), knownMs: lengthOf([...known, ...outside], period) }
  })
}

type Span = { readonly fromMs: number; readonly untilMs: number }

/** Of the union, within the period. */
function lengthOf(spans: readonly Span[], { fromMs, untilMs }: Period): number {
  let [total, reachedMs] = [0, fromMs]
  for (const span of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const start = Math.max(span.fromMs, reachedMs)
    const end = Math.min(span.untilMs, untilMs)
    if (end > start) total += end - start
    reachedMs = Math.max(reachedMs, end)
  }
  return total
}
