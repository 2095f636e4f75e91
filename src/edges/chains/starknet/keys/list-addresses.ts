import { ec } from "starknet"
import type { SeededAccount } from "#chains/mnemonic.ts"
import type { Secret } from "#lib/secret.ts"
import type { KeyAddress } from "#ports/key-holder.ts"
import { revealKey } from "../signer.ts"
import { starknetPath } from "./derive-key.ts"
import { starknetKeyError } from "./parse-key.ts"

/**
 * The public key: the address belongs to the account contract, which `account` of the configuration
 * names. Throws `config.key` (fatal).
 */
export function listStarknetKeys(key: Secret, seeded: SeededAccount | null): readonly KeyAddress[] {
  const path = seeded === null ? null : starknetPath(seeded.index)
  try {
    return [
      { what: "starknet public key", path, address: ec.starkCurve.getStarkKey(revealKey(key)) },
    ]
  } catch {
    // The library's message could quote the key.
    throw starknetKeyError(key)
  }
}
