import { initEccLib } from "bitcoinjs-lib"
import { ECPairFactory } from "ecpair"
import * as ecc from "tiny-secp256k1"

// bitcoinjs-lib needs its curve handed over once per process before it can touch Taproot.
initEccLib(ecc)

/** Key pairs on the curve that bitcoinjs-lib uses. Importing this file is what makes Taproot work. */
export const secp = ECPairFactory(ecc)

/** Is this the x coordinate of a point (BIP 340 lift_x)? About half of all 32-byte strings are. */
export function isXOnlyPoint(key: Uint8Array): boolean {
  return key.length === 32 && ecc.isXOnlyPoint(key)
}
