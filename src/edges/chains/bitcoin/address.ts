import { address, type Network, networks } from "bitcoinjs-lib"
import "./keys/secp.ts"

export type NetworkName = "mainnet" | "testnet" | "testnet4" | "signet" | "regtest"

/**
 * Returns the output script of an address, or `null` if the text is not an address of this network.
 *
 * Accepts Base58 (P2PKH, P2SH) and witness versions 0 and 1. Later witness versions are
 * anyone-can-spend until a soft fork defines them (BIP 141). The three public test networks share
 * their prefixes, so this check cannot tell them apart.
 */
export function scriptOf(text: string, network: Network): Uint8Array | null {
  const isFutureWitness =
    /^[a-z]+1/i.test(text) && !new RegExp(`^${network.bech32}1[qp]`, "i").test(text)
  if (isFutureWitness) return null
  try {
    return address.toOutputScript(text, network)
  } catch {
    // bitcoinjs-lib throws if the text is not an address of this network; it has no other failure
    // here.
    return null
  }
}

/** Testnet 3, testnet 4 and signet share every prefix; only regtest and mainnet have their own. */
export function networkOf(name: NetworkName): Network {
  if (name === "mainnet") return networks.bitcoin
  return name === "regtest" ? networks.regtest : networks.testnet
}

/**
 * Compares output scripts, not texts: Bech32 allows capitals (BIP 173), while Base58 is
 * case-sensitive.
 */
export function sameAddress(a: string, b: string, network: Network): boolean {
  const scriptA = scriptOf(a, network)
  const scriptB = scriptOf(b, network)
  return scriptA !== null && scriptB !== null && sameBytes(scriptA, scriptB)
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}
