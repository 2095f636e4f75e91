import { formatUnits } from "#domain/amount.ts"
import { type AssetId, chainOf, parseAssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { type EngineContext, nativeIdOf } from "#engine/context.ts"
import { reasonOf } from "#engine/orders/observe/job.ts"
import type { Reconciler } from "#engine/watches/reconciler.ts"
import { toAppError } from "#lib/app-error.ts"
import type { Operations } from "#ops/operations.ts"
import type { ReconciliationRow } from "#ports/journal/ledger.ts"

type Decimals = ReadonlyMap<AssetId, number>

/**
 * Compares ledger and chains now. With an asset, it first books the difference that the operator
 * accepts.
 */
export async function reconcile(
  context: EngineContext,
  reconciler: Reconciler,
  accept: { readonly asset: string; readonly as: "outside" | "unexplained" } | null,
  decimals: Decimals,
): ReturnType<Operations["reconcile"]> {
  const accepted = accept === null ? null : await acceptOne(context, reconciler, accept)
  if (accepted?.ok === false) return accepted
  const rows = await reconciler.reconcile()
  return {
    ok: true,
    body: { ...accepted?.body, assets: rows.map((row) => viewReconciliation(row, decimals)) },
  }
}

/** A chain's own coin without a configured asset is shown in its smallest unit. */
export function viewReconciliation(
  row: ReconciliationRow,
  decimals: Decimals,
): ReturnType<Operations["reconciliation"]>[number] {
  const { asset, state, ledgerUnits, chainUnits } = row
  const show = (units: bigint | null): string | null =>
    units === null ? null : formatUnits(units, decimals.get(asset) ?? 0)
  const difference = ledgerUnits === null || chainUnits === null ? null : chainUnits - ledgerUnits
  return {
    asset,
    state,
    ledger: show(ledgerUnits),
    ledgerUnits: ledgerUnits?.toString() ?? null,
    chain: show(chainUnits),
    chainUnits: chainUnits?.toString() ?? null,
    difference: show(difference),
    differenceUnits: difference?.toString() ?? null,
    at: new Date(row.atMs).toISOString(),
    since: new Date(row.sinceMs).toISOString(),
  }
}

type Accepted =
  | { readonly ok: true; readonly body: { readonly accepted: AssetId; readonly units: string } }
  | { readonly ok: false; readonly reasons: readonly Reason[] }

async function acceptOne(
  context: EngineContext,
  reconciler: Reconciler,
  accept: { readonly asset: string; readonly as: "outside" | "unexplained" },
): Promise<Accepted> {
  const { settings, chains } = context
  try {
    const asset = parseAssetId(accept.asset)
    const native = nativeIdOf(context, chainOf(asset))
    if (!settings.assets.has(asset) && !(asset === native && chains.has(chainOf(asset)))) {
      return {
        ok: false,
        reasons: [{ code: "request.unknown_asset", message: `${asset} is not a configured asset` }],
      }
    }
    const answer = await reconciler.accept(asset, accept.as)
    return answer.ok
      ? { ok: true, body: { accepted: asset, units: answer.units.toString() } }
      : answer
  } catch (error) {
    const known = toAppError(error, { code: "ops.internal", disposition: "bug" })
    if (known.disposition === "bug") throw known
    return { ok: false, reasons: [reasonOf(known)] }
  }
}
