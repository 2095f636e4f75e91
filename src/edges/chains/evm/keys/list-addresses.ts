import type { SeededAccount } from "#chains/mnemonic.ts"
import type { Secret } from "#lib/secret.ts"
import type { KeyAddress } from "#ports/key-holder.ts"
import { createEvmSigner } from "../signer.ts"
import { evmPath } from "./derive-key.ts"

/** The one address of a key on every EVM chain. Throws `config.key` (fatal). */
export function listEvmAddresses(key: Secret, seeded: SeededAccount | null): readonly KeyAddress[] {
  const path = seeded === null ? null : evmPath(seeded.index)
  return [{ what: "every EVM chain", path, address: createEvmSigner(key).account }]
}
