import { address, initEccLib, networks } from "bitcoinjs-lib"
import * as ecc from "tiny-secp256k1"
import { createRefusal } from "../create-refusal.ts"

/** The output script of a regtest address; `null` for any other text. */
export function outputOfAddress(text: string): Uint8Array | null {
  return valueOrNull(() => address.toOutputScript(text, networks.regtest))
}

/**
 * The output script of a regtest address. Throws `sandbox.address` (refused) for any other text.
 */
export function requireOutput(address: string): Uint8Array {
  const output = outputOfAddress(address)
  if (output === null)
    throw createRefusal("sandbox.address", `"${address}" is not a Bitcoin regtest address`)
  return output
}

/**
 * The address of an output script; `null` for scripts without an address, such as data outputs and
 * bare keys.
 */
export function addressOfOutput(output: Uint8Array): string | null {
  return valueOrNull(() => address.fromOutputScript(output, networks.regtest))
}

initEccLib(ecc)

function valueOrNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    // The library throws for an address or script that it does not accept; nothing else can fail in
    // either call.
    return null
  }
}
