import { base58 } from "@scure/base"
import { PublicKey } from "@solana/web3.js"
import type { Asset, ChainId } from "#domain/asset.ts"
import { URGENT_FEE_FACTOR } from "#domain/redeem-fee-cap.ts"
import { readBase58 } from "./keys/read-base58.ts"
import type { RouteKey } from "./routes/route-key.ts"

/**
 * The account and the assets of this chain: the configuration that decoding, building and signing
 * share.
 */
export type Wallet = {
  readonly chain: ChainId
  readonly account: string
  /**
   * The account that redemptions and refunds pay, where a watchtower only pays the fee. Absent:
   * `account`.
   */
  readonly payee?: string
  /** All assets of this chain. */
  readonly assets: readonly Asset[]
  /** The highest price that we pay per compute unit. */
  readonly maxPriorityFeeMicroLamports: bigint
  /** Where no node has an estimate; absent for `USUAL_PRICE` (`draft.ts`). */
  readonly usualPriorityFeeMicroLamports?: bigint
  /** The route kinds beside HTLCs that the key may use; absent: none. */
  readonly routes?: readonly RouteKey[]
}

/** The cap of a redemption without a known worth. */
export function withUrgentCap(wallet: Wallet): Wallet {
  return {
    ...wallet,
    maxPriorityFeeMicroLamports: wallet.maxPriorityFeeMicroLamports * URGENT_FEE_FACTOR,
  }
}

/**
 * The part of a paid amount of the native coin that reaches the account which also pays the fee.
 */
export function ownGain(wallet: Wallet, units: bigint): bigint {
  return wallet.account === payeeOf(wallet) ? units : 0n
}

export function payeeOf({ account, payee }: Wallet): string {
  return payee ?? account
}

/** Whether the text is 32 bytes in canonical base 58. */
export function isSolanaAddress(text: string): boolean {
  const bytes = text.length <= 44 ? readBase58(text) : null
  return bytes?.length === 32 && base58.encode(bytes) === text
}

/** Returns `null` if the text is not an address. */
export function parseAddress(text: string): PublicKey | null {
  return isSolanaAddress(text) ? new PublicKey(text) : null
}
