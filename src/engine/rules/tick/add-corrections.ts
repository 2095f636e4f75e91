import { CORRECTIONS_MS } from "#policy/corrections.ts"
import type { Need } from "#policy/need.ts"
import type { Corrections, TreasuryView } from "#policy/treasury-view.ts"
import type { Journal } from "#ports/journal.ts"

export type CorrectionsContext = {
  readonly journal: Pick<Journal, "sumCorrections">
  readonly nowMs: number
}

/**
 * Adds what the rules of the needs had to correct in the last days. A backtest sums its own orders.
 */
export function addCorrections(
  view: TreasuryView,
  needs: readonly Need[],
  { journal, nowMs }: CorrectionsContext,
): TreasuryView {
  const corrections = needs.flatMap(({ rule, asset }): Corrections[] => {
    const sums = journal.sumCorrections({ rule, asset, sinceMs: nowMs - CORRECTIONS_MS })
    return sums.orders === 0 ? [] : [{ rule, asset, ...sums, overMs: CORRECTIONS_MS }]
  })
  return corrections.length === 0 ? view : { ...view, corrections }
}
