import type { PublicKey } from "@solana/web3.js"
import {
  decodeHtlcCall,
  decodeSwap,
  deriveSwapAccount,
  type HtlcCall,
  SWAP_ACCOUNT_BYTES,
  type SwapRecord,
} from "./htlc.ts"
import { decodeSplCall, decodeSplSwap, deriveSwapData, SPL_SWAP_BYTES } from "./spl-htlc.ts"

/** The parts in which the two HTLC programs agree: one for native SOL, one for all SPL tokens. */
export type HtlcProgram = {
  /** Where the swap account stands in the accounts of every call. */
  readonly swapAccountAt: number
  readonly swapAccountBytes: number
  decodeCall(data: Uint8Array): HtlcCall | null
  deriveSwapAccount(program: PublicKey, initiator: PublicKey, secretHash: Buffer): PublicKey
  /** `null` if the data is no record of this program. */
  decodeSwap(data: Buffer): SwapRecord | null
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
  decodeSwap,
}

const SPL: HtlcProgram = {
  swapAccountAt: 1,
  swapAccountBytes: SPL_SWAP_BYTES,
  decodeCall: decodeSplCall,
  deriveSwapAccount: deriveSwapData,
  decodeSwap: decodeSplSwap,
}
