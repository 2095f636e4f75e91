import { initEccLib } from "bitcoinjs-lib"
import { ECPairFactory } from "ecpair"
import * as ecc from "tiny-secp256k1"

// bitcoinjs-lib needs a curve library, set once per process, before it can handle Taproot.
initEccLib(ecc)

/** Key pairs on the curve that bitcoinjs-lib uses. An import of this file enables Taproot. */
export const secp = ECPairFactory(ecc)

/**
 * Whether the key is the x coordinate of a point (BIP 340 lift_x). About half of all 32-byte
 * strings are.
 */
export function isXOnlyPoint(key: Uint8Array): boolean {
  return key.length === 32 && ecc.isXOnlyPoint(key)
}
