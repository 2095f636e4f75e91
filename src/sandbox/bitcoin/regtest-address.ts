import { address, initEccLib, networks } from "bitcoinjs-lib"
import * as ecc from "tiny-secp256k1"
import { createRefusal } from "../create-refusal.ts"

/** The output script of an address of the local network; `null` for any other text. */
export function outputOfAddress(text: string): Uint8Array | null {
  return valueOrNull(() => address.toOutputScript(text, networks.regtest))
}

/** The same for callers that cannot go on without: throws `sandbox.address` (refused). */
export function requireOutput(address: string): Uint8Array {
  const output = outputOfAddress(address)
  if (output === null) throw createRefusal("sandbox.address", `"${address}" is not a Bitcoin regtest address`)
  return output
}

/** `null` for scripts that have no address: data outputs, bare keys. */
export function addressOfOutput(output: Uint8Array): string | null {
  return valueOrNull(() => address.fromOutputScript(output, networks.regtest))
}

initEccLib(ecc)

function valueOrNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    // The library says "no" by throwing; both questions have nothing else that can fail.
    return null
  }
}
