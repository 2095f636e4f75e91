import type { ExactOut, Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"

/** The payout is exactly the asked one, and no more is sold for it than agreed. */
export function judgeExactOut(
  { units, mostUnits }: ExactOut,
  { sourceUnits, destinationUnits }: Pick<Quote, "sourceUnits" | "destinationUnits">,
): readonly Reason[] {
  if (destinationUnits !== units) {
    const expected = units.toString()
    const found = destinationUnits.toString()
    const message = "The quote pays out another amount than the exact one"
    return [{ code: "quote.not_exact", message, expected, found }]
  }
  if (mostUnits === null || sourceUnits <= mostUnits) return []
  const expected = mostUnits.toString()
  const found = sourceUnits.toString()
  const message = `The exact payout now costs ${found} units, more than the ${expected} agreed`
  return [{ code: "quote.above_most", message, expected, found }]
}
