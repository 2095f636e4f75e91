import type { AssetId } from "#domain/asset.ts"
import type { DueRule } from "#policy/evaluate.ts"
import { type Need, patientSales } from "#policy/need.ts"
import { type PolicyRule, ruleKindOf } from "#policy/rules/registry.ts"
import { rankFee } from "#policy/schedule/fee-timing.ts"
import type { FeeWait, TreasuryView } from "#policy/treasury-view.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import { type Answer, type Steps, wait } from "./steps.ts"

export type FeePort = {
  /** The network fee of a sale now, and those of the last week; `null` where one is not known. */
  readonly readFees: (asset: AssetId) => Answer<KnownFees | null>
  /** When the sale that a rule wants must go; `null` for one that it did not want before. */
  readonly waitsUntilMs: (rule: string) => number | null
  readonly now: () => number
}

export type KnownFees = { readonly fee: bigint; readonly lately: readonly bigint[] }

/** `at`: of an occurrence, when it came due. */
export type TimedEntry = DueRule & { readonly at?: { readonly dueMs: number } | null }

/**
 * Adds how the network fees of the sales compare that may wait: those of due occurrences, or of
 * needs. Where a fee is not known nothing waits.
 */
export function* addFeeWaits(
  port: FeePort,
  view: TreasuryView,
  sales: readonly Sale[],
): Steps<TreasuryView> {
  const fees: FeeWait[] = []
  for (const { rule, occurrence, asset, untilMs } of sales) {
    const known = yield* wait(port.readFees(asset))
    if (known === null) continue
    const rank = rankFee({ ...known, leftMs: untilMs - port.now() })
    fees.push({ rule, occurrence, asset, untilMs, ...rank })
  }
  return fees.length === 0 ? view : { ...view, fees: [...(view.fees ?? []), ...fees] }
}

type Sale = Omit<FeeWait, "below" | "of" | "chances">

export function salesOfOccurrences(
  rules: readonly PolicyRule[],
  entries: readonly TimedEntry[],
): Sale[] {
  return entries.flatMap(({ rule: id, occurrence, at }): Sale[] => {
    const rule = rules.find((one) => one.id === id)
    const kind = rule === undefined ? null : ruleKindOf(rule)
    if (rule?.patienceMs == null || kind?.wake !== "schedule" || at == null) return []
    const untilMs = at.dueMs + rule.patienceMs
    return [{ rule: id, occurrence, asset: kind.pairOf(rule).from, untilMs }]
  })
}

export function salesOfNeeds(
  port: FeePort,
  rules: readonly PolicyRule[],
  needs: readonly Need[],
): Sale[] {
  return needs.flatMap((need): Sale[] => {
    const { rule: id } = need
    const patienceMs = rules.find((rule) => rule.id === id)?.patienceMs ?? null
    if (patienceMs === null) return []
    const untilMs = port.waitsUntilMs(id) ?? port.now() + patienceMs
    return patientSales(need).map((asset) => ({ rule: id, occurrence: null, asset, untilMs }))
  })
}

export function readWaitsUntil(journal: Pick<FlagStore, "readFlag">, rule: string): number | null {
  const stored = journal.readFlag(waitFlag(rule))
  return stored === null ? null : Number(stored)
}

export function waitFlag(rule: string): string {
  return `rule/${rule}/waits-until`
}

/** The samples of the fee of a sale of this asset. */
export function feeSeries(asset: AssetId): string {
  return `fee/${asset}`
}
