import { base58 } from "@scure/base"
import { PublicKey } from "@solana/web3.js"
import type { Asset, ChainId } from "#domain/asset.ts"
import { readBase58 } from "./read-base58.ts"

/** Who we are on this chain and what we may touch: the configured facts that decoding, building and signing share. */
export type Wallet = {
  readonly chain: ChainId
  readonly account: string
  /** All assets of this chain. */
  readonly assets: readonly Asset[]
  /** The most that we pay per compute unit. */
  readonly maxPriorityFeeMicroLamports: bigint
}

/** 32 bytes of base 58 in its one canonical spelling. */
export function isSolanaAddress(text: string): boolean {
  const bytes = text.length <= 44 ? readBase58(text) : null
  return bytes?.length === 32 && base58.encode(bytes) === text
}

/** `null` for text that is no address. */
export function parseAddress(text: string): PublicKey | null {
  return isSolanaAddress(text) ? new PublicKey(text) : null
}
