import { type Asset, type AssetId, type ChainId, parseAssetId } from "#domain/asset.ts"
import type { TransactionPurpose } from "#order/data.ts"

/** The accounts of the ledger. docs/BOOKS.md describes each of them. */
export const ACCOUNTS = {
  wallet: (chain: ChainId): string => `assets:wallet:${chain}`,
  inTransit: (order: string): string => `assets:in-transit:${order}`,
  rent: (order: string): string => `${RENT_PREFIX}${order}`,
  network: (transaction: TransactionPurpose): string => `expenses:network:${transaction}`,
  networkPrefix: "expenses:network:",
  swap: "expenses:swap",
  affiliate: "expenses:affiliate",
  payout: "expenses:payout",
  exchange: "equity:exchange",
  opening: "equity:opening",
  outside: "equity:outside",
  unexplained: "equity:unexplained",
} as const

export const WALLET_PREFIX = "assets:wallet:"
export const RENT_PREFIX = "assets:rent:"

/** STRK is Starknet's native coin and a token at once (docs.starknet.io, token contracts). */
const STRK = 0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938dn

/** The coin in which a chain takes its fees: the configured asset without a token, else `<chain>:native`. */
export function nativeOf(chain: ChainId, assets: Iterable<Asset>): AssetId {
  const own = [...assets].filter((asset) => asset.chain === chain)
  const native = own.find(({ token }) => token === null) ?? own.find(({ token }) => isStrk(token))
  return native?.id ?? parseAssetId(`${chain}:native`)
}

function isStrk(token: string | null): boolean {
  return token !== null && /^0x[0-9a-fA-F]{60,64}$/.test(token) && BigInt(token) === STRK
}
