import type { AssetId } from "#domain/asset.ts"
import type { LedgerView } from "#guards/limits.ts"
import type { EngineContext } from "./context.ts"

const RULE_COOLDOWN_MS = 60_000

/** What is under way and what was done, counted now. Synchronous, so that nothing can slip between counting and writing. */
export function readLedger(
  context: EngineContext,
  query: {
    readonly from: AssetId
    readonly to: AssetId
    readonly exceptOrder: string | null
    readonly manual: boolean
  },
): LedgerView {
  const { journal, settings, clock } = context
  const nowMs = clock.now()
  const own = query.exceptOrder === null ? null : journal.findOrder(query.exceptOrder)
  const windows = settings.limits.windows.map(({ perMs }) => {
    const sinceMs = perMs === null ? 0 : nowMs - perMs
    const sum = journal.sumWindow(sinceMs, query.from)
    if (own === null || own.createdAtMs <= sinceMs) return sum
    return {
      units: sum.units - own.sourceUnits,
      fiat: sum.fiat - (own.sourceFiat ?? 0n),
      feesFiat: sum.feesFiat - (own.feeFiat ?? 0n),
      count: sum.count - 1,
    }
  })
  const cooldownMs = settings.cooldownMs ?? (query.manual ? 0 : RULE_COOLDOWN_MS)
  const failedMs = journal.lastFailureMs(query.from, query.to)
  return {
    inFlight: journal.countInFlight() - (own === null ? 0 : 1),
    cooldownUntilMs: failedMs === null ? null : failedMs + cooldownMs,
    windows,
  }
}
