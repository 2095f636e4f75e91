import { familyOf } from "#chains/families.ts"
import type { Config } from "#config/config.ts"
import { type AssetId, chainOf } from "#domain/asset.ts"
import type { TxidForm } from "#domain/reported-txids.ts"

/** How the chain of an asset writes transaction ids; `null` for a chain that is not configured. */
export function txidFormsOf({ chains }: Pick<Config, "chains">): (asset: AssetId) => TxidForm | null {
  const forms = new Map(chains.map((chain) => [chain.chain, familyOf(chain).traits.txidForm]))
  return (asset) => forms.get(chainOf(asset)) ?? null
}
