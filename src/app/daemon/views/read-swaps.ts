import type { Wallets } from "#books/entries-of.ts"
import type { Period } from "#books/period.ts"
import { readSwap, type Swap } from "#books/read-swap.ts"
import { decodeSwap } from "#books/swap-text.ts"
import type { Config } from "#config/config.ts"
import { type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import { nativeAssetId } from "#domain/native-coin.ts"
import { mustExist } from "#lib/assert.ts"
import { decodeOrder } from "#order/step.ts"
import type { Ledger, OrdersFilter, SummaryRow } from "#ports/journal/ledger.ts"
import type { OrderStore } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"

/**
 * The orders that were requested in a period, those alone that `filter` names, with the amounts of
 * the ledger; oldest first. An ended order is read from its summary alone. Reads while the caller
 * takes them, so the journal stays open until then.
 */
export function* readSwaps(
  journal: Journal | null,
  config: Config,
  period: Period,
  filter: OrdersFilter = {},
): Generator<Swap> {
  if (journal === null) return
  const nativeOf = (chain: ChainId): AssetId => nativeIdOf(config, chain)
  for (const row of journal.listSummaries(period, filter)) {
    yield readSummary(row, nativeOf) ?? readFromOrder(journal, row.id, nativeOf)
  }
}

/**
 * `null` without a summary, and when the configuration names the coin of the network fees in
 * another way now.
 */
function readSummary({ id, summary }: SummaryRow, nativeOf: Wallets["nativeOf"]): Swap | null {
  const swap = summary === null ? null : decodeSwap(id, summary)
  return swap !== null && swap.networkFee.asset === nativeOf(chainOf(swap.sent.asset)) ? swap : null
}

function readFromOrder(
  journal: Ledger & OrderStore,
  id: string,
  nativeOf: Wallets["nativeOf"],
): Swap {
  const row = mustExist(journal.findOrder(id), "the order of the row")
  return readSwap(
    decodeOrder(row.snapshot),
    row.updatedAtMs,
    journal.listEntries({ orderId: id }),
    nativeOf,
  )
}

/**
 * Decimals of the configured assets and of the native coins. An asset that the configuration no
 * longer lists is shown in smallest units.
 */
export function decimalsForBooks(config: Config): (asset: AssetId) => number {
  const natives = config.chains.map(
    (chain) => [nativeIdOf(config, chain.chain), chain.nativeCoin.decimals] as const,
  )
  const known = new Map([
    ...natives,
    ...config.assets.map(({ id, decimals }) => [id, decimals] as const),
  ])
  return (asset) => known.get(asset) ?? 0
}

function nativeIdOf(config: Config, chain: ChainId): AssetId {
  const coin = config.chains.find((candidate) => candidate.chain === chain)?.nativeCoin
  return nativeAssetId(chain, config.assets, coin ?? { token: null })
}
