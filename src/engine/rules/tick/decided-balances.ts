import type { AssetId } from "#domain/asset.ts"
import { decodeJson } from "#lib/json.ts"
import type { Journal } from "#ports/journal.ts"
import type { DecisionInputs } from "./decision.ts"

const MOST_READ = 5

type DecidedBalance = { readonly units: bigint; readonly atMs: number }

/**
 * The spendable balance of the asset that the rule's newest decision from balances read; `null`
 * without one, or if that read failed.
 */
export function readDecidedBalance(
  journal: Pick<Journal, "listDecisions" | "findInputs">,
  rule: string,
  asset: AssetId,
): DecidedBalance | null {
  const row = journal
    .listDecisions({ rule, limit: MOST_READ })
    .find(({ inputs }) => inputs !== null)
  const text = row?.inputs == null ? null : journal.findInputs(row.inputs)
  if (row === undefined || text === null) return null
  // CAST: written by the tick from DecisionInputs.
  const { view } = decodeJson(text) as DecisionInputs
  const balance = view.assets.find(({ id }) => id === asset)?.balance
  return balance?.readable === true ? { units: balance.spendableUnits, atMs: row.atMs } : null
}
