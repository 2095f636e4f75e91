import { createHumaniser, humaniseReason } from "#daemon/human-units.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import type { Settings } from "./answers.ts"

/** The links and units that the settings in force allow. */
export type Known = {
  /** The explorer's page of a transaction on this chain, or `null`. */
  readonly linkOf: (chain: string, tx: string) => string | null
  /** The reason with its amounts in the asset's own unit. */
  readonly humane: (reason: Reason, about?: { from: string; to: string } | null) => Reason
}

export function describeKnown(settings: Settings | null): Known {
  const humanise = createHumaniser(
    settings === null
      ? null
      : {
          assets: settings.assets.map(({ id, decimals }) => ({ id: parseAssetId(id), decimals })),
          chains: settings.chains.map(({ chain, nativeCoin }) => ({
            chain: toChainId(chain),
            nativeCoin: { ...nativeCoin, token: null },
          })),
        },
  )
  return {
    linkOf: (chain, tx) => {
      const explorer = settings?.chains.find((one) => one.chain === chain)?.explorer ?? null
      const link = explorer?.tx.replace("{tx}", encodeURIComponent(tx)) ?? null
      return link?.startsWith("https://") === true ? link : null
    },
    humane: (reason, about = null) => humaniseReason(humanise, reason, about),
  }
}
