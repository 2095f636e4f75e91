import type { ChainId } from "#domain/asset.ts"
import type { TransactionPurpose } from "#order/data.ts"

/** The accounts of the ledger. docs/BOOKS.md describes each of them. */
export const ACCOUNTS = {
  wallet: (chain: ChainId): string => `assets:wallet:${chain}`,
  inTransit: (order: string): string => `${IN_TRANSIT_PREFIX}${order}`,
  rent: (order: string): string => `${RENT_PREFIX}${order}`,
  network: (transaction: TransactionPurpose): string => `expenses:network:${transaction}`,
  networkPrefix: "expenses:network:",
  tokenAccount: "expenses:token-account",
  swap: "expenses:swap",
  affiliate: "expenses:affiliate",
  payout: "expenses:payout",
  exchange: "equity:exchange",
  opening: "equity:opening",
  outside: "equity:outside",
  unexplained: "equity:unexplained",
} as const

export const WALLET_PREFIX = "assets:wallet:"
export const IN_TRANSIT_PREFIX = "assets:in-transit:"
export const RENT_PREFIX = "assets:rent:"
