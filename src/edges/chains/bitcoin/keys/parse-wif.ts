import { createHash } from "node:crypto"
import { createBase58check } from "@scure/base"
import { AppError } from "#lib/app-error.ts"
import { describeForm, type Secret } from "#lib/secret.ts"
import type { NetworkName } from "../address.ts"

/**
 * The prefix of Bech32 addresses and the version of a WIF (chainparams.cpp of Bitcoin Core). The
 * test networks share theirs.
 */
export const PREFIXES: Readonly<
  Record<NetworkName, { readonly bech32: string; readonly wif: number }>
> = {
  mainnet: { bech32: "bc", wif: 0x80 },
  testnet: { bech32: "tb", wif: 0xef },
  testnet4: { bech32: "tb", wif: 0xef },
  signet: { bech32: "tb", wif: 0xef },
  regtest: { bech32: "bcrt", wif: 0xef },
}

/** The 32 bytes of a compressed WIF of this network; `null` for any other text. */
export function parseWif(text: string, version: number): Uint8Array | null {
  const bytes = decode(text)
  const isCompressed = bytes?.length === 34 && bytes[33] === 0x01
  return isCompressed && bytes[0] === version ? bytes.subarray(1, 33) : null
}

export function bitcoinKeyError(key: Secret, bech32: string): AppError {
  return new AppError({
    code: "config.key",
    disposition: "fatal",
    message:
      `${key} is not a compressed private key (WIF) of this Bitcoin network${describeForm(key)}; ` +
      "export it again from the wallet",
    details: { reference: key.reference, addressPrefix: bech32 },
  })
}

function decode(text: string): Uint8Array | null {
  try {
    return createBase58check((bytes: Uint8Array) =>
      createHash("sha256").update(bytes).digest(),
    ).decode(text)
  } catch {
    // The library reports a wrong character or checksum by throwing, and has no other failure.
    return null
  }
}
