type Decided = {
  readonly rule: string
  readonly verdict: string
  readonly reasons: readonly { readonly code: string }[]
  readonly proposals: readonly { readonly from: string; readonly to: string }[]
}

/** The decisions of one rule, outcome and kinds of reasons; the newest come first. */
export function groupDecisions<One extends Decided>(
  decisions: readonly One[],
): readonly (readonly One[])[] {
  const keyOf = ({ rule, verdict, reasons, proposals }: One): string =>
    JSON.stringify([
      rule,
      verdict,
      reasons.map(({ code }) => code),
      proposals.map(({ from, to }) => [from, to]),
    ])
  return [...Map.groupBy(decisions, keyOf).values()]
}
