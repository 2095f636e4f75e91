import { familyOf } from "#chains/families.ts"
import type { Config } from "#config/config.ts"
import { chainOf } from "#domain/asset.ts"
import type { TxidFormOf } from "#order/view.ts"

/** How the chain of an asset writes transaction ids; `null` for a chain that is not configured. */
export function txidFormsOf({ chains }: Pick<Config, "chains">): TxidFormOf {
  const forms = new Map(chains.map((chain) => [chain.chain, familyOf(chain).traits.txidForm]))
  return (asset) => forms.get(chainOf(asset)) ?? null
}
