import type { PublicKey } from "@solana/web3.js"
import { decodeExpirySlot, decodeHtlcCall, deriveSwapAccount, type HtlcCall, SWAP_ACCOUNT_BYTES } from "./htlc.ts"
import { decodeSplCall, decodeSplSwap, deriveSwapData, SPL_SWAP_BYTES } from "./spl-htlc.ts"

/** The parts in which the two HTLC programs agree: one for native SOL, one for all SPL tokens. */
export type HtlcProgram = {
  /** Where the swap account stands in the accounts of every call. */
  readonly swapAccountAt: number
  readonly swapAccountBytes: number
  decodeCall(data: Uint8Array): HtlcCall | null
  deriveSwapAccount(program: PublicKey, initiator: PublicKey, secretHash: Buffer): PublicKey
  decodeExpirySlot(data: Buffer): bigint | null
}

/** The program that holds an asset: tokens have a mint, native SOL has none. */
export function programOf(token: string | null): HtlcProgram {
  return token === null ? NATIVE : SPL
}

const NATIVE: HtlcProgram = {
  swapAccountAt: 0,
  swapAccountBytes: SWAP_ACCOUNT_BYTES,
  decodeCall: decodeHtlcCall,
  deriveSwapAccount,
  decodeExpirySlot,
}

const SPL: HtlcProgram = {
  swapAccountAt: 1,
  swapAccountBytes: SPL_SWAP_BYTES,
  decodeCall: decodeSplCall,
  deriveSwapAccount: deriveSwapData,
  decodeExpirySlot: (data) => decodeSplSwap(data)?.expirySlot ?? null,
}
