import type { ChainId, Family } from "#domain/asset.ts"
import type { ChainTraits } from "#domain/chain-traits.ts"

/** One chain and the account on it that signs and pays. Nothing here asks a node. */
export interface HotWallet {
  readonly chain: ChainId
  readonly family: Family
  /** How the family behaves, as far as the engine depends on it. */
  readonly traits: ChainTraits
  /**
   * The hot wallet's address: `owner` on the wire. One lane plans this wallet's transactions one by
   * one.
   */
  readonly account: string
  /** Its key is elsewhere: balances are read and it may be paid, and it pays nothing. */
  readonly isWatchOnly?: true
  /** The public half of its key, for a watch-only wallet; absent where `account` is that. */
  readonly publicKey?: string
  /**
   * Extra fields for the create body's `source` (Bitcoin: `delegate`, our own x-only key, so that
   * the refund leaf is ours).
   */
  readonly sourceExtras: Readonly<Record<string, string>>
  /**
   * Extra fields for the create body's `destination` when we choose the secret (Bitcoin:
   * `delegate`, our own x-only key, so that the redeem leaf is ours).
   */
  readonly destinationExtras: Readonly<Record<string, string>>
  /** Is this text a receiving address on this chain and network? */
  isAddress(text: string): boolean
  sameAddress(a: string, b: string): boolean
}
