import type { Wallets } from "#books/entries-of.ts"
import type { Period } from "#books/period.ts"
import { readSwap, type Swap } from "#books/read-swap.ts"
import { familyOf } from "#chains/families.ts"
import type { Config } from "#config/config.ts"
import type { AssetId, ChainId } from "#domain/asset.ts"
import type { ChainTraits } from "#domain/chain-traits.ts"
import type { BookedEntry } from "#domain/ledger.ts"
import { nativeAssetId } from "#domain/native-coin.ts"
import type { Journal } from "#journal/port.ts"
import { decodeOrder } from "#order/step.ts"

/** The orders that were requested in a period, with the amounts of the ledger; oldest first. */
export function readSwaps(journal: Journal | null, config: Config, { fromMs, untilMs }: Period): readonly Swap[] {
  if (journal === null) return []
  const byOrder = new Map<string, BookedEntry[]>()
  for (const entry of journal.listEntries({})) {
    if (entry.orderId === null) continue
    const known = byOrder.get(entry.orderId)
    if (known) known.push(entry)
    else byOrder.set(entry.orderId, [entry])
  }
  const wallets: Wallets = {
    assets: config.assets,
    nativeOf: (chain) => nativeIdOf(config, chain),
    takesRefundFeeFromAmount: (chain) => traitsOf(config, chain)?.refundFeeTakenFromAmount === true,
    isOurs: () => true,
  }
  return journal
    .listOrders({})
    .filter(({ createdAtMs }) => createdAtMs >= fromMs && createdAtMs < untilMs)
    .map((row) => {
      const swap = readSwap(decodeOrder(row.snapshot), row.updatedAtMs, byOrder.get(row.id) ?? [], wallets)
      // An order of an earlier version belongs to the first service. An order that gave its quote up belongs to none.
      const isUnnamed = row.service === "" && swap.service === null && swap.quoted !== null
      return isUnnamed ? { ...swap, service: config.service.name } : swap
    })
    .toReversed()
}

/** Decimals of the configured assets and of the native coins. An asset that the configuration no longer lists is shown in smallest units. */
export function decimalsForBooks(config: Config): (asset: AssetId) => number {
  const natives = config.chains.map((chain) => [nativeIdOf(config, chain.chain), chain.nativeCoin.decimals] as const)
  const known = new Map([...natives, ...config.assets.map(({ id, decimals }) => [id, decimals] as const)])
  return (asset) => known.get(asset) ?? 0
}

function nativeIdOf(config: Config, chain: ChainId): AssetId {
  const coin = config.chains.find((candidate) => candidate.chain === chain)?.nativeCoin
  return nativeAssetId(chain, config.assets, coin ?? { token: null })
}

function traitsOf({ chains }: Config, name: ChainId): ChainTraits | null {
  const chain = chains.find((candidate) => candidate.chain === name)
  return chain === undefined ? null : familyOf(chain).traits
}
