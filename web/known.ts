import { createHumaniser, humaniseReason } from "#daemon/views/human-units.ts"
import { formatUnits } from "#domain/amount.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import { isSameAddress } from "#domain/is-same-address.ts"
import type { Reason } from "#domain/reason.ts"
import type { Settings } from "./answers.ts"
import { clockTime, nameAsset, nameChain } from "./format.ts"

/** The links and units that the settings in force allow. */
export type Known = {
  /** The chains, in the order of the configuration. */
  readonly chains: readonly string[]
  /** The explorer's page of a transaction on this chain, or `null`. */
  readonly linkOf: (chain: string, tx: string) => string | null
  /** The reason with its amounts in the asset's own unit. */
  readonly humane: (reason: Reason, about?: { from: string; to: string } | null) => Reason
  /** An amount in the asset's own unit; `null` for an asset that the settings no longer have. */
  readonly amountOf: (units: bigint | string, asset: string) => string | null
  /** The name of an address in the configuration's address book. */
  readonly payeeOf: (address: string) => string | null
  /** A sentence with names instead of ids of assets and chains, and with times of this place. */
  readonly speak: (text: string) => string
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
  const assets = new Set(settings?.assets.map(({ id }) => id))
  const chains = new Set(settings?.chains.map(({ chain }) => chain))
  return {
    chains: [...chains],
    linkOf: (chain, tx) => {
      const explorer = settings?.chains.find((one) => one.chain === chain)?.explorer ?? null
      const link = explorer?.tx.replace("{tx}", encodeURIComponent(tx)) ?? null
      return link?.startsWith("https://") === true ? link : null
    },
    amountOf: (units, asset) => {
      const decimals = settings?.assets.find(({ id }) => id === asset)?.decimals
      return decimals === undefined ? null : formatUnits(BigInt(units), decimals)
    },
    payeeOf: (address) =>
      settings?.payees.find((one) => isSameAddress(one.address, address))?.name ?? null,
    humane: (reason, about = null) => humaniseReason(humanise, reason, about),
    speak: (text) =>
      text
        .replace(ASSET, (id: string) => (assets.has(id) ? sayAsset(id) : id))
        .replace(CHAIN, (id: string) => (chains.has(id) ? nameChain(id) : id))
        .replace(CODE, "")
        .replace(ALARM, "by alarm$1")
        .replace(INSTANT, (at: string) => clockTime(at)),
  }
}

const ASSET = /\b[a-z0-9_]+:[a-z0-9._-]*[a-z0-9]/g
const CHAIN = /\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g
/** A code at the end of a sentence is for programs; the sentence says the same. */
const CODE = / \[[a-z_]+(?:\.[a-z_]+)+\]/g
/** The alarm stands beside the sentence, in words. */
const ALARM = /\bby alarm \([a-z_]+(?:\.[a-z_]+)+( of order [0-9a-f]+)?\)/g
const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z/g

function sayAsset(id: string): string {
  const { symbol, chain } = nameAsset(id)
  return `${symbol} on ${chain}`
}
